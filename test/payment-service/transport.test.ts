import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createHttpExchange } from '../../src/payment-service/http-exchange';
import { type Script, type ScriptedServer, startScriptedServer, json } from './scripted-server';
import { AMOUNT, type ClientUnderTest, createClient, failure, wire } from './client-under-test';

let server: ScriptedServer;
let client: ClientUnderTest;

/**
 * The time-out for what never ends. Half of it must suffice to open a connection on a busy machine, because nothing is sent later.
 */
const TIMEOUT = 1_200;

beforeEach(async () => {
  server = await startScriptedServer();
  client = createClient(server.url);
});

afterEach(async () => {
  await client.service.close();
  await server.close();
});

async function listen(onSocket: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
  const raw = createServer(onSocket);
  raw.listen(0, '127.0.0.1');
  await once(raw, 'listening');
  return { server: raw, port: (raw.address() as AddressInfo).port };
}

/** A client that gets its token from the scripted server, and whose calls go elsewhere. */
function calling(baseUrl: string, timeoutMs = 5_000): ClientUnderTest {
  return createClient(baseUrl, { tokenUrl: `${server.url}/oauth/token`, timeoutMs });
}

const HEAD = 'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n';

it.each([
  ['connection refused', 'http://127.0.0.1:1', 'not connected: ECONNREFUSED'],
  ['a name that does not resolve', 'http://nowhere.invalid', /^not connected: (ENOTFOUND|EAI_AGAIN)$/],
])('a request of which not one byte was written is not sent: %s (rule 17)', async (_name, baseUrl, reason) => {
  const elsewhere = calling(baseUrl);
  const expected = typeof reason === 'string' ? reason : expect.stringMatching(reason);
  expect(await elsewhere.service.initiate('pay-1', AMOUNT)).toEqual({ kind: 'not_sent', reason: expected });
  await elsewhere.service.close();
});

it('a request of which not one byte was written is not sent: TLS spoken to a server that has none', async () => {
  const plain = calling(`https://127.0.0.1:${server.port}`);
  const result = await plain.service.initiate('pay-1', AMOUNT);
  expect(result).toEqual({ kind: 'not_sent', reason: expect.stringMatching(/^not connected: (EPROTO|ERR_SSL_)/) });
  expect(server.calls).toHaveLength(0);
  await plain.service.close();
});

it('a request of which not one byte was written is not sent: a TLS handshake that hangs', async () => {
  const sockets: Socket[] = [];
  const silent = await listen((socket) => sockets.push(socket));
  const hanging = calling(`https://127.0.0.1:${silent.port}`, 300);
  const result = await hanging.service.initiate('pay-1', AMOUNT);
  expect(result.kind).toBe('not_sent');
  for (const socket of sockets) socket.destroy();
  silent.server.close();
  await hanging.service.close();
});

it('a request of which not one byte was written is not sent: waiting in the queue of a client whose connections are all busy', async () => {
  const results: string[] = [];
  server.answer(() => undefined);
  const slow = calling(server.url);
  const calls = Array.from({ length: 101 }, async () => {
    results.push((await slow.service.initiate('pay-1', AMOUNT)).kind);
  });
  await Promise.all(calls);
  expect(server.calls.filter((call) => call.method === 'POST')).toHaveLength(100);
  expect(results.filter((kind) => kind === 'unknown')).toHaveLength(100);
  expect(results.filter((kind) => kind === 'not_sent')).toHaveLength(1);
  await slow.service.close();
});

it.each([
  ['at half of it, the request is sent', 30_000, { kind: 'answered', status: 201 }],
  ['a millisecond later, it is not', 30_001, { kind: 'not_sent', reason: 'not connected in time' }],
])(
  'a request is sent only if its connection opens within half of its time-out: %s',
  async (_name, passedMs, expected) => {
    server.answer((_request, response) => json(response, 201, wire.authorization));
    const exchange = createHttpExchange({ timeoutMs: 60_000, maxResponseBytes: 10_000 });
    // The clock is stopped unless a test moves it, so that no test depends on how slow a connection is.
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    try {
      const sent = exchange.send({ operation: 'initiate', method: 'POST', origin: server.url, path: '/', headers: {} });
      now.mockReturnValue(passedMs);
      expect(await sent).toMatchObject(expected);
    } finally {
      now.mockRestore();
      await exchange.close();
    }
    expect(server.calls).toHaveLength(expected.kind === 'answered' ? 1 : 0);
  },
);

it('a request of which not one byte was written is not sent: a closed client', async () => {
  await client.service.close();
  expect((await client.service.initiate('pay-1', AMOUNT)).kind).toBe('not_sent');
});

it.each<[string, Script]>([
  ['dropped before the head', (_request, _response, socket) => socket.destroy()],
  ['reset before the head', (_request, _response, socket) => socket.resetAndDestroy()],
  ['dropped within the head', (_request, _response, socket) => socket.end('HTTP/1.1 201 Cre')],
  ['dropped after the head', (_request, _response, socket) => socket.end(`${HEAD}content-length: 50\r\n\r\n`)],
  ['dropped within the body', (_request, _response, socket) => socket.end(`${HEAD}content-length: 50\r\n\r\n{"pay`)],
  [
    'dropped within a chunked body',
    (_request, _response, socket) => socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\n5\r\n{"pay\r\n`),
  ],
  ['an answer that is not HTTP', (_request, _response, socket) => socket.end('220 smtp.example ESMTP\r\n')],
  [
    'an upgrade that was not requested',
    (_request, _response, socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
  ],
  ['a head of 100 kB', (_request, _response, socket) => socket.write(`${HEAD}x: ${'y'.repeat(100_000)}\r\n\r\n{}`)],
])('the outcome is unknown if a byte was sent and the answer is incomplete: %s', async (_name, script) => {
  server.answer(script);
  expect((await client.service.initiate('pay-1', AMOUNT)).kind).toBe('unknown');
  expect(server.calls).toHaveLength(1);
});

it.each<[string, Script]>([
  ['before the head', () => undefined],
  ['after the head', (_request, _response, socket) => socket.write(`${HEAD}content-length: 50\r\n\r\n`)],
])('the outcome is unknown if a byte was sent and the service hangs %s', async (_name, script) => {
  server.answer(script);
  const hasty = calling(server.url, TIMEOUT);
  expect((await hasty.service.initiate('pay-1', AMOUNT)).kind).toBe('unknown');
  expect(server.calls).toHaveLength(1);
  await hasty.service.close();
});

it('a request of which a byte may have left is never written a second time, neither for reads nor for money', async () => {
  server.answer((_request, response) => json(response, 200, wire.consent));
  await client.service.getConsent('pay-1');
  server.answer((_request, _response, socket) => socket.destroy());
  expect((await client.service.getConsent('pay-1')).kind).toBe('unknown');
  expect((await client.service.initiate('pay-1', AMOUNT)).kind).toBe('unknown');
  expect(server.calls.map((call) => call.method)).toEqual(['GET', 'GET', 'POST']);
});

it('informational heads before the answer are passed over', async () => {
  const body = JSON.stringify(wire.authorization);
  server.answer((_request, _response, socket) => {
    socket.end(`HTTP/1.1 103 Early Hints\r\n\r\n${HEAD}content-length: ${body.length}\r\n\r\n${body}`);
  });
  expect((await client.service.initiate('pay-1', AMOUNT)).kind).toBe('accepted');
});

it('a response head with 401, 403 or 429 means not sent even if the body breaks off', async () => {
  for (const status of [401, 403, 429]) {
    server.answer((_request, _response, socket) =>
      socket.end(`HTTP/1.1 ${status} No\r\nretry-after: 4\r\ncontent-length: 50\r\n\r\n{"re`),
    );
    expect(await client.service.initiate('pay-1', AMOUNT)).toMatchObject({ kind: 'not_sent', retryAfterMs: 4_000 });
  }
});

it.each([301, 302, 303, 307, 308])('a redirect by %d is not followed, and the token goes nowhere', async (status) => {
  const thief = await startScriptedServer();
  server.answer((_request, response) => response.writeHead(status, { location: `${thief.url}/x` }).end());
  expect((await client.service.initiate('pay-1', AMOUNT)).kind).toBe('unknown');
  expect((await client.service.getConsent('pay-1')).kind).toBe('unknown');
  expect(thief.calls).toHaveLength(0);
  await thief.close();
});

describe('beforeSend', () => {
  beforeEach(() => server.answer((_request, response) => json(response, 201, wire.authorization)));

  it('the last check before sending runs once there is a token, and nothing is sent if it fails', async () => {
    let seen = { tokens: 0, connections: 0 };
    const result = await client.service.initiate('pay-1', AMOUNT, {
      beforeSend: () => {
        seen = { tokens: server.tokenCalls.length, connections: server.connections() };
        return false;
      },
    });
    expect(result).toEqual({ kind: 'not_sent', reason: 'fenced' });
    expect(seen.tokens).toBe(1);
    expect(server.calls).toHaveLength(0);
  });

  it('the request is sent if the last check before sending passes, and the check runs once', async () => {
    const beforeSend = jest.fn(() => true);
    expect((await client.service.initiate('pay-1', AMOUNT, { beforeSend })).kind).toBe('accepted');
    expect(beforeSend).toHaveBeenCalledTimes(1);
  });

  it('the last check before sending runs again before the repetition after a 401', async () => {
    server.answer((_request, response) => json(response, 401, failure('UNAUTHENTICATED')));
    const beforeSend = jest.fn().mockReturnValueOnce(true).mockReturnValueOnce(false);
    const result = await client.service.initiate('pay-1', AMOUNT, { beforeSend });
    expect(result).toEqual({ kind: 'not_sent', reason: 'fenced' });
    expect(server.calls).toHaveLength(1);
  });

  it('the last check before sending does not run if no connection could be opened', async () => {
    const nowhere = calling('http://127.0.0.1:1');
    const beforeSend = jest.fn(() => true);
    expect((await nowhere.service.initiate('pay-1', AMOUNT, { beforeSend })).kind).toBe('not_sent');
    expect(beforeSend).not.toHaveBeenCalled();
    await nowhere.service.close();
  });

  it('if the last check before sending throws, the call throws and nothing is sent', async () => {
    const fault = new Error('the fence itself is broken');
    const beforeSend = (): boolean => {
      throw fault;
    };
    await expect(client.service.initiate('pay-1', AMOUNT, { beforeSend })).rejects.toBe(fault);
    expect(server.calls).toHaveLength(0);
  });

  it.each(['capture', 'refund', 'release', 'cancelConsent'] as const)(
    'the last check before sending also stops a %s: nothing is sent',
    async (operation) => {
      const { service } = client;
      const fenced = { beforeSend: () => false };
      const result = await {
        capture: () => service.capture('pay-1', { amount: AMOUNT }, fenced),
        refund: () => service.refund('pay-1', { amount: AMOUNT }, fenced),
        release: () => service.release('pay-1', 'auth-1', fenced),
        cancelConsent: () => service.cancelConsent('pay-1', fenced),
      }[operation]();
      expect(result).toEqual({ kind: 'not_sent', reason: 'fenced' });
      expect(server.calls).toHaveLength(0);
    },
  );
});

/** All but `setTimeout`. */
const REAL_TIMERS = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
] as const;

it('connections are used again, by reads and money alike, until one has been idle for half a second', async () => {
  // Only the timers of connections are faked, so that the time between two requests on a busy machine has no effect.
  jest.useFakeTimers({ doNotFake: [...REAL_TIMERS] });
  const exchange = createHttpExchange({ timeoutMs: 5_000, maxResponseBytes: 10_000 });
  try {
    server.answer((_request, response) => json(response, 200, {}));
    const sendAfter = async (ms: number, method: 'GET' | 'POST' | 'DELETE') => {
      jest.advanceTimersByTime(ms);
      await exchange.send({ operation: 'any', method, origin: server.url, path: '/', headers: {} });
      // The connection is idle a moment after the answer.
      for (let turns = 0; turns < 5; turns += 1) await new Promise((done) => setImmediate(done));
      return server.connections();
    };
    expect(await sendAfter(0, 'GET')).toBe(1);
    expect(await sendAfter(0, 'POST')).toBe(1);
    expect(await sendAfter(499, 'POST')).toBe(1);
    expect(await sendAfter(499, 'DELETE')).toBe(1);
    expect(await sendAfter(500, 'POST')).toBe(2);
  } finally {
    await exchange.close();
    jest.useRealTimers();
  }
});

it('a POST whose connection the service closes on its arrival has an unknown outcome, and arrives once', async () => {
  const arrived: string[] = [];
  const raw = await listen((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      arrived.push(data.toString().split(' ')[0] ?? '');
      if (arrived.length === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      else socket.resetAndDestroy();
    });
  });
  const exchange = createHttpExchange({ timeoutMs: 5_000, maxResponseBytes: 10_000 });
  const request = { operation: 'any', origin: `http://127.0.0.1:${raw.port}`, path: '/', headers: {} };
  expect(await exchange.send({ ...request, method: 'GET' })).toMatchObject({ kind: 'answered' });
  expect(await exchange.send({ ...request, method: 'POST' })).toMatchObject({ kind: 'broken' });
  expect(arrived).toEqual(['GET', 'POST']);
  await exchange.close();
  raw.server.close();
});

it('a POST never arrives twice, at whatever moment the service closes the idle connection', async () => {
  const arrived: string[] = [];
  const raw = await listen((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      arrived.push(/^POST (\S+)/.exec(data.toString())?.[1] ?? '');
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      // The connection is closed at once, in the same turn of the event loop, or up to 2 ms later, as the next POST arrives.
      const [ends, after] = [arrived.length % 4, arrived.length % 3];
      if (ends === 0) setTimeout(() => socket.end(), after);
      if (ends === 1) setTimeout(() => socket.resetAndDestroy(), after);
      if (ends === 2) setImmediate(() => socket.end());
    });
  });
  const exchange = createHttpExchange({ timeoutMs: 5_000, maxResponseBytes: 10_000 });
  const origin = `http://127.0.0.1:${raw.port}`;
  const kinds: string[] = [];
  for (let n = 0; n < 300; n += 1) {
    kinds.push((await exchange.send({ operation: 'any', method: 'POST', origin, path: `/${n}`, headers: {} })).kind);
  }
  expect(new Set(arrived).size).toBe(arrived.length);
  const answered = kinds.flatMap((kind, n) => (kind === 'answered' ? [`/${n}`] : []));
  expect(answered.length).toBeGreaterThan(100);
  expect(arrived).toEqual(expect.arrayContaining(answered));
  await exchange.close();
  raw.server.close();
});

it("closing the client's connections waits for the call in flight", async () => {
  server.answer((_request, response) => void setTimeout(() => json(response, 201, wire.authorization), 100));
  const call = client.service.initiate('pay-1', AMOUNT);
  while (server.calls.length === 0) await new Promise((done) => setImmediate(done));
  await client.service.close();
  expect((await call).kind).toBe('accepted');
});
