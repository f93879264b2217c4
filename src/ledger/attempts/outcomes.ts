import type { Pool } from 'pg';
import type { AuthorizationId, CaptureId } from '../../domain/ids';
import { toIso, type Instant } from '../../domain/time';
import type { EventData } from '../../domain/trail/event';
import type { EventType } from '../../domain/trail/events';
import { instantToColumn, textToColumn, type Db, queryOne, inTransaction } from '../database';
import { DUEDAY, insertEvent } from '../events';
import { type AttemptRecord, type AttemptRow, keyOf, type SendRef, toAttempt } from './attempts';
import type { AttemptState } from '../../domain/send';

/** Fields of an outcome that are instants, business or real. */
const INSTANTS: readonly string[] = ['createdAt', 'nextDueAt', 'sinceReal'];

/** An outcome as the trail tells it: every instant as ISO text. */
export function outcomeData(outcome: object): EventData {
  return Object.fromEntries(
    Object.entries(outcome).map(([name, value]: [string, unknown]) => [
      name,
      INSTANTS.includes(name) && typeof value === 'number' ? toIso(value) : value,
    ]),
  );
}

/** What became of a send. `createdAt` is the authorization's, as the service tells it. */
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
  | { readonly state: 'not_sent'; readonly reason: string }
  | { readonly state: 'unknown'; readonly reason: string; readonly sinceReal: number }
  | { readonly state: 'unresolved'; readonly reason: string };

/** What the trail says of it. Actor `dueday` where none is given. */
export interface OutcomeEvent {
  readonly type: EventType;
  readonly data: EventData;
  readonly actor?: string;
}

export type RecordOutcomeResult =
  | { readonly kind: 'recorded'; readonly attempt: AttemptRecord }
  /** Nothing was written: the send is final already, or further than this outcome. Its row as it stands. */
  | { readonly kind: 'stands'; readonly attempt: AttemptRecord };

/** The same table as the trigger `guard_attempt`, which refuses whatever does not keep to it. */
const FROM: Readonly<Record<AttemptState, readonly AttemptState[]>> = {
  sending: [
    'pending',
    'unknown',
    'unresolved',
    'successful',
    'rejected_retryable',
    'rejected',
    'capture_failed',
    'not_sent',
  ],
  pending: ['successful', 'rejected_retryable', 'rejected', 'capture_failed'],
  unknown: ['pending', 'unresolved', 'successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent'],
  unresolved: ['pending', 'successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent'],
  successful: [],
  rejected_retryable: [],
  rejected: [],
  capture_failed: [],
  not_sent: [],
};

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
): Promise<RecordOutcomeResult> {
  return inTransaction(pool, async (db): Promise<RecordOutcomeResult> => {
    const standing = await lockSend(db, ref);
    if (!FROM[standing.state].includes(outcome.state)) {
      if (contradicts(standing, outcome)) await recordContradiction(db, standing, outcome, at);
      return { kind: 'stands', attempt: standing };
    }
    const attempt = await updateSend(db, ref, outcome, at);
    await insertEvent(db, { actor: DUEDAY, ...event, subscriptionId: ref.subscriptionId, at });
    if (outcome.state === 'successful') await collectCycle(db, attempt, at, outcome.nextDueAt);
    return { kind: 'recorded', attempt };
  });
}

export function isFinal(state: AttemptState): boolean {
  return FROM[state].length === 0;
}

/** The subscription first, as everywhere: locks are always taken in this order. */
async function lockSend(db: Db, ref: SendRef): Promise<AttemptRecord> {
  await db.query('select from subscriptions where subscription_id = $1 for update', [ref.subscriptionId]);
  const row = await queryOne<AttemptRow>(
    db,
    'select * from attempts where (subscription_id, cycle, attempt, send) = ($1, $2, $3, $4) for update',
    keyOf(ref),
  );
  if (row === null) throw new Error(`the ledger has no send ${keyOf(ref).join('/')}`);
  return toAttempt(row);
}

async function updateSend(db: Db, ref: SendRef, outcome: Outcome, at: Instant): Promise<AttemptRecord> {
  const found: Partial<OutcomeColumns> = outcome;
  const row = await queryOne<AttemptRow>(
    db,
    `update attempts set
       state = $5,
       authorization_id = coalesce($6, authorization_id),
       capture_id = coalesce($7, capture_id),
       authorization_created_at = coalesce($8, authorization_created_at),
       detail = $9, description = $10, reason = $11,
       unknown_since_real = coalesce(unknown_since_real, $12),
       outcome_at = $13
     where (subscription_id, cycle, attempt, send) = ($1, $2, $3, $4)
     returning *`,
    [
      ...keyOf(ref),
      outcome.state,
      found.authorizationId ?? null,
      found.captureId ?? null,
      instantToColumn(found.createdAt ?? null),
      textToColumn(found.detail ?? null),
      textToColumn(found.description ?? null),
      textToColumn(found.reason ?? null),
      instantToColumn(found.sinceReal ?? null),
      isFinal(outcome.state) ? instantToColumn(at) : null,
    ],
  );
  if (row === null) throw new Error(`the send ${keyOf(ref).join('/')} was locked and is gone`);
  return toAttempt(row);
}

/** Every field that some outcome has. */
interface OutcomeColumns {
  authorizationId: AuthorizationId | undefined;
  captureId: CaptureId | undefined;
  createdAt: Instant | undefined;
  detail: string;
  description: string;
  reason: string;
  sinceReal: number;
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
  await db.query(
    `update cycles set status = 'collected', collected_at = coalesce(collected_at, $3), reason = null,
       next_attempt_at = null, retries_left = 0, retry_until = null
     where subscription_id = $1 and cycle = $2`,
    [...cycle, instantToColumn(at)],
  );
  await recountCollected(db, attempt.subscriptionId);
  await db.query(
    `update subscriptions s set amount = $3, current_amount = $3, dunning = false, past_due = false,
       next_due_at = case when $4 and status in ('active', 'paused') then $5 else next_due_at end
     where subscription_id = $1 and not exists (
       select from cycles c
       where c.subscription_id = s.subscription_id and c.cycle > $2 and c.status not in ('scheduled', 'skipped')
     )`,
    [...cycle, attempt.amount.value, nextDueAt !== undefined, instantToColumn(nextDueAt ?? null)],
  );
  const { cycle: number, amount, authorizationId, captureId } = attempt;
  await insertEvent(db, {
    subscriptionId: attempt.subscriptionId,
    at,
    actor: DUEDAY,
    type: 'cycle.collected',
    data: {
      ...{ cycle: number, attempt: attempt.attempt, amount, dueAt: toIso(attempt.dueAt) },
      ...{ authorizationId, captureId, collectedAt: toIso(at) },
    },
  });
}

export async function recountCollected(db: Db, subscriptionId: string): Promise<void> {
  await db.query(
    `update subscriptions set cycles_collected = (
       select count(*) from cycles where subscription_id = $1 and status = 'collected'
     ) where subscription_id = $1`,
    [subscriptionId],
  );
}

/**
 * Another outcome than the final one that stands, or the same of another authorization: somebody must see it. So must
 * they where a person has decided, and an authorization is found that may yet become a debit.
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
  const { authorizationId }: Partial<OutcomeColumns> = outcome;
  return authorizationId !== undefined && authorizationId !== standing.authorizationId;
}

async function recordContradiction(db: Db, standing: AttemptRecord, outcome: Outcome, at: Instant): Promise<void> {
  const { cycle, attempt, send, state, authorizationId } = standing;
  const found: Partial<OutcomeColumns> = outcome;
  await insertEvent(db, {
    subscriptionId: standing.subscriptionId,
    at,
    actor: DUEDAY,
    type: 'attempt.contradicted',
    data: { cycle, attempt, send, stands: { state, authorizationId }, found: outcomeData(outcome) },
    changeKey: `contradicted/${cycle}/${attempt}/${send}/${outcome.state}/${found.authorizationId ?? ''}`,
  });
}
