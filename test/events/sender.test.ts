import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { createClock } from '../../src/platform/clock';
import { createAddressCheck, createWebhookSender, type WebhookSender } from '../../src/webhooks';
import { startWebhookReceiver, type WebhookReceiver } from '../notices/webhook-receiver';

const SECRETS = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'];

let receiver: WebhookReceiver;
let sender: WebhookSender;

beforeEach(async () => {
  receiver = await startWebhookReceiver();
  sender = createWebhookSender(createAddressCheck([], true), createClock(null));
});
afterEach(async () => {
  await sender.close();
  await receiver.close();
});

const post = (secrets = SECRETS.slice(0, 1), url = receiver.url, by = sender) =>
  by.post({ url, secrets, id: 'evt_1', body: '{"type":"endpoint.test"}' });

test('an event is signed with both secrets while one replaces the other, with a timestamp in real time', async () => {
  expect(await post(SECRETS)).toMatchObject({ status: 204, error: null });
  const { headers, body } = receiver.received[0]!;
  expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  for (const secret of SECRETS) {
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({ type: 'endpoint.test' });
  }
  expect(headers['webhook-id']).toBe('evt_1');
});

test('the sender of events follows no redirect', async () => {
  receiver.answer((response) => response.writeHead(301, { location: `${receiver.url}/elsewhere` }).end());
  expect(await post()).toMatchObject({ status: 301 });
  expect(receiver.received).toHaveLength(1);
});

test('the first 2 kB of the answer are kept, and a body of 100 MB is not read', async () => {
  let sent = 0;
  receiver.answer((response) => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const more = () => {
      while (sent < 100_000_000 && !response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
      response.end();
    };
    response.writeHead(500);
    more();
  });
  const result = await post();
  expect(result).toMatchObject({ status: 500, answer: 'x'.repeat(2_048) });
  expect(sent).toBeLessThan(20_000_000);
});

test('a post without an answer in time has failed, and a body that arrives slowly takes no longer than the time-out', async () => {
  const hasty = createWebhookSender(createAddressCheck([], true), createClock(null), 2_000);
  receiver.answer(() => undefined);
  expect(await post(undefined, undefined, hasty)).toMatchObject({ status: null, error: 'TIMEOUT' });
  receiver.answer((response) => {
    response.writeHead(200);
    response.write('slow');
  });
  const dripping = await post(undefined, undefined, hasty);
  expect(dripping).toMatchObject({ status: 200, answer: 'slow' });
  expect(dripping.ms).toBeLessThan(60_000);
  await hasty.close();
});

test('the sender of events reads Retry-After in an answer', async () => {
  receiver.answer((response) => response.writeHead(429, { 'retry-after': '7' }).end('later'));
  expect(await post()).toMatchObject({ status: 429, retryAfter: 7_000, answer: 'later' });
});

test.each(['http://127.0.0.1', 'http://localhost', 'http://[::1]'])(
  'an address that no endpoint may have is not connected to: %s',
  async (origin) => {
    let connections = 0;
    const server = createServer().on('connection', () => (connections += 1));
    server.listen(0);
    await once(server, 'listening');
    const strict = createWebhookSender(createAddressCheck([], false), createClock(null), 2_000);
    const url = `${origin}:${(server.address() as AddressInfo).port}/`;
    expect(await strict.post({ url, secrets: SECRETS, id: 'evt_1', body: '{}' })).toMatchObject({
      status: null,
      error: 'ADDRESS_REFUSED',
    });
    expect(connections).toBe(0);
    await strict.close();
    server.close();
  },
);

test('an event is posted to the URL that the deployment itself configures even if its address is private', async () => {
  const strict = createWebhookSender(createAddressCheck([], false), createClock(null), 2_000);
  const own = { url: receiver.url, secrets: SECRETS, id: 'evt_1', body: '{}', isOwn: true };
  expect(await strict.post(own)).toMatchObject({ status: 204, error: null });
  await strict.close();
});

test('a closed port is a failed attempt, reported only by its code', async () => {
  await receiver.close();
  expect(await post()).toMatchObject({ status: null, error: 'ECONNREFUSED' });
  receiver = await startWebhookReceiver();
});

/** Counts connections. @param closes after each answer */
async function counting(closes: boolean) {
  let connections = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (closes) response.setHeader('connection', 'close');
      response.writeHead(204).end();
    });
  });
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (let nth = 0; nth < 10; nth += 1) expect(await post(undefined, url)).toMatchObject({ status: 204, error: null });
  server.closeAllConnections();
  server.close();
  return connections;
}

test('posts that follow each other at once share connections', async () => {
  expect(await counting(false)).toBeLessThan(5);
});

test('an endpoint that closes its connection after each answer gets each post on a new connection', async () => {
  expect(await counting(true)).toBe(10);
});
