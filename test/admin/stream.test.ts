import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { feedEnd, insertEvent, placeEvents } from '../../src/ledger';
import type { SubscriptionId } from '../../src/domain/ids';
import { subscribe, waitForLock } from '../ledger/ledger-fixture';
import { waitUntil } from '../support/wait-until';
import { type AdminUnderTest, NOW, startAdmin } from './admin-under-test';

let admin: AdminUnderTest;
let url: string;

beforeAll(async () => {
  admin = await startAdmin();
  url = await admin.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => admin.stop());

const until = (holds: () => boolean) => waitUntil(holds.toString(), holds);

interface Frame {
  id?: string;
  event?: string;
  data?: string;
}

interface Reader {
  status: number;
  frames: Frame[];
  ended: boolean;
  text: string;
  leave(): void;
}

const open: Reader[] = [];
afterEach(() => open.splice(0).forEach((each) => each.leave()));

async function listen(query = '', headers: Record<string, string> = {}, key = admin.keys.viewer): Promise<Reader> {
  const reader: Reader = { status: 0, frames: [], ended: false, text: '', leave: () => sent.destroy() };
  const sent = request(`${url}/v1/stream?${query}`, { headers: { authorization: `Bearer ${key}`, ...headers } });
  sent.on('error', () => (reader.ended = true));
  open.push(reader);
  const answer = await new Promise<IncomingMessage>((done) => {
    sent.on('response', done).end();
  });
  reader.status = answer.statusCode ?? 0;
  answer.on('data', (chunk: Buffer) => {
    reader.text += chunk.toString();
    const blocks = reader.text.split('\n\n').slice(0, -1);
    reader.frames = blocks.map(frameOf).filter(({ data }) => data !== undefined);
  });
  answer.on('close', () => (reader.ended = true)).on('error', () => undefined);
  return reader;
}

function frameOf(block: string): Frame {
  const fields = block.split('\n').map((each) => [each.split(': ')[0] ?? '', each.slice(each.indexOf(': ') + 2)]);
  return Object.fromEntries(fields) as Frame;
}

interface Told {
  data: { cycle: number };
}

async function insertMissed(subscriptionId: SubscriptionId, cycle: number) {
  await insertEvent(admin.db, { subscriptionId, at: NOW, actor: 'dueday', type: 'cycle.missed', data: { cycle } });
  await placeEvents(admin.db);
}

const cyclesOf = ({ frames }: Reader) =>
  frames.filter(({ event }) => event === 'cycle.missed').map(({ data }) => (JSON.parse(data!) as Told).data.cycle);

test('the event stream sends events from now on, each with its cursor in GET /v1/events', async () => {
  const { subscriptionId } = await subscribe(admin.db);
  await insertMissed(subscriptionId, 1);
  const reader = await listen(`subscriptionId=${subscriptionId}`);
  await insertMissed(subscriptionId, 2);
  await insertMissed(subscriptionId, 3);
  await until(() => reader.frames.length === 2);
  expect(cyclesOf(reader)).toEqual([2, 3]);
  const rest = await admin.call('GET', `/v1/events?subscriptionId=${subscriptionId}&after=${reader.frames[0]!.id}`);
  expect(rest.json<{ items: Told[] }>().items.map(({ data }) => data.cycle)).toEqual([3]);
});

test('the event stream sends its start position at once, so that a client cut off before the first event misses none', async () => {
  const { subscriptionId } = await subscribe(admin.db);
  const first = await listen(`subscriptionId=${subscriptionId}`);
  await until(() => first.text.includes('\n\n'));
  const place = /^id: (\S+)$/m.exec(first.text)![1]!;
  first.leave();
  await insertMissed(subscriptionId, 1);
  const second = await listen(`subscriptionId=${subscriptionId}`, { 'last-event-id': place });
  await until(() => second.frames.length > 0);
  expect(cyclesOf(second)).toEqual([1]);
});

test('the event stream continues from Last-Event-ID without gaps or duplicates', async () => {
  const { subscriptionId } = await subscribe(admin.db);
  const first = await listen(`subscriptionId=${subscriptionId}&types=cycle.*`);
  await insertMissed(subscriptionId, 1);
  await until(() => first.frames.length === 1);
  first.leave();
  await insertMissed(subscriptionId, 2);
  const second = await listen(`subscriptionId=${subscriptionId}&types=cycle.*`, {
    'last-event-id': first.frames[0]!.id!,
  });
  await insertMissed(subscriptionId, 3);
  await until(() => second.frames.length === 2);
  expect(cyclesOf(second)).toEqual([2, 3]);
});

test('the event stream answers 410 to a position that is no longer kept, and 400 to an invalid cursor', async () => {
  const { subscriptionId } = await subscribe(admin.db);
  const reader = await listen();
  await insertMissed(subscriptionId, 1);
  await until(() => reader.frames.length > 0);
  await admin.db.query('update event_feed set purged = placed');
  expect((await listen('', { 'last-event-id': reader.frames[0]!.id! })).status).toBe(410);
  await admin.db.query('update event_feed set purged = 0');
  expect((await listen('', { 'last-event-id': 'x' })).status).toBe(400);
});

async function newKey(): Promise<{ key: string; keyId: string }> {
  const body = { name: `listener ${randomUUID()}`, role: 'viewer' };
  return (await admin.call('POST', '/v1/keys', { body })).json<{ key: string; keyId: string }>();
}

test('the event stream ends within five seconds of the revocation of its key', async () => {
  const { key, keyId } = await newKey();
  const reader = await listen('', {}, key);
  await admin.call('DELETE', `/v1/keys/${keyId}`);
  const revokedAt = performance.now();
  await until(() => reader.ended);
  expect(performance.now() - revokedAt).toBeLessThan(5_000);
});

test('a key may have five event streams at once, and a new one once another has ended', async () => {
  const five = await Promise.all(Array.from({ length: 5 }, () => listen('', {}, admin.keys.operator)));
  expect(five.map(({ status }) => status)).toEqual(Array(5).fill(200));
  expect((await listen('', {}, admin.keys.operator)).status).toBe(429);
  five[0]!.leave();
  await waitUntil('another stream is accepted', async () => (await listen('', {}, admin.keys.operator)).status === 200);
});

test('the event stream with changes=true reports each write with only the id of its subject, at most once a second', async () => {
  const { subscriptionId } = await subscribe(admin.db);
  const reader = await listen(`subscriptionId=${subscriptionId}&changes=true&types=refund.failed`);
  for (const type of ['attempt.sending', 'attempt.pending', 'attempt.successful'] as const) {
    await insertEvent(admin.db, { subscriptionId, at: NOW, actor: 'dueday', type, data: { cycle: 0, attempt: 0 } });
  }
  await until(() => reader.frames.length >= 1);
  expect(reader.frames[0]).toEqual({ event: 'change', data: JSON.stringify({ subscriptionId }) });
  expect(reader.text.match(/^id: /gm)).toHaveLength(1);
});

test('the event stream with changes=true reports writes to a mandate payment under its subscription', async () => {
  const { subscriptionId, paymentId } = await subscribe(admin.db);
  const other = await subscribe(admin.db);
  const reader = await listen(`paymentId=${paymentId}&changes=true&types=refund.failed`);
  await insertMissed(other.subscriptionId, 1);
  await insertMissed(subscriptionId, 1);
  await until(() => reader.frames.length >= 1);
  expect(reader.frames[0]).toEqual({ event: 'change', data: JSON.stringify({ subscriptionId }) });
});

test('the event stream with changes=true reports a write without a subject by an event without data, at most once a second', async () => {
  const { subscriptionId } = await subscribe(admin.db);
  const all = await listen('changes=true&types=refund.failed');
  const one = await listen(`subscriptionId=${subscriptionId}&changes=true&types=refund.failed`);
  await admin.call('POST', '/v1/halt', { body: { reason: 'wrong amounts' } });
  await until(() => all.frames.length === 1);
  await admin.call('DELETE', '/v1/halt?reason=mended');
  await insertMissed(subscriptionId, 1);
  await until(() => all.frames.length === 2 && one.frames.length === 1);
  const ofNone = { event: 'installation_change', data: '{}' };
  const ofOne = { event: 'change', data: JSON.stringify({ subscriptionId }) };
  expect(all.frames).toEqual([ofNone, ofOne]);
  expect(one.frames).toEqual([ofOne]);
  admin.clock.real += 1_000;
  await until(() => all.frames.length === 3);
  expect(all.frames[2]).toEqual(ofNone);
});

test('the event stream starts its response only once it knows the end of the audit log, so that no write is missed', async () => {
  const { subscriptionId } = await subscribe(admin.db);
  const auditLog = await admin.db.connect();
  let hasStarted = false;
  try {
    await auditLog.query('begin; lock table events');
    const reading = listen(`subscriptionId=${subscriptionId}&changes=true`);
    void reading.then(() => (hasStarted = true));
    await waitForLock(admin.db);
    expect(hasStarted).toBe(false);
    await auditLog.query('commit');
    expect((await reading).status).toBe(200);
  } finally {
    auditLog.release();
  }
});

test('the event stream sends a heartbeat every 15 seconds, with the position from which a client can resume', async () => {
  const reader = await listen('types=refund.failed');
  await subscribe(admin.db);
  await placeEvents(admin.db);
  const end = await feedEnd(admin.db);
  expect(reader.text).not.toContain(`id: ${end}\n`);
  admin.clock.real += 15_000;
  await until(() => reader.text.includes(`: still here\nid: ${end}\n\n`));
});

test('the event stream ends when the API closes', async () => {
  const other = await admin.another();
  const on = await other.listen({ port: 0, host: '127.0.0.1' });
  const before = url;
  url = on;
  const reader = await listen();
  url = before;
  await other.close();
  await until(() => reader.ended);
});

/** More bytes than the buffers of a connection hold. */
const MUCH = Buffer.alloc(32 * 1024 * 1024, ':\n');

const sockets: Socket[] = [];
afterEach(() => sockets.splice(0).forEach((each) => each.destroy()));

/** Opens a stream whose client does not read. @returns the client's socket, and the response once it has started */
async function connectTo(
  on: FastifyInstance,
  key = admin.keys.viewer,
): Promise<{ socket: Socket; response: ServerResponse }> {
  const { port } = new URL(await on.listen({ port: 0, host: '127.0.0.1' }));
  const asked = once(on.server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  const socket = connect(Number(port), '127.0.0.1').pause();
  sockets.push(socket.on('error', () => undefined));
  socket.write(`GET /v1/stream HTTP/1.1\r\nHost: dueday\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  const [, response] = await asked;
  await until(() => response.headersSent);
  return { socket, response };
}

/** Sends the client more than its buffers hold, so that the stream has to wait for the client before it sends more. */
async function stall(response: ServerResponse): Promise<void> {
  response.write(MUCH);
  admin.clock.real += 15_000;
  await until(() => response.listenerCount('drain') > 0);
}

test('the event stream ends when the API closes, even for a client that has stopped reading', async () => {
  const other = await admin.another();
  const { response } = await connectTo(other);
  await stall(response);
  await other.close();
  expect(response.destroyed).toBe(true);
});

test('the event stream adds no listeners to the response of a slow client, however often it has waited for the client', async () => {
  const other = await admin.another();
  const { socket, response } = await connectTo(other);
  const before = response.listenerCount('close');
  for (let times = 0; times < 3; times += 1) {
    socket.pause();
    await stall(response);
    socket.resume();
    await until(() => response.listenerCount('drain') === 0);
  }
  expect(response.listenerCount('close')).toBe(before);
  await other.close();
});

test('the event stream ends with the revocation of its key, even for a client that has stopped reading', async () => {
  const other = await admin.another();
  const { key, keyId } = await newKey();
  const { response } = await connectTo(other, key);
  await stall(response);
  await admin.call('DELETE', `/v1/keys/${keyId}`);
  await until(() => response.destroyed);
  await other.close();
});

test('the event stream ends with the revocation of its key, even for a client that reads events one by one', async () => {
  const other = await admin.another();
  const { key, keyId } = await newKey();
  const { subscriptionId } = await subscribe(admin.db);
  const { response } = await connectTo(other, key);
  const write = jest.spyOn(response, 'write').mockReturnValue(false);
  const taking = setInterval(() => response.emit('drain'), 100);
  const events = 150;
  for (let cycle = 0; cycle < events; cycle += 1)
    await insertEvent(admin.db, { subscriptionId, at: NOW, actor: 'dueday', type: 'cycle.missed', data: { cycle } });
  await placeEvents(admin.db);
  await until(() => write.mock.calls.length > 0);
  await admin.call('DELETE', `/v1/keys/${keyId}`);
  await until(() => response.writableEnded || response.destroyed);
  clearInterval(taking);
  expect(write.mock.calls.length).toBeLessThan(events);
  await other.close();
});

test('the event stream disconnects a client that reads nothing for a minute', async () => {
  const other = await admin.another();
  const { response } = await connectTo(other);
  await stall(response);
  admin.clock.real += 60_000;
  await until(() => response.destroyed);
  await other.close();
});
