import { escapeLiteral, type Pool } from 'pg';
import type { AuthorizationId, CaptureId } from '../../domain/ids';
import { euros } from '../../domain/money';
import { toIso, type Instant } from '../../domain/time';
import { type AttemptState, isFinal, statesBefore } from '../../domain/send';
import { instantToColumn, type Db, readRecord, inTransaction } from '../database';
import { outcomeData, outcomeValues, type RecordOutcomeResult, SET_OUTCOME, type Unconfirmed } from './any-send';
import { DUEDAY, insertEvent, type NewEvent } from '../trail';
import { ATTEMPT_COLUMNS, type AttemptRecord, keyOf, readSend, type SendRef } from './attempts';

/** What became of a send. `createdAt` is the authorization's, as the service has it. */
export type Outcome =
  | { readonly state: 'pending'; readonly authorizationId: AuthorizationId; readonly createdAt: Instant }
  | {
      readonly state: 'successful';
      readonly authorizationId: AuthorizationId;
      readonly captureId: CaptureId;
      readonly createdAt: Instant;
      /** The due date after this cycle's; null where there is none. Left out, it stays as it is. */
      readonly nextDueAt?: Instant | null;
    }
  | {
      readonly state: 'rejected' | 'rejected_retryable';
      readonly detail: string;
      readonly description: string;
      readonly authorizationId?: AuthorizationId | undefined;
      readonly createdAt?: Instant | undefined;
    }
  | {
      readonly state: 'capture_failed';
      readonly authorizationId: AuthorizationId;
      readonly captureId?: CaptureId | undefined;
      readonly detail: string;
      readonly createdAt?: Instant | undefined;
    }
  | Unconfirmed;

/** What the trail says of it. Actor `dueday` where none is given. */
export type OutcomeEvent = Pick<NewEvent, 'type' | 'data'> & Partial<Pick<NewEvent, 'actor'>>;

/**
 * Writes what became of a send, with its cycle and subscription where money was collected, in one transaction. A final
 * outcome is never overwritten; one that speaks against it is left to the trail as `attempt.contradicted`.
 * @throws where the send is not in the ledger, or its authorization is already another send's.
 */
export async function recordOutcome(
  pool: Pool,
  ref: SendRef,
  outcome: Outcome,
  at: Instant,
  event: OutcomeEvent,
): Promise<RecordOutcomeResult<AttemptRecord>> {
  const record = async (db: Db): Promise<RecordOutcomeResult<AttemptRecord>> => {
    const send = await updateSend(db, ref, outcome, at);
    if (send === null) return leaveStanding(db, ref, outcome, at);
    await insertEvent(db, { actor: DUEDAY, ...event, subscriptionId: ref.subscriptionId, at });
    if (outcome.state === 'successful') await collectCycle(db, send, at, outcome.nextDueAt);
    return { kind: 'recorded', send };
  };
  return inTransaction(pool, record, beginWithLock(ref));
}

/** The subscription first, as everywhere: locks are always taken in this order. It costs no message of its own. */
function beginWithLock({ subscriptionId }: SendRef): string {
  return `begin; select from subscriptions where subscription_id = ${escapeLiteral(subscriptionId)} for update`;
}

async function leaveStanding(
  db: Db,
  ref: SendRef,
  outcome: Outcome,
  at: Instant,
): Promise<RecordOutcomeResult<AttemptRecord>> {
  const send = await readSend(db, ref);
  if (send === null) throw new Error(`the ledger has no send ${keyOf(ref).join('/')}`);
  if (contradicts(send, outcome)) await recordContradiction(db, send, outcome, at);
  return { kind: 'stands', send };
}

/** Null where it may not become that, or is not in the ledger. */
async function updateSend(db: Db, ref: SendRef, outcome: Outcome, at: Instant): Promise<AttemptRecord | null> {
  const named: Named = outcome;
  const { authorizationId = null, captureId = null, createdAt = null } = named;
  return readRecord(
    db,
    `update attempts set
       ${SET_OUTCOME},
       authorization_id = coalesce($7, authorization_id),
       authorization_created_at = coalesce($8, authorization_created_at),
       capture_id = coalesce($9, capture_id)
     where (subscription_id, cycle, attempt, send) = ($10, $11, $12, $13) and state = any($14)
     returning ${ATTEMPT_COLUMNS}`,
    [
      ...[...outcomeValues(outcome, at), authorizationId, instantToColumn(createdAt), captureId],
      ...[...keyOf(ref), statesBefore(outcome.state)],
    ],
  );
}

/** What the service calls it, where an outcome says so. */
interface Named {
  readonly state: AttemptState;
  readonly authorizationId?: AuthorizationId | undefined;
  readonly captureId?: CaptureId | undefined;
  readonly createdAt?: Instant | undefined;
}

/**
 * The cycle is collected. Amount, due date and standing follow only where no later cycle has begun: a debit that landed
 * late says nothing of those (rules 10, 21, 25).
 */
export async function collectCycle(
  db: Db,
  attempt: AttemptRecord,
  at: Instant,
  nextDueAt?: Instant | null,
): Promise<void> {
  const cycle = [attempt.subscriptionId, attempt.cycle];
  const collected = await readRecord<{ readonly late: boolean }>(
    db,
    `update cycles set status = 'collected', collected_at = coalesce(collected_at, $3), reason = null,
       next_attempt_at = null, retries_left = 0, retry_until = null
     where subscription_id = $1 and cycle = $2
     returning collected_at >= collect_by as late`,
    [...cycle, instantToColumn(at)],
  );
  const followed = await readRecord<{ readonly before: number | null }>(
    db,
    `update subscriptions set ${SET_COLLECTED},
       amount = case when is_last then $3 else amount end,
       current_amount = case when is_last then $3 else current_amount end,
       dunning = dunning and not is_last, past_due = past_due and not is_last,
       next_due_at = case when is_last and $4 and status in ('active', 'paused') then $5 else next_due_at end
     from (
       select current_amount as before, not exists (
         select from cycles where subscription_id = $1 and cycle > $2 and status not in ('scheduled', 'skipped')
       ) as is_last
       from subscriptions where subscription_id = $1
     ) as seen
     where subscription_id = $1
     returning case when is_last then before end as before`,
    [...cycle, attempt.amount.value, nextDueAt !== undefined, instantToColumn(nextDueAt ?? null)],
  );
  const { cycle: number, amount, authorizationId, captureId } = attempt;
  const about = { subscriptionId: attempt.subscriptionId, at, actor: DUEDAY };
  await insertEvent(db, {
    ...about,
    type: 'cycle.collected',
    data: {
      cycle: number,
      attempt: attempt.attempt,
      amount,
      dueAt: toIso(attempt.dueAt),
      authorizationId,
      captureId,
      collectedAt: toIso(at),
      late: collected?.late ?? false,
    },
  });
  const before = followed?.before ?? null;
  if (before === null || before === amount.value) return;
  const data = { cycle: number, amount, previousAmount: euros(before) };
  await insertEvent(db, { ...about, type: 'amount_change.applied', data });
}

/** As part of an update of the subscription $1. */
const SET_COLLECTED = `cycles_collected = (
  select count(*) from cycles where subscription_id = $1 and status = 'collected'
)`;

export async function recountCollected(db: Db, subscriptionId: string): Promise<void> {
  await db.query(`update subscriptions set ${SET_COLLECTED} where subscription_id = $1`, [subscriptionId]);
}

/**
 * Another outcome than the final one that stands, or the same of another authorization: an operator must see it. The
 * same holds where a person has resolved the attempt, and an authorization is found that may yet become a debit.
 */
function contradicts(standing: AttemptRecord, outcome: Outcome): boolean {
  if (!isFinal(standing.state)) return false;
  const isSought = outcome.state === 'pending' && standing.resolvedBy !== null;
  if (isSought) return !namesNone(standing) && isOfAnother(standing, outcome);
  if (!isFinal(outcome.state)) return false;
  if (standing.state !== outcome.state) return true;
  return !namesNone(standing) && isOfAnother(standing, outcome);
}

/** Resolved as collected without an id: what is found now is what the person saw (rule 33). */
function namesNone({ state, authorizationId }: AttemptRecord): boolean {
  return state === 'successful' && authorizationId === null;
}

function isOfAnother(standing: AttemptRecord, outcome: Outcome): boolean {
  const { authorizationId }: Named = outcome;
  return authorizationId !== undefined && authorizationId !== standing.authorizationId;
}

async function recordContradiction(db: Db, standing: AttemptRecord, outcome: Outcome, at: Instant): Promise<void> {
  const { cycle, attempt, send, state, authorizationId } = standing;
  const found: Named = outcome;
  await insertEvent(db, {
    subscriptionId: standing.subscriptionId,
    at,
    actor: DUEDAY,
    type: 'attempt.contradicted',
    data: { cycle, attempt, send, stands: { state, authorizationId }, found: outcomeData(outcome) },
    changeKey: `contradicted/${cycle}/${attempt}/${send}/${outcome.state}/${found.authorizationId ?? ''}`,
  });
}
