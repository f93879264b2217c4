import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import type { Notifier } from '../../src/notices';
import { about, clock, createLogged as createNotifier, failed, notice, payer, SECRET } from './notice-samples';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver';

let receiver: WebhookReceiver;
let notifier: Notifier;
let logged: () => string;

/** What a test has opened, closed after it however it ends: last in, first out. */
const opened: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  receiver = await openReceiver();
  const settings = { url: `${receiver.url}/notices?from=dueday`, secret: SECRET };
  ({ notifier, logged } = createLogged({ payerWebhook: settings }));
});

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function openReceiver(): Promise<WebhookReceiver> {
  const one = await startWebhookReceiver();
  opened.push(one);
  return one;
}

function createLogged(options: Parameters<typeof createNotifier>[0]): ReturnType<typeof createNotifier> {
  const created = createNotifier(options);
  opened.push(created.notifier);
  return created;
}

const paymentFailed = notice('payment.failed', failed);

it('a notice by webhook passes the standardwebhooks library, at real time, and carries type, business time and data', async () => {
  const before = Date.now();
  const result = await notifier.deliver(paymentFailed);
  expect(result).toEqual({
    kind: 'delivered',
    channel: 'webhook',
    evidence: { httpStatus: 204 },
    at: expect.any(Number),
    others: [],
  });
  expect(receiver.received).toHaveLength(1);
  const { path, headers, body } = receiver.received[0]!;
  expect(path).toBe('/notices?from=dueday');
  expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toEqual({
    type: 'payment.failed',
    timestamp: '2027-01-31T10:00:03.000Z',
    data: failed,
  });
  expect(headers['webhook-id']).toBe('msg_0123456789abcdef');
  expect(Number(headers['webhook-timestamp'])).toBeGreaterThanOrEqual(Math.floor(before / 1000));
  expect(Number(headers['webhook-timestamp'])).toBeLessThanOrEqual(Math.floor(clock.realNow() / 1000));
});

it('a notice by webhook does not verify with another secret or a changed body', async () => {
  await notifier.deliver(paymentFailed);
  const { headers, body } = receiver.received[0]!;
  const given = headers as Record<string, string>;
  expect(() => new Webhook('whsec_AAAAAAAAAAAAAAAAAAAAAAAA').verify(body, given)).toThrow('No matching signature');
  expect(() => new Webhook(SECRET).verify(body.replace('1999', '1998'), given)).toThrow('No matching signature');
});

it('a notice by webhook keeps its id when delivered again', async () => {
  receiver.answer((response) => void response.writeHead(503).end());
  expect((await notifier.deliver(paymentFailed)).kind).toBe('failed');
  receiver.answer((response) => void response.writeHead(200).end('thanks'));
  expect((await notifier.deliver(paymentFailed)).kind).toBe('delivered');
  const ids = receiver.received.map((request) => request.headers['webhook-id']);
  expect(ids).toEqual(['msg_0123456789abcdef', 'msg_0123456789abcdef']);
});

it('a notice by webhook leaves out unknown data of the payer, and keeps fields that its type does not list', async () => {
  const erased = { payer: { name: null, email: null, reference: null }, at: '2027-01-31T10:00:00.000Z' };
  await notifier.deliver(notice('subscription.resumed', erased));
  expect(JSON.parse(receiver.received[0]!.body).data).toEqual({
    subscriptionId: 'sub-1',
    paymentId: 'pay-1',
    payer: { name: null },
    at: '2027-01-31T10:00:00.000Z',
  });
});

it.each(['subscription.paused', 'subscription.resumed', 'subscription.cancelled', 'subscription.completed'])(
  'a notice by webhook of %s leaves out only optional fields without a value',
  async (type) => {
    const facts = { reason: 'holiday', until: '2027-03-01T00:00:00.000Z', cancelledBy: 'payer' };
    await notifier.deliver(notice(type, { reason: null, until: null, cancelledBy: null }));
    await notifier.deliver(notice(type, facts));
    const sent = receiver.received.map(({ body }) => (JSON.parse(body) as { data: unknown }).data);
    expect(sent).toEqual([about, { ...about, ...facts }]);
  },
);

it('a notice by webhook has null for a required field without a value', async () => {
  const known = { cycle: 2, amount: failed.amount, dueAt: failed.dueAt };
  await notifier.deliver(notice('payment.failed', { ...failed, retryAt: null }));
  await notifier.deliver(notice('subscription.paused', { ...known, note: null }));
  const [one, other] = receiver.received.map(({ body }) => (JSON.parse(body) as { data: object }).data);
  expect([one, other]).toEqual([
    { ...failed, retryAt: null },
    { ...about, ...known, note: null },
  ]);
});

it.each([200, 201, 202, 204, 299])('a notice answered with %d is delivered', async (status) => {
  receiver.answer((response) => void response.writeHead(status).end());
  const delivered = { kind: 'delivered', evidence: { httpStatus: status } };
  expect(await notifier.deliver(paymentFailed)).toMatchObject(delivered);
});

it('a notice answered with 410 means that the receiver refuses further notices', async () => {
  receiver.answer((response) => void response.writeHead(410).end());
  expect(await notifier.deliver(paymentFailed)).toEqual({ kind: 'gone', reason: expect.stringContaining('410') });
});

it.each([400, 401, 404, 409, 429, 500, 503])('a notice answered with %d is to be tried again', async (status) => {
  receiver.answer((response) => void response.writeHead(status).end());
  expect(await notifier.deliver(paymentFailed)).toMatchObject({
    kind: 'failed',
    reason: `the webhook answered ${status}`,
  });
});

it.each([301, 302, 307, 308])('a redirect by %d is not followed', async (status) => {
  const elsewhere = await openReceiver();
  receiver.answer((response) => void response.writeHead(status, { location: elsewhere.url }).end());
  const result = await notifier.deliver(paymentFailed);
  expect(result).toMatchObject({ kind: 'failed', reason: expect.stringContaining('redirects are not followed') });
  expect(elsewhere.received).toHaveLength(0);
});

it('a notice to a receiver that hangs fails after the time-out', async () => {
  receiver.answer(() => undefined);
  const hasty = createLogged({ payerWebhook: { url: receiver.url, secret: SECRET }, timeoutMs: 500 });
  const started = performance.now();
  expect(await hasty.notifier.deliver(paymentFailed)).toMatchObject({
    kind: 'failed',
    reason: 'webhook not delivered: TIMEOUT',
  });
  expect(performance.now() - started).toBeLessThan(15_000);
});

it('a notice answered with 2xx counts as delivered even if the body of the answer never ends', async () => {
  receiver.answer((response) => void response.writeHead(200).write('x'));
  expect((await notifier.deliver(paymentFailed)).kind).toBe('delivered');
});

it('a notice to a receiver that drops the connection, speaks no HTTP or is absent is to be tried again', async () => {
  receiver.answer((response) => void response.socket?.destroy());
  expect((await notifier.deliver(paymentFailed)).kind).toBe('failed');
  receiver.answer((response) => void response.socket?.end('220 hello\r\n'));
  expect((await notifier.deliver(paymentFailed)).kind).toBe('failed');

  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  await once(closed, 'close');
  const absent = createLogged({ payerWebhook: { url: `http://127.0.0.1:${port}`, secret: SECRET } });
  expect(await absent.notifier.deliver(paymentFailed)).toMatchObject({
    kind: 'failed',
    reason: 'webhook not delivered: ECONNREFUSED',
  });
});

it('a notice by webhook writes neither payer nor secret into the log', async () => {
  await notifier.deliver(paymentFailed);
  receiver.answer((response) => void response.writeHead(500).end(payer.email));
  await notifier.deliver(paymentFailed);
  expect(logged()).toContain('msg_0123456789abcdef');
  for (const word of [payer.name, payer.email, SECRET, SECRET.slice(6)]) expect(logged()).not.toContain(word);
});

it('an invalid webhook secret is refused at once, and the error does not repeat it', () => {
  const broken = { url: receiver.url, secret: 'whsec_???' };
  expect(() => createLogged({ payerWebhook: broken })).toThrow('a webhook secret must be whsec_ followed by base64');
});

const cycle = {
  cycle: 3,
  dueAt: '2027-01-31T10:00:00.000Z',
  amount: { value: 500, currency: 'EUR' },
  reason: 'late',
};
const deadline = { captureBy: '2027-02-07T10:00:00.000Z', remaining: { value: 1, currency: 'EUR' } };

it.each([
  ['consent.failed', { reason: 'declined' }],
  ['cycle.missed', cycle],
  ['cycle.failed', cycle],
  ['cycle.unresolved', cycle],
  ['capture.deadline_near', deadline],
])('a notice of %s goes to the event webhook alone', async (type, data) => {
  const events = await openReceiver();
  const own = 'whsec_c2VjcmV0IG9mIHRoZSBldmVudHM=';
  const both = createLogged({
    payerWebhook: { url: receiver.url, secret: SECRET },
    eventWebhook: { url: events.url, secret: own },
  });
  expect((await both.notifier.deliver(notice(type, data))).kind).toBe('delivered');
  const { headers, body } = events.received[0]!;
  const verified = new Webhook(own).verify(body, headers as Record<string, string>);
  expect(verified).toMatchObject({ type, data });
  expect(receiver.received).toHaveLength(0);
});

it('notices to the merchant stay in the audit log without an event webhook', async () => {
  expect(await notifier.deliver(notice('cycle.missed', cycle))).toEqual({ kind: 'audit_only' });
  expect(receiver.received).toHaveLength(0);
});

it('a notice to the payer without any channel is reported as having no channel', async () => {
  const none = createLogged({ eventWebhook: { url: receiver.url, secret: SECRET } });
  expect(await none.notifier.deliver(paymentFailed)).toEqual({
    kind: 'no_channel',
    reason: 'no channel to payers is configured',
  });
  expect(receiver.received).toHaveLength(0);
});
