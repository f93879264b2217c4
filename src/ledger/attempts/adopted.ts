import type { Pool } from 'pg';
import type { SubscriptionId } from '../../domain/ids';
import { conflict, type Refusal } from '../../domain/subscription/requests';
import { type CycleStatus, isTerminal, type SubscriptionStatus } from '../../domain/subscription/state';
import { type Instant, toIso } from '../../domain/time';
import { type Actor, actorOf } from '../../domain/audit/event';
import { endItem, isOpenItem } from '../rows/attention-item';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, readRecord, readValue, textToColumn } from '../sql/statements';
import { insertEvent } from '../audit/entries';
import { ATTEMPT_COLUMNS, type AttemptRecord, keyOf } from '../rows/attempt';
import { answerWithBefore, collectCycle, debitTimeOf, recountCollected, type WithBefore } from '../deciding/collected';
import { contradictionKey } from './evidence-items';
import { raiseRevision } from '../deciding/changes';
import { insertSend } from './sends';
import { beginWithLock } from '../rows/subscription';

/**
 * An operator's finding on a debit that another system made and that was adopted for a cycle although the previous cycle ended
 * uncollected: which of the two cycles it paid (rule 40).
 */
export interface AdoptedFinding extends Actor {
  readonly subscriptionId: SubscriptionId;
  /** The cycle that adopted it. */
  readonly cycle: number;
  /** The cycle it paid: this one, or the previous one. */
  readonly paidCycle: number;
  readonly evidence: string;
  /** Business time. */
  readonly at: Instant;
  readonly realAt: number;
}

export type AdoptedResult =
  /** The same finding was recorded before: its response may have been lost. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'resolved'; readonly revision: number }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

type Finding = Pick<AdoptedFinding, 'subscriptionId' | 'cycle' | 'paidCycle' | 'evidence' | 'actor'>;

/** Whether an open item asks which cycle was paid by the debit that this cycle adopted, or the same finding has answered it before. */
export async function isAboutAdoption(db: Db, finding: Finding): Promise<boolean> {
  const { subscriptionId, cycle } = finding;
  const made = await readRecord(db, 'select from attempts where subscription_id = $1 and cycle = $2 and adopted', [
    subscriptionId,
    cycle,
  ]);
  if (made === null) return false;
  return (await isOpenItem(db, contradictionKey(finding))) || isSameFinding(db, finding);
}

/** Whether the last finding on the cycle is the same, by the same operator, and nothing has contradicted it since. */
async function isSameFinding(db: Db, finding: Finding): Promise<boolean> {
  const { subscriptionId, cycle, paidCycle, evidence, actor } = finding;
  if (await isOpenItem(db, contradictionKey(finding))) return false;
  const isAlike = await readValue<boolean>(
    db,
    `select coalesce((data ->> 'paidCycle')::integer = $3 and data ->> 'evidence' = $4 and actor = $5, false)
     from events
     where subscription_id = $1 and type = 'cycle.resolved' and (data ->> 'cycle')::integer = $2
     order by id desc limit 1`,
    [subscriptionId, cycle, paidCycle, textToColumn(evidence), textToColumn(actor)],
  );
  return isAlike === true;
}

/**
 * Validates and writes the finding in one transaction, under the subscription's lock. The workflow must be notified of the new
 * revision, as it collects whatever is now due.
 */
export async function resolveAdopted(pool: Pool, finding: AdoptedFinding): Promise<AdoptedResult> {
  const resolve = async (db: Db): Promise<AdoptedResult> => {
    if (await isSameFinding(db, finding)) return { kind: 'unchanged' };
    const found = await judge(db, finding);
    if ('code' in found) return { kind: 'refused', refusal: found };
    if (finding.paidCycle === finding.cycle) await recordFinding(db, finding, found.debit, 'collected');
    else await moveToPrevious(db, finding, found);
    await endItem(db, contradictionKey(finding));
    return { kind: 'resolved', revision: await raiseRevision(db, finding.subscriptionId) };
  };
  return inTransaction(pool, resolve, beginWithLock(finding.subscriptionId));
}

interface CycleRow {
  readonly status: CycleStatus;
  readonly dueAt: Instant;
  readonly collectBy: Instant;
  readonly amount: AttemptRecord['amount'];
}

interface Found {
  readonly debit: AttemptRecord;
  readonly own: CycleRow;
  readonly previous: CycleRow | null;
}

async function judge(db: Db, finding: AdoptedFinding): Promise<Refusal | Found> {
  const { subscriptionId, cycle, paidCycle } = finding;
  const debit = await readRecord<AttemptRecord>(
    db,
    `select ${ATTEMPT_COLUMNS} from attempts
     where subscription_id = $1 and cycle = $2 and adopted and state not in ('rejected', 'rejected_retryable')`,
    [subscriptionId, cycle],
  );
  if (debit === null) return conflict(`cycle ${cycle} has no debit made by another system`);
  if (debit.state !== 'successful') {
    return conflict(`authorization ${debit.authorizationId} of cycle ${cycle} is ${debit.state}; expected successful`);
  }
  if (!(await isOpenItem(db, contradictionKey(finding)))) {
    return conflict(`no open attention item asks which cycle ${debit.authorizationId} paid`);
  }
  const own = await readCycle(db, subscriptionId, cycle);
  if (own === null) return conflict(`cycle ${cycle} is not in the ledger`);
  if (paidCycle === cycle) return { debit, own, previous: null };
  const previous = await readCycle(db, subscriptionId, paidCycle);
  const why = whyNotPaid(finding, debit, previous) ?? (await whyTooLate(db, debit, paidCycle));
  return why === null ? { debit, own, previous } : conflict(why);
}

function readCycle(db: Db, subscriptionId: SubscriptionId, cycle: number): Promise<CycleRow | null> {
  return readRecord(
    db,
    'select status, due_at, collect_by, amount from cycles where subscription_id = $1 and cycle = $2',
    [subscriptionId, cycle],
  );
}

function whyNotPaid(
  { cycle, paidCycle }: AdoptedFinding,
  { amount }: AttemptRecord,
  previous: CycleRow | null,
): string | null {
  if (paidCycle !== cycle - 1) return `paidCycle must be ${cycle - 1}, the cycle before ${cycle}; got ${paidCycle}`;
  if (previous === null) return `cycle ${paidCycle} is not in the ledger`;
  if (previous.status !== 'failed' && previous.status !== 'missed') {
    return `cycle ${paidCycle} is ${previous.status}; expected failed or missed`;
  }
  if (previous.amount.value === amount.value) return null;
  return `cycle ${paidCycle} had to collect ${previous.amount.value} cents, but the debit is ${amount.value} cents`;
}

/** Why the debit can no longer be moved to another cycle; null if it can. */
async function whyTooLate(db: Db, debit: AttemptRecord, paidCycle: number): Promise<string | null> {
  const { subscriptionId, cycle, captureId } = debit;
  const later = await readValue<number>(
    db,
    `select min(cycle) from cycles where subscription_id = $1 and cycle > $2 and status not in ('scheduled', 'skipped')`,
    [subscriptionId, cycle],
  );
  if (later !== null) return `cycle ${later} has started: what cycle ${cycle} collected can no longer be changed`;
  const open = await readRecord(
    db,
    `select from attempts where subscription_id = $1 and cycle = $2
       and state in ('sending', 'pending', 'unknown', 'unresolved', 'successful', 'capture_failed')`,
    [subscriptionId, paidCycle],
  );
  if (open !== null) return `an attempt of cycle ${paidCycle} may itself have debited the payer`;
  const refund = await readRecord(db, 'select from orders where subscription_id = $1 and capture_id = $2', [
    subscriptionId,
    captureId,
  ]);
  return refund === null ? null : `a refund of capture ${captureId} was ordered for cycle ${cycle}`;
}

/** Enters the debit for the previous cycle, and resets the cycle that had adopted it as if nothing had been tried. */
async function moveToPrevious(db: Db, finding: AdoptedFinding, { debit, own, previous }: Found): Promise<void> {
  const { subscriptionId, paidCycle, at } = finding;
  if (previous === null) throw new Error(`cycle ${paidCycle} was read and no longer exists`);
  const entered = await enterDebit(db, finding, debit, previous.dueAt);
  await releaseDebit(db, finding, debit);
  await reopenOrMiss(db, finding, own);
  await recordFinding(db, finding, debit, 'failed');
  const paid = await nameDebit(db, entered, debit);
  await collectCycle(db, paid, { at, debitedAt: debitTimeOf(debit) });
  await recountCollected(db, subscriptionId);
}

async function enterDebit(
  db: Db,
  { subscriptionId, paidCycle, realAt, actor }: AdoptedFinding,
  { paymentId, amount, at }: AttemptRecord,
  dueAt: Instant,
): Promise<AttemptRecord> {
  const last = await readRecord<{ attempt: number; send: number }>(
    db,
    `select attempt, send from attempts where subscription_id = $1 and cycle = $2 order by attempt desc, send desc limit 1`,
    [subscriptionId, paidCycle],
  );
  // It becomes another send of the last attempt, not another attempt: attempts are counted, and dueday did not make
  // this one.
  const { attempt, send } = last === null ? { attempt: 0, send: 0 } : { attempt: last.attempt, send: last.send + 1 };
  const about = { subscriptionId, paymentId, cycle: paidCycle, attempt, amount, dueAt };
  return insertSend(db, { ...about, at, realAt, knownIds: [], owner: actor, adopted: true }, send);
}

/**
 * Takes the debit from the cycle that adopted it: the only success that may be revoked, see the SQL function `is_debit_released`.
 */
async function releaseDebit(db: Db, { actor, evidence, at }: AdoptedFinding, debit: AttemptRecord): Promise<void> {
  await db.query(
    `update attempts set state = 'rejected', authorization_id = null, capture_id = null, detail = 'PAID_PREVIOUS_CYCLE',
       description = $5, evidence = $5, resolved_by = $6, outcome_at = $7
     where (subscription_id, cycle, attempt, send) = ($1, $2, $3, $4)`,
    [...keyOf(debit), textToColumn(evidence), textToColumn(actor), instantToColumn(at)],
  );
}

async function nameDebit(db: Db, entered: AttemptRecord, debit: AttemptRecord): Promise<WithBefore> {
  const { authorizationId, captureId, authorizationCreatedAt, outcomeAt } = debit;
  const row = await readRecord<WithBefore>(
    db,
    `with sent as (
       update attempts set state = 'successful', authorization_id = $5, capture_id = $6, authorization_created_at = $7,
         outcome_at = $8
       where (subscription_id, cycle, attempt, send) = ($1, $2, $3, $4) returning ${ATTEMPT_COLUMNS}
     ) ${answerWithBefore()}`,
    [
      ...keyOf(entered),
      authorizationId,
      captureId,
      instantToColumn(authorizationCreatedAt),
      instantToColumn(outcomeAt),
    ],
  );
  if (row === null) throw new Error('the debit was entered and no longer exists');
  return row;
}

/** Reopens the cycle if its window is still open and the subscription has not ended; otherwise the cycle is missed. */
async function reopenOrMiss(
  db: Db,
  { subscriptionId, cycle, at, ...by }: AdoptedFinding,
  own: CycleRow,
): Promise<void> {
  const status = await readValue<SubscriptionStatus>(
    db,
    'select status from subscriptions where subscription_id = $1',
    [subscriptionId],
  );
  const isOpen = at < own.collectBy && status !== null && !isTerminal(status);
  await db.query(
    `update cycles set status = $3, reason = $4, collected_at = null, next_attempt_at = null, retries_left = 0,
       retry_until = null, retry_from = null
     where subscription_id = $1 and cycle = $2`,
    [subscriptionId, cycle, isOpen ? 'scheduled' : 'missed', isOpen ? null : 'window_closed'],
  );
  await db.query(
    `update subscriptions set past_due = $2, next_due_at = case when $3 then $4 else next_due_at end
     where subscription_id = $1`,
    [subscriptionId, !isOpen, isOpen, instantToColumn(own.dueAt)],
  );
  if (isOpen) return;
  const data = { cycle, amount: own.amount, dueAt: toIso(own.dueAt), reason: 'window_closed' };
  await insertEvent(db, { subscriptionId, at, ...actorOf(by), type: 'cycle.missed', data });
}

function recordFinding(
  db: Db,
  { subscriptionId, cycle, paidCycle, evidence, at, ...by }: AdoptedFinding,
  { attempt, send, amount, dueAt, authorizationId, captureId }: AttemptRecord,
  outcome: 'collected' | 'failed',
): Promise<unknown> {
  const about = { cycle, attempt, send, amount, dueAt: toIso(dueAt) };
  const data = { ...about, outcome, paidCycle, evidence, authorizationId, captureId };
  return insertEvent(db, { subscriptionId, at, ...actorOf(by), type: 'cycle.resolved', data });
}
