import { DAY, HOUR, SECOND } from '../../src/domain/time';
import { createPool, type Pool } from '../../src/ledger';
import { runDueday } from '../cli/dueday-process';
import { openProcessStack, type ProcessStack } from '../processes/local-stack';
import { orderOf } from '../scenarios/order';
import type { Check, Say } from '../support/campaign';
import { unlessAborted } from '../support/interruption';
import { waitUntil } from '../support/wait-until';
import { ClusterCopy, type RestoreWay } from './cluster-copy';

/** Two hours a second: a week in 84 s, a window in 60. */
const SPEED = 7_200;
const START = Date.parse('2027-01-29T08:00:00.000Z');
/** Business time until the first due date, in which programs start, payers approve, and a copy is made. */
const LEAD = 100 * HOUR;
/** How much later the other payers fall due, after PostgreSQL has been set back. */
const LATER = 50 * HOUR;
const WEEK = 7 * DAY;
const CENTS = 1999;
/** Real ms in which something must come to pass. */
const TIMEOUT = 120 * SECOND;

/** The number of payers whose debits the ledger loses, and of those who fall due after it was restored. */
const LOST = 5;
const OTHERS = 2;

const ENV = {
  PAYMENT_SERVICE_SETTLE_SECONDS: '1',
  PAYMENT_SERVICE_TIMEOUT_MS: '5000',
  NOTICE_BACKOFF_SECONDS: '0.5',
  RETRY_OFFSETS_HOURS: '12,24,36',
};

interface Payer {
  readonly subscriptionId: string;
  readonly paymentId: string;
}

interface Stage {
  readonly stack: ProcessStack;
  readonly db: Pool;
  readonly lost: readonly Payer[];
  readonly others: readonly Payer[];
  /** When the first cycle of those whose debits are lost falls due. */
  readonly firstDue: number;
  readonly say: Say;
}

/**
 * Sets PostgreSQL back to before five debits, twice, under a daemon that runs on.
 * @param signal ends the campaign early, in order
 * @returns a check of each promise
 */
export async function restore(signal: AbortSignal, say: Say): Promise<readonly Check[]> {
  // A second debit of a date is counted and not refused.
  const sandbox = { brokenRules: ['one-debit-per-date'] as const };
  const stack = await openProcessStack({ startAt: START, speed: SPEED, env: ENV, sandbox });
  const db = createPool({ databaseUrl: stack.databaseUrl, max: 2 });
  try {
    return await unlessAborted(signal, () => play(stack, db, say));
  } finally {
    await db.end();
    await stack.close();
  }
}

async function play(stack: ProcessStack, db: Pool, say: Say): Promise<readonly Check[]> {
  await stack.program('daemon').start();
  const firstDue = Math.ceil((stack.clock.now() + LEAD) / HOUR) * HOUR;
  const [lost, others] = [await subscribe(stack, LOST, firstDue), await subscribe(stack, OTHERS, firstDue + LATER)];
  const stage = { stack, db, lost, others, firstDue, say };
  const checks = [
    ...(await playRound(stage, 'a recovery to a point in time', 0)),
    ...(await playRound(stage, "a disk's snapshot", 1)),
  ];
  return [...checks, ...(await judgeTheEnd(stage))];
}

async function subscribe({ admin, clock, sandbox }: ProcessStack, count: number, due: number): Promise<Payer[]> {
  const payers: Payer[] = [];
  for (let n = 0; n < count; n += 1) {
    const order = orderOf({ name: 'restored', cents: CENTS, firstPaymentAt: due }, clock.now());
    const { status, body } = await admin.post<Payer>('/v1/subscriptions', order);
    if (status !== 201) throw new Error(`an order was answered with ${status}: ${JSON.stringify(body)}`);
    sandbox.payer(body.paymentId).approve('approves');
    payers.push(body);
  }
  for (const { subscriptionId } of payers) {
    const isActive = async () =>
      (await admin.get<{ status: string }>(`/v1/subscriptions/${subscriptionId}`)).body.status === 'active';
    await waitUntil(`${subscriptionId} is active`, isActive, TIMEOUT);
  }
  return payers;
}

/** Makes a copy, waits for five debits and restores the copy; two more payers fall due; then the comparison lets sending continue. */
async function playRound(stage: Stage, way: RestoreWay, cycle: number): Promise<readonly Check[]> {
  const { stack, db, lost, others, firstDue, say } = stage;
  const before = stack.sandbox.debits().length;
  const dueIn = Math.round((firstDue + cycle * WEEK - stack.clock.now()) / HOUR);
  say(`cycle ${cycle}: PostgreSQL is copied ${dueIn} hours before ${LOST} debits`);
  if (dueIn <= 0) throw new Error('the machine is too slow: the debits came before the copy');
  const copy = await ClusterCopy.make(stack.postgres, db);
  await reach('they are collected', async () => (await collectedOf(db, lost, cycle)).length === LOST);
  const identity = await identityOf(db);
  await copy.restore(way);
  const kept = await collectedOf(db, lost, cycle);
  say(`PostgreSQL is set back by ${way}`);
  await reach('the others have fallen due and wait', async () => (await haltedOf(db, others, cycle)) === OTHERS);
  const made = stack.sandbox.debits().length - before;
  const isSame = (await identityOf(db)) === identity;
  const halt = (await stack.admin.get<{ halted: boolean; by?: string; reason?: string }>('/v1/halt')).body;
  const lift = await stack.admin.delete<{ detail?: string }>('/v1/halt');
  const { code, stdout, stderr } = await reconcile(stack);
  await reach('the others are collected', async () => (await collectedOf(db, others, cycle)).length === OTHERS);
  const entered = await collectedOf(db, lost, cycle);
  const check = (name: string, holds: boolean, found: string) => ({ name: `${way}: ${name}`, holds, found });
  return [
    check('the ledger has lost the debits', kept.length === 0, `${kept.length} of ${LOST} left`),
    check(
      'what PostgreSQL says of itself',
      isSame === (way === "a disk's snapshot"),
      isSame ? 'the same as before' : 'another database than before',
    ),
    check('it is noticed by itself', halt.by === 'dueday', halt.reason ?? JSON.stringify(halt)),
    check(
      'no POST while nothing was compared, though two fell due',
      made === LOST,
      `${made - LOST} POSTs since, ${OTHERS} wait`,
    ),
    check('an operator cannot lift it before that', lift.status === 409, `${lift.status} ${lift.body.detail ?? ''}`),
    check('dueday reconcile passes', code === 0, `exit ${code}, ${`${stdout}${stderr}`.trim().replaceAll('\n', ' ')}`),
    check(
      'the lost debits are in the ledger as the service has them',
      entered.length === LOST && entered.every((id) => stack.sandbox.debits().some((each) => each.captureId === id)),
      `${entered.length} of ${LOST}`,
    ),
    check(
      'then everything goes on, each debit once',
      debitsOf(stack, [...lost, ...others], cycle).every((count) => count === 1),
      `${debitsOf(stack, [...lost, ...others], cycle).join(', ')} debits of cycle ${cycle}`,
    ),
  ];
}

async function judgeTheEnd({ stack, db }: Stage): Promise<readonly Check[]> {
  const { code, stdout } = await reconcile(stack);
  const openItems = async () =>
    (await db.query<{ kind: string }>('select kind from attention_items where closed_real_at is null')).rows
      .map(({ kind }) => kind)
      .join(', ');
  // The API joins findings with one cause, and checks once a minute of real time whether they still have it (rule 44).
  await reach('no item is open', async () => (await openItems()) === '').catch(() => undefined);
  const open = await openItems();
  const recovered = await db.query(`select from events where type = 'attempt.recovered'`);
  return [
    { name: 'ledger and service agree at the end', holds: code === 0, found: stdout.trim() },
    { name: 'no attention item is open', holds: open === '', found: open || 'none' },
    {
      name: 'the audit log has each debit that was entered',
      holds: recovered.rowCount === 2 * LOST,
      found: `${recovered.rowCount} of ${2 * LOST}`,
    },
  ];
}

const reach = (what: string, holds: () => Promise<boolean>) => waitUntil(what, holds, TIMEOUT);

const reconcile = ({ env }: ProcessStack) => runDueday(['reconcile'], env);

/** The captures of a cycle that the ledger has as collected. */
async function collectedOf(db: Pool, payers: readonly Payer[], cycle: number): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select a.capture_id as id from attempts a join cycles c using (subscription_id, cycle)
     where a.subscription_id = any ($1) and a.cycle = $2 and a.state = 'successful' and c.status = 'collected'`,
    [payers.map(({ subscriptionId }) => subscriptionId), cycle],
  );
  return rows.map(({ id }) => id);
}

/** How many payers have an attempt of a cycle that waits for the end of the halt, by the audit log. */
async function haltedOf(db: Pool, payers: readonly Payer[], cycle: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*) as count from events
     where subscription_id = any ($1) and type = 'attempt.halted' and (data ->> 'cycle')::integer = $2`,
    [payers.map(({ subscriptionId }) => subscriptionId), cycle],
  );
  return rows[0]!.count;
}

async function identityOf(db: Pool): Promise<string> {
  const { rows } = await db.query<{ identity: string }>('select ledger_identity() as identity');
  return rows[0]!.identity;
}

/** How often each payer was debited for a cycle, by the service's own record. */
function debitsOf({ sandbox }: ProcessStack, payers: readonly Payer[], cycle: number): readonly number[] {
  return payers.map(
    ({ paymentId }) => sandbox.debits().filter((each) => each.paymentId === paymentId && each.cycle === cycle).length,
  );
}
