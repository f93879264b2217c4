import { request as httpRequest, type IncomingMessage } from 'node:http';
import { waitUntil } from '../support/wait-until';
import {
  createApproved,
  BOOKING,
  euros,
  openShop,
  requestToken,
  subscriptionRequest,
  type Answer,
  type Shop,
} from './merchant';

let shop: Shop;
let paymentId: string;
beforeEach(async () => {
  shop = await openShop();
  paymentId = await createApproved(shop, subscriptionRequest());
});
afterEach(() => shop.close());

const order = (fault: Record<string, unknown>): Promise<Answer> =>
  shop.post('/_sandbox/faults', { match: { method: 'POST', path: '/authorizations$' }, ...fault });
const collect = (init: RequestInit = {}): Promise<Answer> =>
  shop.send(`/${paymentId}/authorizations`, {
    method: 'POST',
    body: JSON.stringify({ amount: euros(1999) }),
    headers: { 'content-type': 'application/json' },
    ...init,
  });
const listed = async (): Promise<number> =>
  (await shop.get(`/authorizations?paymentId=${paymentId}`)).body.items.length;

/** Some faults end in real time. */
const until = (holds: () => Promise<boolean>) => waitUntil(holds.toString(), holds);

/**
 * Makes a call that gets no answer, and gives it up once the fault was applied to it and another call was answered.
 * @returns how many payments are listed then
 */
async function unanswered(): Promise<number> {
  const abort = new AbortController();
  const gone = expect(collect({ signal: abort.signal })).rejects.toThrow('aborted');
  await waitUntil('its fault has taken it', () => shop.sandbox.faults.list()[0]?.taken === 1);
  const payments = await listed();
  abort.abort();
  await gone;
  return payments;
}

/** The answer as it is on the wire: nothing unpacked, nothing hidden. */
async function collectRaw(): Promise<IncomingMessage> {
  const token = await shop.token();
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      `${shop.url}/${paymentId}/authorizations`,
      { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } },
      resolve,
    );
    call.on('error', reject);
    call.end(JSON.stringify({ amount: euros(1999) }));
  });
}

async function bytesOf(message: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const chunk of message) bytes += (chunk as Buffer).length;
  return bytes;
}

describe('an answer that does not come', () => {
  it('the fault lost_answer makes the payment and drops its answer', async () => {
    await order({ kind: 'lost_answer' });
    await expect(collect()).rejects.toThrow('fetch failed');
    expect(await listed()).toBe(1);
    shop.clock.pass(BOOKING);
    expect(shop.sandbox.debits()).toMatchObject([{ status: 'successful' }]);
  });

  it('the fault swallowed makes no payment and drops the connection', async () => {
    await order({ kind: 'swallowed' });
    await expect(collect()).rejects.toThrow('fetch failed');
    expect(await listed()).toBe(0);
  });

  it('the fault swallowed without closing makes no payment and never answers', async () => {
    await order({ kind: 'swallowed', close: false });
    expect(await unanswered()).toBe(0);
  });

  it('the fault hang makes the payment and never answers', async () => {
    await order({ kind: 'hang' });
    expect(await unanswered()).toBe(1);
  });

  it('a request under the fault hang ends when the server closes', async () => {
    await order({ kind: 'hang' });
    const hanging = expect(collect()).rejects.toThrow('fetch failed');
    await until(async () => (await listed()) === 1);
    await shop.close();
    await hanging;
  });

  it('the fault late_commit makes the payment a while after the connection was lost', async () => {
    await order({ kind: 'late_commit', delayMs: 1_000 });
    await expect(collect()).rejects.toThrow('fetch failed');
    // The records are read without a request, because the delay has started already.
    expect(shop.sandbox.payment(paymentId).authorizations).toEqual([]);
    await until(async () => (await listed()) === 1);
  });

  it('the fault late_listing makes, answers and finds the payment by its id, but omits it from lists for a while', async () => {
    await order({ kind: 'late_listing', delayMs: 5000 });
    const { body } = await collect();
    expect(await listed()).toBe(0);
    const named = await shop.get(`/authorizations?paymentId=${paymentId}&authorizationId=${body.authorizationId}`);
    expect(named.body.items).toHaveLength(1);
    shop.clock.pass(4999);
    expect(await listed()).toBe(0);
    shop.clock.pass(1);
    expect(await listed()).toBe(1);
  });

  it('the fault late_listing can be combined with another fault', async () => {
    await order({ kind: 'lost_answer' });
    await order({ kind: 'late_listing', delayMs: 5000 });
    await expect(collect()).rejects.toThrow('fetch failed');
    expect(await listed()).toBe(0);
    shop.clock.pass(5000);
    expect(await listed()).toBe(1);
  });

  it('the fault delay makes the payment at once and answers later', async () => {
    await order({ kind: 'delay', delayMs: 400 });
    const started = performance.now();
    const answer = collect();
    await until(async () => (await listed()) === 1);
    expect((await answer).status).toBe(201);
    expect(performance.now() - started).toBeGreaterThanOrEqual(395);
  });
});

it.each([
  ['error_after_commit', {}, 500, 'INTERNAL_ERROR', 1],
  ['error_after_commit', { status: 409, detail: 'STATE_CONFLICT' }, 409, 'STATE_CONFLICT', 1],
  ['error_before_commit', {}, 503, 'INTERNAL_ERROR', 0],
  ['error_before_commit', { status: 404, detail: 'NOT_FOUND' }, 404, 'NOT_FOUND', 0],
  ['rate_limit', {}, 429, 'RATE_LIMITED', 0],
  ['forbidden', {}, 403, 'FORBIDDEN', 0],
  ['unauthorized', {}, 401, 'UNAUTHENTICATED', 0],
])(
  'the fault %s %j is answered with %i %s, and %i payments are made',
  async (kind, terms, status, detail, payments) => {
    await order({ kind, ...terms });
    const answer = await collect();
    expect(answer).toMatchObject({ status, body: { result: 'FAILED', detail } });
    expect(await listed()).toBe(payments);
    expect(shop.sandbox.refusals()).toEqual([]);
  },
);

it('the fault rate_limit answers with the configured Retry-After, or without one', async () => {
  await order({ kind: 'rate_limit', retryAfter: 7 });
  await order({ kind: 'rate_limit', retryAfter: null });
  expect((await collect()).headers.get('retry-after')).toBe('7');
  expect((await collect()).headers.get('retry-after')).toBeNull();
});

it.each(['error_after_commit', 'error_before_commit'])(
  'an answer that is an error is an HTML page if %s asks for it',
  async (kind) => {
    await order({ kind, status: 422, html: true });
    const { status, headers, text } = await collect();
    expect([status, headers.get('content-type')]).toEqual([422, 'text/html; charset=utf-8']);
    expect(text).toContain('<h1>502 Bad Gateway</h1>');
  },
);

describe('an answer that cannot be read', () => {
  it('the fault malformed answers with half of the JSON by default', async () => {
    await order({ kind: 'malformed' });
    const text = await (await collectRaw()).toArray().then((parts) => Buffer.concat(parts as Buffer[]).toString());
    expect(text).toMatch(/^\{"paymentId":/);
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(await listed()).toBe(1);
  });

  it('the fault malformed with the variant html answers with a page and status 201', async () => {
    await order({ kind: 'malformed', variant: 'html' });
    const { status, headers, text } = await collect();
    expect([status, headers.get('content-type')]).toEqual([201, 'text/html; charset=utf-8']);
    expect(text).toContain('<html>');
  });

  it('the fault malformed with the variant wrong_types answers with values of other types', async () => {
    await order({ kind: 'malformed', variant: 'wrong_types' });
    const { body } = await collect();
    expect(body).toMatchObject({
      paymentId: paymentId.length,
      amount: { value: '1999', currency: 3 },
      status: { result: 7 },
    });
  });

  it('the fault huge answers with as many bytes as configured', async () => {
    await order({ kind: 'huge', bytes: 20_000_000 });
    expect(await bytesOf(await collectRaw())).toBeGreaterThan(20_000_000);
    expect(await listed()).toBe(1);
  });

  it('the fault gzip_bomb answers with few bytes that unpack to many', async () => {
    await order({ kind: 'gzip_bomb', bytes: 50_000_000, times: 2 });
    const message = await collectRaw();
    expect(message.headers['content-encoding']).toBe('gzip');
    expect(await bytesOf(message)).toBeLessThan(200_000);
    shop.clock.travelTo('2027-02-28T10:00:00.000Z');
    expect((await collect()).text.length).toBeGreaterThan(50_000_000);
  });

  it('the fault slow_body answers byte by byte', async () => {
    await order({ kind: 'slow_body', delayMs: 2 });
    const started = performance.now();
    const { text } = await collect();
    expect(JSON.parse(text)).toMatchObject({ paymentId });
    expect(performance.now() - started).toBeGreaterThan(text.length * 2 - 5);
  });
});

const lost = { kind: 'error_before_commit' };

it('a fault affects as many requests as configured', async () => {
  await order({ ...lost, times: 2 });
  const statuses = [await collect(), await collect(), await collect()].map((answer) => answer.status);
  expect(statuses).toEqual([503, 503, 201]);
  expect((await shop.get('/_sandbox/faults')).body.items).toMatchObject([{ left: 0, taken: 2 }]);
});

it('a fault matches method, path and payment', async () => {
  await order({ ...lost, match: { method: 'GET' } });
  await order({ ...lost, match: { path: '^/captures' } });
  await order({ ...lost, match: { paymentId: 'another' } });
  expect((await collect()).status).toBe(201);
  expect((await shop.get(`/captures?paymentId=${paymentId}`)).status).toBe(503);
});

it.each([
  ['the path', () => collect()],
  ['the body', () => shop.post('/authorizations', { paymentId, amount: euros(1999) })],
  ['the query', () => shop.get(`/authorizations?paymentId=${paymentId}`)],
])('a fault matches the payment in %s', async (_where, call) => {
  await order({ ...lost, match: { paymentId } });
  expect((await call()).status).toBe(503);
});

it('a fault can also affect requests for a token', async () => {
  await order({ kind: 'rate_limit', match: { path: '/oauth/token$' } });
  expect((await requestToken(shop.url, 'Basic eDp5')).status).toBe(429);
});

it('a fault affects no requests under /_sandbox and none by the payer', async () => {
  await order({ ...lost, match: {}, times: 5 });
  expect((await shop.get('/_sandbox/debits')).status).toBe(200);
  expect((await shop.get(`/payer/${paymentId}`)).status).toBe(303);
});

it('a fault affects no request once the faults are cleared', async () => {
  await order({ ...lost });
  expect((await shop.delete('/_sandbox/faults')).status).toBe(204);
  expect((await collect()).status).toBe(201);
});

it.each([
  [{ kind: 'earthquake' }, 'kind'],
  [{ kind: 'delay', delayMs: -1 }, 'delayMs'],
  [{ kind: 'hang', match: { path: '(' } }, 'match.path: expected a regular expression'],
  [{ kind: 'hang', times: 0 }, 'times'],
  [{ kind: 'hang', delayMs: 5 }, 'delayMs'],
])('the invalid fault %j is refused', async (fault, problem) => {
  const { status, body } = await order(fault);
  expect([status, body.detail]).toEqual([400, 'INVALID_REQUEST']);
  expect(body.description).toContain(problem);
  expect(shop.sandbox.faults.list()).toEqual([]);
});
