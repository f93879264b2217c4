/**
 * A payment service that answers immediately, for both sides of a comparison: `service.ts <clock setting as JSON>`. It
 * enforces no rules, because only its callers are measured. Two words in a paymentId change what it does: with `slow-<ms>` a
 * debit is booked after that time, and with `refused-once` the first authorization of each cycle is refused retryably. After
 * `GET /bench/cap?perSecond=` it answers 429 to requests in excess of that number in any one second. Prints its port.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClockSetting, toBusiness, toIso } from '../../src/domain/time';

interface Authorization {
  readonly id: string;
  readonly cents: number;
  readonly createdAt: string;
  /** Real time, epoch ms. */
  readonly madeAt: number;
}

/** One payment in the answer of `GET /bench/payments`, with the real time of each of its debits, epoch ms. */
export interface Debited {
  readonly paymentId: string;
  readonly debitedAt: readonly number[];
}

const setting = JSON.parse(process.argv[2] ?? 'null') as ClockSetting | null;
const payments = new Map<string, Authorization[]>();
const refused = new Set<string>();
const cancelled = new Set<string>();
let made = 0;
let cap = { perSecond: Infinity, taken: [] as number[], refused: 0 };

function authorizationsOf(paymentId: string): Authorization[] {
  const known = payments.get(paymentId);
  if (known !== undefined) return known;
  const none: Authorization[] = [];
  payments.set(paymentId, none);
  return none;
}

function delayOf(paymentId: string): number {
  return Number(/slow-(\d+)/.exec(paymentId)?.[1] ?? 0);
}

function stateAfter(madeAt: number, ms: number): { readonly result: string } {
  return { result: Date.now() - madeAt >= ms ? 'successful' : 'pending' };
}

function authorizationView(paymentId: string, { id, cents, createdAt, madeAt }: Authorization) {
  const amount = { value: cents, currency: 'EUR' };
  const status = stateAfter(madeAt, delayOf(paymentId) / 2);
  return { paymentId, authorizationId: id, amount, createdAt, status };
}

function captureView(paymentId: string, authorization: Authorization) {
  const { id, cents, createdAt, madeAt } = authorization;
  const status = stateAfter(madeAt, delayOf(paymentId));
  return {
    paymentId,
    captureId: `cap-${id}`,
    authorizationId: id,
    createdAt,
    status,
    amount: { value: cents, currency: 'EUR' },
  };
}

function initiate(paymentId: string, cents: number): [number, unknown] {
  const all = authorizationsOf(paymentId);
  if (paymentId.includes('refused-once') && !refused.delete(paymentId)) {
    refused.add(paymentId);
    return [422, { result: 'FAILED', detail: 'AUTHORIZATION_REJECTION_RETRYABLE', description: 'not now' }];
  }
  made += 1;
  const madeAt = Date.now();
  const authorization = { id: `aut-${made}`, cents, createdAt: toIso(toBusiness(setting, madeAt)), madeAt };
  all.push(authorization);
  return [201, { ...authorizationView(paymentId, authorization), status: { result: 'pending' } }];
}

interface Body {
  readonly amount?: { readonly value: number };
}

function answer(method: string, url: URL, body: Body): [number, unknown] {
  const [one = '', two = ''] = url.pathname.slice(1).split('/');
  const paymentId = url.searchParams.get('paymentId') ?? one;
  if (two === 'token') return [200, { access_token: 'bench-token', token_type: 'Bearer', expires_in: 300 }];
  if (one === 'payments') return [201, openPayment()];
  if (two === 'consents') {
    if (method === 'DELETE') cancelled.add(paymentId);
    return [200, { paymentId, status: { result: cancelled.has(paymentId) ? 'cancelled' : 'successful' } }];
  }
  if (two === 'authorizations') return initiate(paymentId, body.amount?.value ?? 0);
  if (one === 'authorizations') {
    return [200, { items: authorizationsOf(paymentId).map((each) => authorizationView(paymentId, each)) }];
  }
  if (one === 'captures') {
    const booked = authorizationsOf(paymentId).filter(({ id }) => id === url.searchParams.get('authorizationId'));
    const items = booked.map((each) => captureView(paymentId, each));
    return [200, { items }];
  }
  if (one === 'bench') {
    return [200, two === 'cap' ? recap(url.searchParams) : debited(url.searchParams.get('prefix') ?? '')];
  }
  return [404, {}];
}

function openPayment() {
  made += 1;
  const paymentId = `pay-${made}`;
  return { paymentId, redirectURL: `http://127.0.0.1/payer/${paymentId}`, status: { result: 'pending' } };
}

/** Sets the cap. @returns how many requests were refused since it was last set */
function recap(asked: URLSearchParams): { readonly refused: number } {
  const { refused: before } = cap;
  cap = { perSecond: Number(asked.get('perSecond') ?? Infinity), taken: [], refused: 0 };
  return { refused: before };
}

/** Whether the request exceeds the cap; counts it. */
function isTooMany(path: string): boolean {
  if (cap.perSecond === Infinity || path.startsWith('/bench/')) return false;
  const now = performance.now();
  while (now - (cap.taken[0] ?? now) >= 1000) cap.taken.shift();
  const isOver = cap.taken.length >= cap.perSecond;
  if (isOver) cap.refused += 1;
  else cap.taken.push(now);
  return isOver;
}

function debited(prefix: string): Debited[] {
  return [...payments]
    .filter(([paymentId]) => paymentId.startsWith(prefix))
    .map(([paymentId, all]) => ({ paymentId, debitedAt: all.map(({ madeAt }) => madeAt) }));
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const url = new URL(request.url ?? '/', 'http://service');
  if (isTooMany(url.pathname)) {
    response.writeHead(429, { 'retry-after': '1', 'content-length': 0 }).end();
    return;
  }
  const isJson = request.headers['content-type'] === 'application/json';
  const [status, body] = answer(request.method ?? 'GET', url, isJson && text !== '' ? (JSON.parse(text) as Body) : {});
  const json = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) });
  response.end(json);
}

const server = createServer((request, response) => void serve(request, response));
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
process.once('disconnect', () => process.exit(0));
