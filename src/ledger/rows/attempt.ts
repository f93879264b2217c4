import type { AttemptState } from '../../domain/send';
import type { AuthorizationId, CaptureId, PaymentId, SubscriptionId } from '../../domain/ids';
import type { CollectResult } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import type { TrailMark } from '../../domain/audit/event';
import { instantToColumn, type Db, readRecord, readValue, readValues } from '../sql/statements';
import { IS_IN_DOUBT, type SendRecord, SET_LOOKS } from './any-send';

/** Names one send of one attempt. */
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
  /** Another system made it (rule 40). */
  readonly adopted: boolean;
  /** Its refusal, if the service has listed its authorization as pending or successful since (rule 36). */
  readonly refusedAs: 'rejected' | 'rejected_retryable' | null;
  /** The service has reported its authorization as successful before its capture was final (rule 37). */
  readonly authorized: boolean;
  /** Real time since which lists have lacked it while it is pending (rule 41). */
  readonly unlistedSinceReal: number | null;
  /** Real time since which a successful capture has been seen under its refusal (rule 37). */
  readonly contradictedSinceReal: number | null;
  /** The person who decided what became of it; null where the service's answer did. */
  readonly resolvedBy: string | null;
}

export const ATTEMPT_COLUMNS = `
  subscription_id, cycle, attempt, send, payment_id, amount, due_at, state, at, sending_real_at, unknown_since_real,
  absent_looks, known_ids, authorization_id, capture_id, authorization_created_at, detail, description, reason, owner,
  outcome_at, resolved_by, accepted_answer, adopted, refused_as, authorized, unlisted_since_real, contradicted_since_real`;

/** The columns of the row `sent` that a function has answered among others, of `w`. */
export const SENT = ATTEMPT_COLUMNS.split(',')
  .map((column) => `(w.sent).${column.trim()}`)
  .join(', ');

/** The last send of an attempt, in any state; null where none was begun. */
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

/** What the ledger has of one attempt, and how far its trail has come. */
export interface AttemptRead {
  /** The last send, in any state; null where none was begun. */
  readonly send: AttemptRecord | null;
  readonly mark: TrailMark;
  /**
   * Of a refused attempt of the cycle that the service has listed again (rule 36): whether it is followed, or has decided the
   * cycle. Null if there is none.
   */
  readonly beside: 'reopened' | 'decided' | null;
}

/** As part of a query, of the subscription $1 and the cycle $2. */
export const BESIDE = `(
  select case state when 'pending' then 'reopened' else 'decided' end from attempts
  where subscription_id = $1 and cycle = $2 and refused_as is not null
    and state in ('pending', 'successful', 'capture_failed')
  order by state = 'pending' desc limit 1
)`;

/** Both in one statement: the mark is of a moment at which the send stood so. */
export async function readAttempt(
  db: Db,
  subscriptionId: SubscriptionId,
  cycle: number,
  attempt: number,
): Promise<AttemptRead> {
  const row = await readRecord<AttemptRecord & TrailMark & Pick<AttemptRead, 'beside'>>(
    db,
    `select a.*, g.accepted_real_at as epoch, coalesce((select max(id) from events), 0) as entry, ${BESIDE} as beside
     from restore_guard g left join lateral (
       select ${ATTEMPT_COLUMNS} from attempts
       where subscription_id = $1 and cycle = $2 and attempt = $3 order by send desc limit 1
     ) a on true`,
    [subscriptionId, cycle, attempt],
  );
  if (row === null) throw new Error('restore_guard has no row: it has one from its migration on');
  const { epoch, entry, beside, ...send } = row;
  const isBegun = (send as { readonly state: AttemptRecord['state'] | null }).state !== null;
  return { send: isBegun ? send : null, mark: { epoch, entry }, beside };
}

/** Every authorization that the ledger has as the payment's own, and every one that the service showed right before a send of the payment: what a later send cannot have made. */
export async function heldAuthorizationIds(db: Db, paymentId: PaymentId): Promise<readonly string[]> {
  return readValues(
    db,
    `select authorization_id from attempts where payment_id = $1 and authorization_id is not null
     union
     select unnest(known_ids) from attempts where payment_id = $1`,
    [paymentId],
  );
}

/** Whether a POST of the subscription may be on the wire: a row still "sending", begun after `newerThanReal`. */
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
 * Counts looks in a row that found nothing; one that found something begins the count anew. A send whose outcome is
 * known is left as it is.
 * @returns the current row; null where there is none.
 */
export async function recordLook(
  db: Db,
  ref: SendRef,
  look: { readonly absent: boolean },
): Promise<AttemptRecord | null> {
  await db.query(
    `update attempts set ${SET_LOOKS}
     where (subscription_id, cycle, attempt, send) = ($2, $3, $4, $5) and state ${IS_IN_DOUBT}`,
    [look.absent, ...keyOf(ref)],
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
 * What the row says, from the service's answer or from an operator's resolution. An operator need not have named ids (rule
 * 33). The evidence is for the merchant alone, while a refusal's description is sent to the payer.
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
    throw new Error(`the send ${row.cycle}/${row.attempt}/${row.send} is ${state}, which is no outcome to answer`);
  }
  const description = row.resolvedBy === null ? (row.description ?? '') : '';
  const retryable = state === 'rejected_retryable';
  const refusal = { at, sentAt: row.at, detail: row.detail ?? 'UNKNOWN', description, retryable };
  // What follows from a refusal followed when it was refused first.
  return { kind: 'rejected', ...refusal, ...(row.refusedAs === null ? {} : { again: true as const }) };
}
