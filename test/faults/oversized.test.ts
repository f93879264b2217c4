import { gzipSync } from 'node:zlib';
import { AMOUNT, type ClientUnderTest, createClient, failure } from '../payment-service/client-under-test';
import { type ScriptedServer, startScriptedServer } from '../payment-service/scripted-server';

let server: ScriptedServer;
let client: ClientUnderTest;

/** Half of this must be enough to open a connection on a busy machine: after half of the time-out nothing is sent. */
const TIMEOUT = 3_000;

beforeEach(async () => {
  server = await startScriptedServer();
  client = createClient(server.url, { timeoutMs: TIMEOUT });
});

afterEach(async () => {
  await client.service.close();
  await server.close();
});

const HEAD = 'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n';

const whole = { ...failure('NOT_FOUND', ''), pad: '' };
const ofSize = (bytes: number) => JSON.stringify({ ...whole, pad: 'x'.repeat(bytes - JSON.stringify(whole).length) });

it('fault 13: an answer one byte over the limit is unknown, and one at the limit is read', async () => {
  const capped = createClient(server.url, { maxResponseBytes: 2_000 });
  for (const chunked of [true, false]) {
    const answering = (bytes: number): void =>
      server.answer((_request, response) => {
        if (!chunked) response.setHeader('content-length', bytes);
        response.statusCode = 404;
        response.write(ofSize(bytes).slice(0, 100));
        response.end(ofSize(bytes).slice(100));
      });
    answering(2_000);
    expect((await capped.service.initiate('pay-1', AMOUNT)).kind).toBe('rejected');
    answering(2_001);
    expect(await capped.service.initiate('pay-1', AMOUNT)).toEqual({
      kind: 'unknown',
      reason: 'the answer is larger than 2000 bytes',
    });
  }
  await capped.service.close();
});

it('fault 13: an answer of 100 MB is cut off after the first megabyte, and memory does not grow', async () => {
  const slow = createClient(server.url, { timeoutMs: 20_000 });
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  let written = 0;
  server.answer((_request, response, socket) => {
    response.writeHead(201);
    const pump = (): void => {
      while (written < 100 && !socket.destroyed) {
        written += 1;
        if (!response.write(megabyte)) return void response.once('drain', pump);
      }
    };
    pump();
  });
  const before = process.memoryUsage().rss;
  const result = await slow.service.initiate('pay-1', AMOUNT);
  expect(result).toEqual({ kind: 'unknown', reason: 'the answer is larger than 1048576 bytes' });
  expect(written).toBeLessThan(50);
  expect(process.memoryUsage().rss - before).toBeLessThan(40 * 1024 * 1024);
  await slow.service.close();
});

it('fault 13: a gzip bomb is never unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '));
  expect(bomb.length).toBeLessThan(1024 * 1024);
  server.answer((_request, response) => response.writeHead(201, { 'content-encoding': 'gzip' }).end(bomb));
  const before = process.memoryUsage().rss;
  expect((await client.service.initiate('pay-1', AMOUNT)).kind).toBe('unknown');
  expect(process.memoryUsage().rss - before).toBeLessThan(40 * 1024 * 1024);
});

it('fault 13: an answer that comes one byte at a time ends with the time-out of the whole request', async () => {
  server.answer((_request, _response, socket) => {
    const text = `${HEAD}content-length: 5000\r\n\r\n`;
    let sent = 0;
    const drip = setInterval(() => socket.write(text[sent++] ?? 'x'), 20);
    socket.on('close', () => clearInterval(drip)).on('error', () => undefined);
  });
  const started = performance.now();
  expect(await client.service.initiate('pay-1', AMOUNT)).toEqual({
    kind: 'unknown',
    reason: `no complete answer within ${TIMEOUT} ms`,
  });
  expect(performance.now() - started).toBeLessThan(20 * TIMEOUT);
});
