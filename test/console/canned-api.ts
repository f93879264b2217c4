import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { components } from '../../src/client/api';
import { DAY, HOUR, toIso } from '../../src/domain/time';
import { item } from './items';
import { attempt, cycle, euros, subscription } from './lives';
import { sessionOf } from './people';

type Schemas = components['schemas'];

/** Monday, 2 December 2030, 09:00 UTC. */
export const MONDAY = Date.parse('2030-12-02T09:00:00.000Z');

/** The API's responses, by path: text is CSV. A function is called with the body of the request and its Accept header. */
export interface Answers {
  readonly [path: string]: unknown;
}

/** An installation with this number of subscriptions, on a Monday with many refusals. */
export function mondayOf(subscriptions: number): Answers {
  const deadlines = Array.from({ length: Math.ceil(subscriptions / 2) }, (_, index) => deadline(index));
  const attention = Array.from({ length: Math.ceil(subscriptions / 8) }, (_, index) => undeliverable(index));
  const items = [unresolved(), ...attention];
  const list = Array.from({ length: subscriptions }, (_, index) => listed(index));
  return {
    '/v1/session': {
      ...sessionOf('ada'),
      clock: { now: toIso(MONDAY), speed: 1, isTest: true },
    },
    '/v1/reports/today': today(items.length, deadlines),
    '/v1/reports/deadlines': { items: deadlines.slice(0, 200), nextCursor: deadlines.length > 200 ? 'more' : null },
    '/v1/reports/collections': collections(subscriptions),
    '/v1/reports/forecast': forecast(subscriptions),
    '/v1/attention': { items, nextCursor: null },
    '/v1/subscriptions': { items: list.slice(0, 100), nextCursor: null },
    '/v1/payments': { items: [], nextCursor: null },
    '/v1/approvals': { items: [], nextCursor: null },
    '/v1/reports/subscriptions': { count: subscriptions, amount: euros(subscriptions * 4_900), isWhole: true },
    '/v1/jobs': { items: [], nextCursor: null },
    '/v1/subscriptions/sub_0': listed(0),
    '/v1/subscriptions/sub_0/cycles': { items: [refusedCycle(), collectedCycle()], nextCursor: null },
    '/v1/subscriptions/sub_0/schedule': { items: [] },
    '/v1/subscriptions/sub_0/events': { items: [entry()], nextCursor: null },
    '/v1/notices': { items: [], nextCursor: null },
    '/v1/audit': { items: [], nextCursor: null },
  };
}

const NAMES = ['Marta Lindqvist', 'Jonas Weber', 'Aïcha Benali', 'Fitnessstudio Nord GmbH', 'Pieter de Vries'];
const STANDINGS = ['dunning', 'past_due', 'good', 'needs_attention', 'good'] as const;

export const nameAt = (index: number) => `${NAMES[index % NAMES.length] ?? ''} ${index}`;
const payerAt = (index: number) => ({ name: nameAt(index), email: `payer-${index}@shop.example` });
const centsAt = (index: number) => [12_000, 4_900, 1_999, 29_900, 750][index % 5] ?? 0;

function listed(index: number): Schemas['Subscription'] {
  return subscription({
    subscriptionId: `sub_${index}`,
    paymentId: `pay_${index}`,
    standing: STANDINGS[index % STANDINGS.length] ?? 'good',
    status: index % 7 === 6 ? 'paused' : 'active',
    repetition: 'MONTHLY',
    amount: euros(centsAt(index)),
    consentAmount: euros(centsAt(index)),
    nextDueAt: toIso(MONDAY + (index % 30) * DAY),
    payer: payerAt(index),
  });
}

function deadline(index: number): Schemas['Deadline'] {
  const hoursLeft = 2 + index * 3;
  const end = toIso(MONDAY + hoursLeft * HOUR);
  const blockers: readonly Schemas['Deadline']['blockedBy'][] = [
    [],
    ['notice_undeliverable'],
    [],
    ['outcome_unresolved'],
    [],
  ];
  return {
    subscriptionId: `sub_${index}`,
    cycle: 3,
    status: index % 5 === 3 ? 'unresolved' : 'dunning',
    amount: euros(centsAt(index)),
    dueAt: toIso(MONDAY - DAY),
    deadline: end,
    hoursLeft,
    collectBy: end,
    collectHoursLeft: hoursLeft,
    nextAttemptAt: toIso(MONDAY + HOUR),
    retriesLeft: 2,
    attempts: 1 + (index % 3),
    payer: payerAt(index),
    lastRefusal: 'there was not enough money in the account',
    atRisk: euros(centsAt(index)),
    blockedBy: blockers[index % 5] ?? [],
  };
}

const sum = (deadlines: readonly Schemas['Deadline'][]) => ({
  count: deadlines.length,
  amount: euros(deadlines.reduce((total, { atRisk }) => total + atRisk.value, 0)),
});

function today(items: number, deadlines: readonly Schemas['Deadline'][]): Schemas['TodayReport'] {
  return {
    day: '2030-12-02',
    timeZone: 'UTC',
    needsAttention: { count: items, amount: euros(items * 4_900) },
    atRisk: sum(deadlines.filter(({ hoursLeft }) => hoursLeft < 24)),
    inRetry: sum(deadlines.filter(({ status }) => status === 'dunning')),
    pastDue: { count: 7, amount: euros(84_400) },
    pastDueInAttention: { count: 0, amount: euros(0) },
    refusedToday: { count: 3, amount: euros(18_899) },
    collectedToday: { count: 41, amount: euros(312_050) },
    dueToday: { count: 60, amount: euros(455_900) },
    successRate: { last7Days: 0.914, previous7Days: 0.947 },
    halted: null,
  };
}

const figure = (count: number) => ({ count, amount: euros(count * 4_900) });
const dayAt = (offset: number) => toIso(MONDAY + offset * DAY).slice(0, 'YYYY-MM-DD'.length);

function collections(subscriptions: number): Schemas['CollectionsReport'] {
  const items = Array.from({ length: 15 }, (_, index) => {
    const due = Math.ceil((subscriptions * (3 + ((index * 7) % 5))) / 10);
    const [failed, open] = [Math.floor(due / 12), index > 10 ? Math.floor(due / 6) : 0];
    return { day: dayAt(index - 14), ...dayOf(due, failed, open) };
  });
  return { from: dayAt(-14), to: dayAt(1), items, total: dayOf(60, 7, 12), nextCursor: null };
}

function dayOf(due: number, failed: number, open: number) {
  return {
    due: figure(due),
    collected: figure(due - failed - open),
    failed: figure(failed),
    skipped: figure(0),
    missed: figure(0),
    open: figure(open),
    refunded: figure(0),
  };
}

function forecast(subscriptions: number): Schemas['ForecastReport'] {
  const items = Array.from({ length: 8 }, (_, index) => ({
    day: dayAt(index),
    due: figure(Math.ceil((subscriptions * (2 + ((index * 3) % 4))) / 10)),
    openRetries: index === 1 ? 4 : 0,
    hoursToCollect: null,
  }));
  return { from: dayAt(0), to: dayAt(8), items, total: { due: figure(subscriptions) }, nextCursor: null };
}

/** An attention item about cycle 3 of `sub_0`. */
const onMonday = (more: Partial<Schemas['Attention']>) =>
  item({
    subscriptionId: 'sub_0',
    paymentId: 'pay_0',
    payer: payerAt(0),
    cycle: 3,
    amount: euros(12_000),
    since: toIso(MONDAY - 5 * HOUR),
    deadline: toIso(MONDAY + 3 * HOUR),
    ...more,
  });

function unresolved(): Schemas['Attention'] {
  const evidence: Schemas['EvidenceRow'][] = [
    { what: 'state', ledger: 'unresolved', service: 'successful', differs: true },
    { what: 'amount', ledger: '120.00 EUR', service: '120.00 EUR', differs: false },
    { what: 'at', ledger: toIso(MONDAY - 5 * HOUR), service: toIso(MONDAY - 4 * HOUR), differs: false },
  ];
  return onMonday({ item: 'unknown-outcome', evidence });
}

function undeliverable(index: number): Schemas['Attention'] {
  return onMonday({
    item: `notice-${index}`,
    kind: 'notice_undeliverable',
    subscriptionId: `sub_${index + 1}`,
    payer: payerAt(index + 1),
    title: 'The payer could not be notified',
    explanation:
      'The notice about the refused payment could not be delivered, so no retry followed, and the cycle has failed.',
    amount: euros(centsAt(index + 1)),
    deadline: toIso(MONDAY + (5 + index) * HOUR),
  });
}

function refusedCycle(): Schemas['Cycle'] {
  const dueAt = toIso(MONDAY - DAY);
  const refused = { detail: 'insufficientFunds', description: 'there was not enough money in the account' };
  return cycle(3, {
    dueAt,
    collectBy: toIso(MONDAY + 4 * DAY),
    amount: euros(12_000),
    status: 'dunning',
    retriesLeft: 1,
    nextAttemptAt: toIso(MONDAY + HOUR),
    retryUntil: toIso(MONDAY + 2 * DAY),
    attempts: [0, 1].map((n) =>
      attempt('rejected_retryable', {
        attempt: n,
        at: toIso(MONDAY - (20 - n) * HOUR),
        payerNotifiedAt: dueAt,
        ...refused,
      }),
    ),
  });
}

function collectedCycle(): Schemas['Cycle'] {
  const at = toIso(MONDAY - 31 * DAY);
  const attempts = [attempt('successful', { at })];
  return cycle(2, { dueAt: at, collectBy: at, amount: euros(12_000), collectedAt: at, attempts });
}

function entry() {
  const text = 'Retry 1 of cycle 3 was refused';
  return {
    at: toIso(MONDAY - HOUR),
    actor: 'dueday',
    keyId: null,
    type: 'attempt.rejected',
    text,
    rule: null,
    data: {},
  };
}

const MEDIA: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
const CONSOLE = join(__dirname, '../../dist/console');

function isComputed(answer: unknown): answer is (body: unknown, accept: string | undefined) => unknown {
  return typeof answer === 'function';
}

/** Only the attention items of the subscription or payment that is asked for. */
function ofSubject(pathname: string, query: URLSearchParams, answer: unknown): unknown {
  if (pathname !== '/v1/attention' || answer === undefined) return answer;
  const { items, ...page } = answer as { readonly items: readonly Schemas['Attention'][] };
  const isWanted = (name: 'subscriptionId' | 'paymentId', of: Schemas['Attention']) =>
    query.get(name) === null || query.get(name) === of[name];
  return { ...page, items: items.filter((each) => isWanted('subscriptionId', each) && isWanted('paymentId', each)) };
}

export interface CannedApi {
  readonly url: string;
  /** Method, path and body of each write. */
  readonly writes: readonly { readonly call: string; readonly body: unknown }[];
  /** The responses from now on. */
  answers: Answers;
  close(): void;
}

/** Serves the built console and an API with canned responses, so that a view can be shown in any state. */
export async function openCannedApi(answers: Answers): Promise<CannedApi> {
  const writes: { call: string; body: unknown }[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body: unknown = text && JSON.parse(text);
      if (request.method !== 'GET') writes.push({ call: `${request.method} ${pathname}`, body });
      if (!pathname.startsWith('/v1/')) {
        const name = pathname.startsWith('/assets/') ? pathname : '/index.html';
        response.setHeader('content-type', MEDIA[extname(name)] ?? 'text/html');
        response.end(readFileSync(join(CONSOLE, name)));
        return;
      }
      const known = canned.answers[pathname];
      const answer = isComputed(known) ? known(body, request.headers.accept) : ofSubject(pathname, searchParams, known);
      response.setHeader('content-type', typeof answer === 'string' ? 'text/csv' : 'application/json');
      response.statusCode = answer === undefined ? 404 : 200;
      response.end(
        typeof answer === 'string'
          ? answer
          : JSON.stringify(answer ?? { code: 'not_found', detail: 'Not found', status: 404 }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const canned: CannedApi = {
    url: `http://127.0.0.1:${port}`,
    writes,
    answers,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return canned;
}
