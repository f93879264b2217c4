import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClock } from '../../src/platform/clock';
import { createOperatedWorld, inLines, Merchant, playRows, ROWS } from '../../src/conformance';
import { CREDENTIALS } from './service-under-test';

/** Gives every request the same answer, except that it issues tokens. */
let server: Server;
let url: string;
let answer: { readonly status: number; readonly body: string };
beforeAll(async () => {
  server = createServer((request, response) => {
    const isToken = request.url === '/oauth/token';
    request.resume().on('end', () => {
      response.writeHead(isToken ? 200 : answer.status, { 'content-type': 'application/json' });
      response.end(isToken ? '{"access_token": "t", "token_type": "Bearer", "expires_in": 300}' : answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const record = {
  paymentId: 'pay-1',
  redirectURL: 'nowhere',
  authorizationId: 7,
  captureId: null,
  status: { result: 'successful' },
};

it.each([
  ['nothing', 200, ''],
  ['a page', 200, '<html>'],
  ['null', 200, 'null'],
  ['a list', 200, '[1, null, {"status": 4}]'],
  ['records without what they need', 201, JSON.stringify({ ...record, items: [null, {}, record] })],
  [
    'records with invalid times',
    201,
    JSON.stringify({ ...record, items: [{ ...record, authorizationId: 'a', createdAt: 'soon' }] }),
  ],
  ['a failure without words', 400, '{"result": "FAILED"}'],
  ['503', 503, 'down'],
  ['429', 429, ''],
  ['401', 401, ''],
])('every row ends in a verdict even if the service answers everything with %s', async (_what, status, body) => {
  answer = { status, body };
  const service = { baseUrl: url, tokenUrl: `${url}/oauth/token`, timeoutMs: 5000 };
  const world = createOperatedWorld(
    { clock: createClock(null), skew: 0, timeout: 0, travel: 0, terms: {}, ask: async () => true },
    new Merchant(service, CREDENTIALS),
  );
  const findings = await playRows({ ...world, lanes: 8 }, ROWS);
  expect(findings).toHaveLength(ROWS.length);
  expect(findings.flatMap(inLines).length).toBeGreaterThan(ROWS.length);
  const holding = findings.filter(({ verdict, row }) => verdict === 'holds' && !/token/.test(row.id));
  // Only the rows about queries may hold, because they check nothing but the form of such an answer.
  expect(holding.map(({ row }) => row.id).filter((id) => !id.startsWith('queries/'))).toEqual([]);
});
