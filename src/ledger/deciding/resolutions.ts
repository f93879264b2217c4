import { isFinal } from '../../domain/send';
import { type Instant, toIso } from '../../domain/time';
import { type Actor, actorOf } from '../../domain/audit/event';
import { instantToColumn, textToColumn, type Db, readRecord, readRecords, readValue } from '../sql/statements';
import { insertEvent } from '../audit/entries';
import { ATTEMPT_COLUMNS, type AttemptRecord, keyOf, latestSend } from '../rows/attempt';
import { answerWithBefore, collectCycle, debitTimeOf, type WithBefore } from './collected';
import { reportSecondDebit } from '../attempts/outcomes';
import { insertSend, type NewSend } from '../attempts/sends';

/** An operator's resolution of an attempt whose outcome the service does not show (rule 18). */
export interface Resolution extends Actor, Omit<NewSend, 'knownIds' | 'owner' | 'collectBy'> {
  readonly outcome: 'collected' | 'failed';
  readonly evidence: string;
  readonly authorizationId: string | null;
  readonly captureId: string | null;
  readonly nextDueAt: Instant | null;
}

/** An id that an operator gave, and the attempt of the same payment that has it already. */
export interface TakenId {
  readonly field: 'authorizationId' | 'captureId';
  readonly given: string;
  readonly cycle: number;
  readonly attempt: number;
}

export type ResolveResult =
  | { readonly kind: 'resolved'; readonly attempt: AttemptRecord }
  /** A given id belongs to another attempt of the payment; nothing is written (rule 32). */
  | { readonly kind: 'taken'; readonly taken: TakenId }
  /** The service has answered meanwhile, or knows the authorization: its answer counts. */
  | { readonly kind: 'settled'; readonly attempt: AttemptRecord };

/**
 * Writes an operator's resolution as the outcome of the attempt. If it concerns an authorization that none of dueday's sends
 * explains, a send is entered for it, so that the ledger has the debit. Requires the lock of the subscription.
 */
export async function resolveAttempt(db: Db, resolution: Resolution): Promise<ResolveResult> {
  const { subscriptionId, cycle, attempt: number, at } = resolution;
  const latest = await latestSend(db, subscriptionId, cycle, number);
  const taken = await findTaken(db, resolution);
  if (taken !== null) return { kind: 'taken', taken };
  const next = latest === null ? 0 : latest.send + 1;
  const send = latest === null || countsAsNeverMade(latest) ? await enterSend(db, resolution, next) : latest;
  if (isFinal(send.state) || !(await isForOperator(db, send, at))) return { kind: 'settled', attempt: send };
  const { before, ...attempt } = await writeResolution(db, send, resolution);
  await insertEvent(db, eventOf(attempt, resolution));
  if (attempt.state === 'successful') {
    const collecting = { at, debitedAt: debitTimeOf(attempt), nextDueAt: resolution.nextDueAt };
    await (before.isCollected
      ? reportSecondDebit(db, attempt, at)
      : collectCycle(db, { ...attempt, before }, collecting));
  }
  return { kind: 'resolved', attempt };
}

/** Whether the send never arrived, or is a refused authorization of another system, which counts as no attempt (rule 40). */
function countsAsNeverMade({ state, adopted }: AttemptRecord): boolean {
  return state === 'not_sent' || (adopted && (state === 'rejected' || state === 'rejected_retryable'));
}

type Finding = Pick<Resolution, 'subscriptionId' | 'cycle' | 'outcome' | 'actor' | 'evidence' | TakenId['field']>;

/**
 * Whether the same operator has resolved an attempt of the cycle in the same way before: the response may have been lost. Later
 * attempts of the cycle may have no outcome yet, and must not take over this resolution.
 */
export async function isResolvedAlike(db: Db, finding: Finding): Promise<boolean> {
  const resolved = await readRecords<AttemptRecord>(
    db,
    `select ${ATTEMPT_COLUMNS} from attempts where subscription_id = $1 and cycle = $2 and resolved_by is not null`,
    [finding.subscriptionId, finding.cycle],
  );
  return resolved.some((row) => isSameResolution(row, finding));
}

/** A pending attempt can be resolved only if its window is over, lists lack it, or it was refused before (rule 41). */
async function isForOperator(
  db: Db,
  { subscriptionId, cycle, state, unlistedSinceReal, refusedAs }: AttemptRecord,
  at: Instant,
): Promise<boolean> {
  if (state !== 'pending' || unlistedSinceReal !== null || refusedAs !== null) return true;
  const collectBy = await readValue<Instant>(
    db,
    'select collect_by from cycles where subscription_id = $1 and cycle = $2',
    [subscriptionId, cycle],
  );
  return collectBy !== null && at >= collectBy;
}

function isSameResolution(row: AttemptRecord, { outcome, actor, evidence, ...ids }: Finding): boolean {
  // The row of a failed attempt keeps no ids but those that the service had given.
  const isSameId = (field: TakenId['field']) =>
    ids[field] === null || ids[field] === row[field] || (outcome === 'failed' && row[field] === null);
  return (
    row.resolvedBy === textToColumn(actor) &&
    row.description === textToColumn(evidence) &&
    row.state === STATES[outcome] &&
    isSameId('authorizationId') &&
    isSameId('captureId')
  );
}

const STATES = { collected: 'successful', failed: 'rejected' } as const;

/** Ids are unique within their payment and kind; nothing more is guaranteed (rule 34). */
async function findTaken(db: Db, resolution: Resolution): Promise<TakenId | null> {
  const { paymentId, subscriptionId, cycle, attempt, authorizationId, captureId } = resolution;
  const row = await readRecord<{ cycle: number; attempt: number; isAuthorization: boolean }>(
    db,
    `select cycle, attempt, coalesce(authorization_id = $5, false) as is_authorization from attempts
     where payment_id = $1 and (subscription_id, cycle, attempt) <> ($2, $3, $4)
       and (authorization_id = $5 or capture_id = $6)
     order by is_authorization desc limit 1`,
    [paymentId, subscriptionId, cycle, attempt, authorizationId, captureId],
  );
  if (row === null) return null;
  const about = { cycle: row.cycle, attempt: row.attempt };
  return row.isAuthorization
    ? { field: 'authorizationId', given: authorizationId ?? '', ...about }
    : { field: 'captureId', given: captureId ?? '', ...about };
}

function enterSend(db: Db, resolution: Resolution, send: number): Promise<AttemptRecord> {
  return insertSend(db, { ...resolution, knownIds: [], owner: resolution.actor }, send);
}

async function writeResolution(db: Db, send: AttemptRecord, resolution: Resolution): Promise<WithBefore> {
  const { outcome, actor, evidence, authorizationId, captureId, at } = resolution;
  const collected = outcome === 'collected';
  const row = await readRecord<WithBefore>(
    db,
    `with sent as (
       update attempts set
         state = $5, authorization_id = coalesce($6, authorization_id), capture_id = coalesce($7, capture_id),
         detail = $8, description = $9, resolved_by = $10, evidence = $9, outcome_at = $11
       where (subscription_id, cycle, attempt, send) = ($1, $2, $3, $4)
       returning ${ATTEMPT_COLUMNS}
     ) ${answerWithBefore()}`,
    [
      ...keyOf(send),
      STATES[outcome],
      collected ? authorizationId : null,
      collected ? captureId : null,
      collected ? null : 'RESOLVED_AS_FAILED',
      textToColumn(evidence),
      textToColumn(actor),
      instantToColumn(at),
    ],
  );
  if (row === null) throw new Error(`the send ${keyOf(send).join('/')} disappeared while locked`);
  return row;
}

/** Includes the ids that were given as evidence, even if the row keeps none of them. */
function eventOf(attempt: AttemptRecord, { at, outcome, evidence, dueAt, ...given }: Resolution) {
  const { subscriptionId, cycle, amount } = attempt;
  const authorizationId = given.authorizationId ?? attempt.authorizationId;
  const captureId = given.captureId ?? attempt.captureId;
  const about = { cycle, attempt: attempt.attempt, send: attempt.send, amount, dueAt: toIso(dueAt) };
  return {
    subscriptionId,
    at,
    ...actorOf(given),
    type: 'cycle.resolved' as const,
    data: { ...about, outcome, evidence, authorizationId, captureId },
  };
}
