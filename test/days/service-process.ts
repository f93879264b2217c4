/**
 * The payment service of `npm run days`, in a process of its own: `service-process.ts <last one-time payment>`. It has for
 * each payment what the rows of the ledger say, except for the last one-time payment, which it has booked with a cent less; it
 * takes 20 ms for each answer, and reports ten times a second what it was asked.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AMOUNT, BOOKED_AT } from './rows';
import type { Asked } from './service';

/** Real ms. */
const ANSWERS_IN = 20;
const TOLD_EVERY = 100;

const [planted = ''] = process.argv.slice(2);
const [consents, compared] = [new Map<string, number>(), new Map<string, number>()];
let [atOnce, mostAtOnce, writes] = [0, 0, 0];

function count(calls: Map<string, number>, paymentId: string): void {
  calls.set(paymentId, (calls.get(paymentId) ?? 0) + 1);
}

/** The record of a payment such as `day-s-7`, with the ids `aut-s-7` and `cap-s-7`. */
function recordOf(paymentId: string, amount: number) {
  const name = paymentId.slice('day-'.length);
  const common = { paymentId, authorizationId: `aut-${name}`, createdAt: new Date(BOOKED_AT).toISOString() };
  const status = { result: 'successful' };
  return { ...common, captureId: `cap-${name}`, amount: { value: amount, currency: 'EUR' }, status };
}

function answer(method: string, url: URL): unknown {
  if (url.pathname === '/oauth/token')
    return { access_token: 'token-of-the-days', token_type: 'Bearer', expires_in: 300 };
  if (method !== 'GET') {
    writes += 1;
    return null;
  }
  const [, first = '', second] = url.pathname.split('/');
  if (second === 'refunds') return { items: [] };
  if (second === 'consents') {
    count(consents, first);
    return { paymentId: first, status: { result: 'successful' } };
  }
  const asked = url.searchParams.get('paymentId') ?? '';
  if (first === 'authorizations') count(compared, asked);
  const isShort = first === 'captures' && asked === planted;
  return { items: [recordOf(asked, isShort ? AMOUNT - 1 : AMOUNT)] };
}

const sum = (calls: Map<string, number>) => [...calls.values()].reduce((all, each) => all + each, 0);

const server = createServer((request, response) => {
  atOnce += 1;
  mostAtOnce = Math.max(mostAtOnce, atOnce);
  const url = new URL(request.url ?? '/', 'http://service');
  request.resume();
  setTimeout(() => {
    atOnce -= 1;
    const body = answer(request.method ?? 'GET', url);
    response.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }, ANSWERS_IN);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
setInterval(() => {
  const asked: Asked = {
    consents: consents.size,
    consentCalls: sum(consents),
    payments: compared.size,
    paymentCalls: sum(compared),
    mostAtOnce,
    writes,
  };
  process.send?.(asked);
}, TOLD_EVERY);
process.once('disconnect', () => process.exit(0));
