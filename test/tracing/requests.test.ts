import { pino } from 'pino';
import { currentLogFields } from '../../src/platform/log';
import { traceIdsOf } from '../../src/platform/tracing/subject';
import { type AdminUnderTest, startAdmin } from '../admin/admin-under-test';
import type { ReceivedSpan } from './otlp-receiver';
import { traced, type Traces } from './traces-on';

/** The spans of requests to the admin API. */

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
/** Typed by a caller in the wrong place. */
const EMAIL = 'quixotine@payer.example';

interface Line {
  readonly msg: string;
  readonly trace_id?: string;
  readonly subscriptionId?: string;
  readonly cycle?: number;
}

let admin: AdminUnderTest;
const lines: Line[] = [];
beforeAll(async () => {
  const write = (line: string) => void lines.push(JSON.parse(line) as Line);
  admin = await startAdmin({ logger: pino({ level: 'debug', mixin: currentLogFields }, { write }) });
});
afterAll(() => admin.stop());
beforeEach(() => void lines.splice(0));

function requestsOf({ spans }: Traces): ReceivedSpan[] {
  return spans.filter(({ kind }) => kind === 2);
}

test('a request is a span named by its method and route, with the ids that it names, and no path', async () => {
  const traces = await traced(async () => {
    await admin.call('GET', '/v1/subscriptions/gym-17');
    await admin.call('POST', '/v1/subscriptions/gym-17/cycles/3/skip', { body: { reason: 'asked to' } });
    await admin.call('GET', '/v1/payments/pay_17');
  });
  expect(requestsOf(traces).map(({ name, attributes }) => ({ name, ...attributes }))).toEqual([
    {
      name: 'GET /v1/subscriptions/:id',
      'http.request.method': 'GET',
      'http.route': '/v1/subscriptions/:id',
      'http.response.status_code': 404,
      'dueday.subscription_id': 'gym-17',
    },
    expect.objectContaining({
      name: 'POST /v1/subscriptions/:id/cycles/:n/skip',
      'dueday.subscription_id': 'gym-17',
      'dueday.cycle': 3,
    }),
    expect.objectContaining({ name: 'GET /v1/payments/:id', 'dueday.payment_id': 'pay_17' }),
  ]);
});

test("a request's trace contains its statements, including those executed after its body was read", async () => {
  const traces = await traced(() => admin.call('POST', '/v1/keys', { body: { name: 'traced key', role: 'viewer' } }));
  const [request] = requestsOf(traces);
  const insert = traces.spans.find(({ name }) => name === 'insert api_keys');
  expect(insert).toMatchObject({ traceId: request?.traceId, parentSpanId: request?.spanId });
});

test('a caller with a key may continue a trace; one without creates no span', async () => {
  const traces = await traced(async () => {
    await admin.call('GET', '/v1/subscriptions', { headers: TRACEPARENT, key: 'dd_nobody-has-it' });
    await admin.call('GET', '/healthz', { headers: TRACEPARENT });
    await admin.call('GET', '/v1/subscriptions', { headers: { traceparent: 'no trace' } });
    await admin.call('GET', '/v1/subscriptions', { headers: TRACEPARENT });
  });
  const [own, continued, ...others] = requestsOf(traces);
  expect(others).toEqual([]);
  expect(own).toMatchObject({ traceId: expect.not.stringMatching(TRACE), parentSpanId: undefined });
  expect(continued).toMatchObject({ traceId: TRACE, parentSpanId: '00f067aa0ba902b7' });
});

test('no span contains what a caller types: a body, a query or an invalid id', async () => {
  const { spans, text } = await traced(async () => {
    await admin.call('GET', `/v1/subscriptions/${encodeURIComponent(EMAIL)}`);
    await admin.call('GET', `/v1/payments/${encodeURIComponent(EMAIL)}`);
    await admin.call('GET', `/v1/subscriptions?q=${encodeURIComponent(EMAIL)}`);
    await admin.call('GET', `/v1/${encodeURIComponent(EMAIL)}`);
    await admin.call('POST', '/v1/keys', { body: { name: EMAIL, role: 'viewer' } });
    await admin.call('GET', '/v1/keys', { headers: { tracestate: EMAIL, baggage: `who=${EMAIL}`, ...TRACEPARENT } });
  });
  expect(spans.length).toBeGreaterThan(6);
  expect(text).not.toContain('quixotine');
});

test("log lines about a request have the request's trace", async () => {
  const traces = await traced(() => admin.call('POST', '/v1/keys', { body: { name: 'logged key', role: 'viewer' } }));
  const [request] = requestsOf(traces);
  const line = lines.find(({ msg }) => msg === 'security event');
  expect(line).toMatchObject({ trace_id: request?.traceId, span_id: expect.stringMatching(/^[\da-f]{16}$/) });
});

test('the trace of a cycle differs from that of another cycle and from that of its subscription', () => {
  const ids = [
    { subscriptionId: 'gym', cycle: 1 },
    { subscriptionId: 'gym', cycle: 11 },
    { subscriptionId: 'gym' },
    { paymentId: 'gym' },
  ].map((subject) => traceIdsOf(subject)?.traceId);
  expect(new Set(ids).size).toBe(4);
  expect(traceIdsOf({})).toBeNull();
});
