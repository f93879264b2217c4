import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createObserver } from '../../src/admin';
import { BODY_LIMIT } from '../../src/admin/http/json/body';
import { type AdminUnderTest, startAdmin } from './admin-under-test';

let admin: AdminUnderTest;
let hasty: FastifyInstance;
let observer: FastifyInstance;
/** The log of the observer, as JSON lines. */
const logged: string[] = [];
beforeAll(async () => {
  admin = await startAdmin();
  await admin.app.listen({ host: '127.0.0.1', port: 0 });
  hasty = await admin.another({ limits: { headersTimeoutMs: 1_000, bodyTimeoutMs: 300 } });
  await hasty.listen({ host: '127.0.0.1', port: 0 });
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  observer = createObserver({ db: admin.db, probes: [], metrics: async () => '', logger });
  await observer.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await observer.close();
  await hasty.close();
  await admin.stop();
});

/** Sends the parts on a new connection. @returns everything that the server sends until it closes the connection */
async function converse(on: FastifyInstance, ...parts: readonly string[]): Promise<string> {
  const socket = await open(on);
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  for (const part of parts) socket.write(part);
  await once(socket, 'close');
  return received;
}

async function open(on: FastifyInstance): Promise<Socket> {
  const socket = connect((on.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const head = (path: string, type: string, length: number) =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: dueday',
    `Authorization: Bearer ${admin.keys.admin}`,
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
    '\r\n',
  ].join('\r\n');

/** Expects a problem response like any other, although the server has not received a complete request. */
function expectProblem(received: string, status: number, code: string): void {
  const [top = '', body = ''] = received.split('\r\n\r\n');
  const lines = top.split('\r\n');
  expect(lines[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(lines).toEqual(
    expect.arrayContaining([
      'content-type: application/problem+json',
      `content-length: ${body.length}`,
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      'connection: close',
    ]),
  );
  const requestId = lines.find((line) => line.startsWith('x-request-id: '))?.slice('x-request-id: '.length);
  expect(requestId).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
  expect(JSON.parse(body)).toMatchObject({ type: `urn:dueday:problem:${code}`, status, code, requestId });
}

test('a request whose headers do not arrive in time is answered with 408', async () => {
  const received = await converse(hasty, 'POST /v1/keys HTTP/1.1\r\nHost: dueday\r\n');
  expectProblem(received, 408, 'request_timeout');
});

describe.each([
  ['the API', () => admin.app],
  ['an observer', () => observer],
])('%s', (_whose, on) => {
  test.each([
    ['text that is not HTTP', 'nonsense\r\n\r\n', 400, 'invalid_request'],
    ['a header without a colon', 'GET /healthz HTTP/1.1\r\nHost dueday\r\n\r\n', 400, 'invalid_request'],
    [
      'headers beyond the limit',
      `GET /healthz HTTP/1.1\r\nHost: dueday\r\nX-Filler: ${'x'.repeat(17_000)}\r\n\r\n`,
      413,
      'payload_too_large',
    ],
  ])(
    'a connection that sends %s is answered with a problem response and closed',
    async (_what, bytes, status, code) => {
      expectProblem(await converse(on(), bytes), status, code);
    },
  );

  test('a client that resets its connection does not affect other connections', async () => {
    const socket = await open(on());
    socket.write('GET /healthz HTTP/1.1\r\nHost: due');
    socket.resetAndDestroy();
    const received = await converse(on(), 'GET /healthz HTTP/1.1\r\nHost: dueday\r\nConnection: close\r\n\r\n');
    expect(received).toContain('HTTP/1.1 200');
  });
});

test('the log says, with the id of the response, why bytes were refused that are not HTTP', async () => {
  const received = await converse(observer, 'nonsense\r\n\r\n');
  const [, reqId] = /x-request-id: (\S+)/.exec(received) ?? [];
  const lines = logged.map((line) => JSON.parse(line) as unknown);
  expect(lines).toContainEqual(expect.objectContaining({ reqId, code: 'HPE_INVALID_METHOD', status: 400 }));
});

test('a request whose JSON body does not arrive in time is answered with 408, and its connection is closed', async () => {
  const received = await converse(hasty, head('/v1/subscriptions', 'application/json', 100), '{"amount":');
  expect(received).toContain('HTTP/1.1 408');
  expect(received).toContain('"code":"request_timeout"');
});

test('a body that is too large is answered with 413, which even a client receives that reads only after it has sent the whole body', async () => {
  const socket = await open(admin.app);
  const errors: Error[] = [];
  let received = '';
  socket
    .on('error', (error) => errors.push(error))
    .setEncoding('utf8')
    .on('data', (text: string) => (received += text));
  const half = 'x'.repeat(2 * BODY_LIMIT);
  socket.write(head('/v1/subscriptions', 'application/json', 2 * half.length) + half);
  await pause(200);
  expect(received).toBe('');
  socket.write(half);
  await once(socket, 'close');
  expect(received).toContain('HTTP/1.1 413');
  expect(received).toContain('"code":"payload_too_large"');
  expect(errors).toEqual([]);
});

test('a body whose declared length is too large is answered with 413 before it arrives', async () => {
  const received = await converse(admin.app, head('/v1/subscriptions', 'application/json', BODY_LIMIT + 1), '{');
  expect(received).toContain('HTTP/1.1 413');
});

test('an import whose lines do not arrive in time is cut off', async () => {
  const started = head('/v1/subscriptions/import', 'application/x-ndjson', 100);
  const received = await converse(hasty, started, '{"subscriptionId"');
  expect(received).not.toContain('"line":1');
});

test('a request with both Content-Length and Transfer-Encoding is refused, because a proxy might use the other one', async () => {
  const lengths = 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n';
  const received = await converse(
    admin.app,
    `POST /v1/keys HTTP/1.1\r\nHost: dueday\r\n${lengths}\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n`,
  );
  expectProblem(received, 400, 'invalid_request');
  expect(received).not.toContain('"status":"ok"');
});

test('TRACE, which would show headers that a proxy has added, is answered with 405', async () => {
  const received = await converse(admin.app, 'TRACE /v1/keys HTTP/1.1\r\nHost: dueday\r\nConnection: close\r\n\r\n');
  expect(received).toMatch(/^HTTP\/1.1 405/);
});

test('connections beyond the limit are closed at once, and those within it are served', async () => {
  const on = await admin.another({ limits: { connections: 3 } });
  await on.listen({ host: '127.0.0.1', port: 0 });
  const kept = [await open(on), await open(on), await open(on)];
  const further = await open(on);
  await once(further, 'close');
  const [first] = kept;
  first?.write('GET /healthz HTTP/1.1\r\nHost: dueday\r\n\r\n');
  const [answer] = (await once(first as Socket, 'data')) as [Buffer];
  expect(answer.toString()).toContain('HTTP/1.1 200');
  for (const socket of kept) socket.destroy();
  await on.close();
});

test('no response of the API may be cached, not even for an unknown route', async () => {
  const urls = ['/v1/subscriptions', '/v1/nothing', '/healthz', '/v1/%ZZ', `/v1/subscriptions/${'x'.repeat(2_000)}`];
  for (const url of urls) {
    const { headers } = await admin.call('GET', url);
    expect([url, headers['cache-control'], headers['x-content-type-options']]).toEqual([url, 'no-store', 'nosniff']);
  }
});

test('a body with hundreds of unknown fields is answered with at most a hundred errors', async () => {
  const body = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`unknown_${n}`, 1]));
  const answer = await admin.call('POST', '/v1/subscriptions', { body });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().errors).toHaveLength(100);
  expect(answer.json().detail).toMatch(/^Invalid: .* and 95 more$/);
  expect(answer.body.length).toBeLessThan(20_000);
});

test('an error shows only part of a very long field name', async () => {
  const answer = await admin.call('POST', '/v1/subscriptions', { body: { ['x'.repeat(900_000)]: 1 } });
  expect(answer.statusCode).toBe(400);
  expect(answer.body.length).toBeLessThan(5_000);
});
