import type { AttemptState } from '../../domain/send';
import type { AuthorizationId, CaptureId, PaymentId, SubscriptionId } from '../../domain/ids';
import type { CollectResult } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import type { AuditPosition } from '../../domain/audit/event';
import { instantToColumn, type Db, readRecord, readValue, readValues } from '../sql/statements';
import { HAS_UNKNOWN_OUTCOME, type SendRecord, COUNT_ABSENCES } from './any-send';

/** Identifies one send of one attempt. */
export interface SendRef {
  readonly subscriptionId: SubscriptionId;
  readonly cycle: number;
  /** 0 first, then the retries. */
  readonly attempt: number;
  /** 0, and one more after each send that never arrived. */
  readonly send: number;
}

export interface AttemptRecord extends SendRef, SendRecord<AttemptState> {
  readonly dueAt: Instant;
  readonly authorizationId: AuthorizationId | null;
  readonly captureId: CaptureId | null;
  readonly authorizationCreatedAt: Instant | null;
  /** Whether another system created its authorization (rule 40). */
  readonly adopted: boolean;
  /** The original refusal, if the service has listed its authorization as pending or successful since (rule 36). */
  readonly refusedAs: 'rejected' | 'rejected_retryable' | null;
  /** Whether the service has reported its authorization as successful before its capture was final (rule 37). */
  readonly authorized: boolean;
  /** Real time since which lists have lacked its pending authorization (rule 41). */
  readonly unlistedSinceReal: number | null;
  /** Real time since which a successful capture has been seen despite its refusal (rule 37). */
  readonly contradictedSinceReal: number | null;
  /** The operator who resolved it; null if none did. */
  readonly resolvedBy: string | null;
}

export const ATTEMPT_COLUMNS = `
  subscription_id, cycle, attempt, send, payment_id, amount, due_at, state, at, sending_real_at, unknown_since_real,
  absent_checks, known_ids, authorization_id, capture_id, authorization_created_at, detail, description, reason, owner,
  outcome_at, resolved_by, accepted_answer, adopted, refused_as, authorized, unlisted_since_real, contradicted_since_real`;

/** The columns of the row `sent` among the results `w` of a function. */
export const SENT = ATTEMPT_COLUMNS.split(',')
  .map((column) => `(w.sent).${column.trim()}`)
  .join(', ');

/** The last send of an attempt, in any state; null if none was started. */
export async function latestSend(
  db: Db,
  subscriptionId: SubscriptionId,
  cycle: number,
  attempt: number,
): Promise<AttemptRecord | null> {
  return readRecord(
    db,
    `select ${ATTEMPT_COLUMNS} from attempts where subscription_id = $1 and cycle = $2 and attempt = $3 order by send desc limit 1`,
    [subscriptionId, cycle, attempt],
  );
}

/** One attempt in the ledger, and the position of the audit log. */
export interface AttemptRead {
  /** The last send, in any state; null if none was started. */
  readonly send: AttemptRecord | null;
  readonly mark: AuditPosition;
  /**
   * A refused attempt of the cycle that the service lists again (rule 36): `pending`, or `decided` if it is now `successful` or
   * `capture_failed`. Null if there is none.
   */
  readonly reopened: 'pending' | 'decided' | null;
}

/** SQL call: the refused attempt that the service lists again, of the subscription $1 and the cycle $2. */
export const REOPENED_ATTEMPT = 'reopened_attempt($1, $2)';

/** Reads the attempt and the position in one statement, so that the position matches the state of the send. */
export async function readAttempt(
  db: Db,
  subscriptionId: SubscriptionId,
  cycle: number,
  attempt: number,
): Promise<AttemptRead> {
  const row = await readRecord<AttemptRecord & AuditPosition & Pick<AttemptRead, 'reopened'>>(
    db,
    `select a.*, g.accepted_real_at as epoch, coalesce((select max(id) from events), 0) as entry, ${REOPENED_ATTEMPT} as reopened
     from restore_guard g left join lateral (
       select ${ATTEMPT_COLUMNS} from attempts
       where subscription_id = $1 and cycle = $2 and attempt = $3 order by send desc limit 1
     ) a on true`,
    [subscriptionId, cycle, attempt],
  );
  if (row === null) throw new Error('restore_guard has no row: its migration inserts one');
  const { epoch, entry, reopened, ...send } = row;
  const hasStarted = (send as { readonly state: AttemptRecord['state'] | null }).state !== null;
  return { send: hasStarted ? send : null, mark: { epoch, entry }, reopened };
}

/**
 * Every authorization that the ledger has for the payment, and every one that the service showed right before one of its sends:
 * a later send cannot have created these.
 */
export async function takenAuthorizationIds(db: Db, paymentId: PaymentId): Promise<readonly string[]> {
  return readValues(
    db,
    `select authorization_id from attempts where payment_id = $1 and authorization_id is not null
     union
     select unnest(known_ids) from attempts where payment_id = $1`,
    [paymentId],
  );
}

/** Whether a POST of the subscription may be on the wire: a row is still "sending", and was started after `newerThanReal`. */
export async function hasSendOnWire(db: Db, subscriptionId: SubscriptionId, newerThanReal: number): Promise<boolean> {
  const isOnWire = await readValue<boolean>(
    db,
    `select exists (
       select from attempts where subscription_id = $1 and state = 'sending' and sending_real_at > $2
     )`,
    [subscriptionId, instantToColumn(newerThanReal)],
  );
  return isOnWire === true;
}

/**
 * Counts consecutive checks that found nothing; a check that found something restarts the count. A send with a known outcome is
 * left unchanged.
 * @returns the current row; null if there is none.
 */
export async function recordAbsenceCheck(
  db: Db,
  ref: SendRef,
  check: { readonly absent: boolean },
): Promise<AttemptRecord | null> {
  await db.query(
    `update attempts set ${COUNT_ABSENCES}
     where (subscription_id, cycle, attempt, send) = ($2, $3, $4, $5) and state ${HAS_UNKNOWN_OUTCOME}`,
    [check.absent, ...keyOf(ref)],
  );
  return readSend(db, ref);
}

export async function readSend(db: Db, ref: SendRef): Promise<AttemptRecord | null> {
  return readRecord(
    db,
    `select ${ATTEMPT_COLUMNS} from attempts where (subscription_id, cycle, attempt, send) = ($1, $2, $3, $4)`,
    keyOf(ref),
  );
}

export function keyOf(ref: SendRef): [string, number, number, number] {
  return [ref.subscriptionId, ref.cycle, ref.attempt, ref.send];
}

export type FinalResult = Extract<CollectResult, { kind: 'collected' | 'capture_failed' | 'rejected' }>;

/**
 * The result that the row shows, from the service's answer or from an operator's resolution. An operator may have given no ids
 * (rule 33). The evidence is for the merchant only, while the description of a refusal is sent to the payer.
 * @throws if the row has no outcome yet, or the send never arrived.
 */
export function resultOf(row: AttemptRecord): FinalResult {
  const at = row.authorizationCreatedAt ?? row.outcomeAt ?? row.at;
  const { authorizationId, captureId, state } = row;
  if (state === 'successful') return { kind: 'collected', authorizationId, captureId, at };
  if (state === 'capture_failed' && authorizationId !== null) {
    return { kind: 'capture_failed', authorizationId, captureId, detail: row.detail ?? 'CAPTURE_FAILED', at };
  }
  if (state !== 'rejected' && state !== 'rejected_retryable') {
    throw new Error(`the send ${row.cycle}/${row.attempt}/${row.send} is ${state}, which is not an outcome`);
  }
  const description = row.resolvedBy === null ? (row.description ?? '') : '';
  const retryable = state === 'rejected_retryable';
  const refusal = { at, sentAt: row.at, detail: row.detail ?? 'UNKNOWN', description, retryable };
  // What follows from a refusal was done when it was first refused.
  return { kind: 'rejected', ...refusal, ...(row.refusedAs === null ? {} : { again: true as const }) };
}
