import { DAY, HOUR, MINUTE, SECOND } from '../../src/domain/time';
import { createPool, type Pool } from '../../src/ledger';
import { openProcessStack, type ProcessStack } from '../processes/local-stack';
import type { Program } from '../processes/program';
import type { Answer } from '../scenarios/admin-api';
import { importAll } from '../support/import-call';
import { grantMandate, type Mandate } from '../support/mandate';
import { waitUntil } from '../support/wait-until';

/** With Temporal killed, a hundred subscriptions are steered by each verb. Ten minutes of business time a second. */

const COUNT = 100;
/** Nothing of those that are steered before their first payment falls due meanwhile. */
const LATER = 90 * DAY;
/** Time to import all of them. */
const SOON = 10 * HOUR;

let stack: ProcessStack;
let programs: readonly Program[];
let ledger: Pool;

beforeAll(async () => {
  const env = {
    PAYMENT_SERVICE_SETTLE_SECONDS: '1',
    PAYMENT_SERVICE_TIMEOUT_MS: '4000',
    NOTICE_BACKOFF_SECONDS: '0.5',
  };
  stack = await openProcessStack({ startAt: Date.parse('2027-01-29T08:00:00.000Z'), speed: 600, env });
  programs = [stack.program('worker'), stack.program('api')];
  await Promise.all(programs.map((program) => program.start()));
  ledger = createPool({ databaseUrl: stack.databaseUrl, max: 2 });
});

afterAll(async () => {
  await ledger.end();
  await Promise.all(programs.map((program) => program.stop()));
  await stack.close();
});

const WHY = { reason: 'Temporal is away' };
const EVIDENCE = { outcome: 'collected', evidence: 'the bank says so' };
const LOWER = { amount: { value: 1200, currency: 'EUR' } };

interface Verb {
  readonly status: number;
  readonly ask: (path: string) => Promise<Answer<unknown>>;
  /** What the ledger then says of each: SQL over `subscriptions s`. */
  readonly holds: string;
}

const VERBS: Readonly<Record<string, Verb>> = {
  // First: its retry is due a day after the refusal, and would be sent without being asked for.
  retry: {
    status: 202,
    ask: (path) => stack.admin.post(`${path}/cycles/0/retry`, WHY),
    holds: 'exists (select from cycles c where c.subscription_id = s.subscription_id and c.retry_now)',
  },
  pause: { status: 200, ask: (path) => stack.admin.post(`${path}/pause`, WHY), holds: `s.status = 'paused'` },
  resume: { status: 200, ask: (path) => stack.admin.post(`${path}/resume`, WHY), holds: `s.status = 'active'` },
  cancel: { status: 202, ask: (path) => stack.admin.post(`${path}/cancel`, WHY), holds: `s.hold = 'cancel'` },
  skip: {
    status: 200,
    ask: (path) => stack.admin.post(`${path}/cycles/0/skip`, WHY),
    holds: `exists (select from cycles c where c.subscription_id = s.subscription_id and c.status = 'skipped')`,
  },
  change: {
    status: 200,
    ask: (path) => stack.admin.post(`${path}/amount-changes`, LOWER),
    holds: 's.pending_change is not null',
  },
  withdraw: {
    status: 200,
    ask: (path) => stack.admin.delete(`${path}/amount-changes/pending`),
    holds: 's.pending_change is null',
  },
  acknowledge: {
    status: 200,
    ask: (path) => stack.admin.post(`${path}/acknowledge`, WHY),
    holds: 'not s.needs_attention',
  },
  resolve: {
    status: 200,
    ask: (path) => stack.admin.post(`${path}/cycles/0/resolve`, EVIDENCE),
    holds: 's.cycles_collected = 1',
  },
  payer: {
    status: 200,
    ask: (path) => stack.admin.patch(`${path}/payer`, { email: 'new@payer.example' }),
    holds: `exists (select from payers p where p.payer_id = s.payer_id and p.email = 'new@payer.example')`,
  },
};

/** Verbs that need a first attempt, and what its wallet does with that. No amount changes before the first payment. */
const WALLETS: Readonly<Record<string, string>> = {
  change: 'approves',
  withdraw: 'approves',
  retry: 'insufficient-funds-once',
  acknowledge: 'capture-fails',
  resolve: 'slow-3600',
};

const idOf = (verb: string, index: number) => `${verb}-${index}`;
const each = Array.from({ length: COUNT }, (_, index) => index);

function grant(verb: string, index: number): Mandate {
  const wallet = WALLETS[verb];
  const due = stack.clock.now() + (wallet === undefined ? LATER : SOON);
  const mandate = grantMandate(stack, idOf(verb, index), due);
  if (wallet !== undefined) stack.sandbox.setWallet(mandate.paymentId, wallet);
  if (verb === 'resolve') hideDebit(mandate);
  return mandate;
}

/** Sent and accepted, and no list shows it: for an operator to find out. */
function hideDebit({ paymentId }: Mandate): void {
  const match = { method: 'POST', path: `^/${paymentId}/authorizations$` } as const;
  stack.sandbox.faults.add({ kind: 'late_listing', delayMs: HOUR, match });
}

/** How many of a verb's subscriptions the condition holds for. */
async function countOf(verb: string, condition: string): Promise<number> {
  const { rows } = await ledger.query<{ count: number }>(
    `select count(*)::integer as count from subscriptions s where s.subscription_id like $1 and ${condition}`,
    [`${verb}-%`],
  );
  return rows[0]?.count ?? 0;
}

const untilAll = (what: string, verb: string, condition: string) =>
  waitUntil(what, async () => (await countOf(verb, condition)) === COUNT, 2 * MINUTE);

const haveItem = (kind: string) =>
  `exists (select from attention_items i where i.subscription_id = s.subscription_id and i.kind = '${kind}' and i.closed_real_at is null)`;

const ARE_NOTIFIED = `exists (
  select from notices n where n.subscription_id = s.subscription_id and n.type = 'payment.failed' and n.state = 'delivered'
) and exists (select from cycles c where c.subscription_id = s.subscription_id and c.status = 'dunning')`;

async function countUnacknowledged(): Promise<number> {
  const { rows } = await ledger.query<{ count: number }>(
    `select count(*)::integer as count from subscriptions where heard_revision < revision and status in ('active', 'paused')`,
  );
  return rows[0]?.count ?? 0;
}

/** @returns ms of the slowest but one: the 99th of a hundred */
async function askAll(verb: string, status: number, ask: Verb['ask']): Promise<number> {
  const times: number[] = [];
  for (const index of each) {
    const askedAt = performance.now();
    const answer = await ask(`/v1/subscriptions/${idOf(verb, index)}`);
    times.push(performance.now() - askedAt);
    if (answer.status !== status) throw new Error(`${verb}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return times.sort((one, other) => one - other)[COUNT - 2] ?? Infinity;
}

test('with Temporal killed a hundred calls of each verb answer within a second and hold', async () => {
  const verbs = Object.entries(VERBS);
  const lines = verbs.flatMap(([verb]) => each.map((index) => grant(verb, index).line));
  const { CONSOLE_URL: url = '', ADMIN_BOOTSTRAP_KEY: key = '' } = stack.env;
  await importAll(url, key, lines);
  await askAll('resume', 200, VERBS['pause']!.ask);
  await untilAll('their first payment is collected', 'withdraw', 's.cycles_collected = 1');
  await untilAll('their first payment is collected', 'change', 's.cycles_collected = 1');
  await askAll('withdraw', 200, VERBS['change']!.ask);
  await untilAll('their capture has failed', 'acknowledge', haveItem('capture_failed'));
  await untilAll('their attempt is in no list', 'resolve', haveItem('unlisted'));
  await untilAll('their payers are notified of the refusal', 'retry', ARE_NOTIFIED);
  await waitUntil('all of that is acknowledged', async () => (await countUnacknowledged()) === 0, MINUTE);

  await stack.temporal.kill();

  const slowest: Record<string, number> = {};
  for (const [verb, { status, ask }] of verbs) slowest[verb] = await askAll(verb, status, ask);
  expect(Object.entries(slowest).filter(([, ms]) => ms >= SECOND)).toEqual([]);
  const held = await Promise.all(verbs.map(async ([verb, { holds }]) => [verb, await countOf(verb, holds)]));
  expect(held).toEqual(verbs.map(([verb]) => [verb, COUNT]));

  await stack.temporal.start();

  await waitUntil('each workflow has acknowledged', async () => (await countUnacknowledged()) === 0, MINUTE);
  await untilAll('their consents are cancelled', 'cancel', `s.status = 'cancelled'`);
  await untilAll('their retries are collected', 'retry', 's.cycles_collected = 1');
});
