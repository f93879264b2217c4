import type { AttemptState } from '../../domain/send';
import type { AuthorizationId, CaptureId, PaymentId, SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { Instant } from '../../domain/time';
import { instantToColumn, moneyFromColumn, type Db, queryOne } from '../database';

/** Names one send of one attempt. */
export interface SendRef {
  readonly subscriptionId: SubscriptionId;
  readonly cycle: number;
  /** 0 first, 1 to 3 retries. */
  readonly attempt: number;
  /** 0, and one more after each send that never arrived. */
  readonly send: number;
}

export interface AttemptRecord extends SendRef {
  readonly paymentId: PaymentId;
  readonly amount: Money;
  readonly dueAt: Instant;
  readonly state: AttemptState;
  /** Business time of sending. */
  readonly at: Instant;
  /** Real time of sending. */
  readonly sendingRealAt: number;
  /** Real time since when the outcome is not known; null where it never was unknown. */
  readonly unknownSinceReal: number | null;
  /** Looks in a row that found nothing. */
  readonly absentLooks: number;
  /** What the service showed right before sending, and no earlier send of the payment had seen or made. */
  readonly knownIds: readonly string[];
  readonly authorizationId: AuthorizationId | null;
  readonly captureId: CaptureId | null;
  readonly authorizationCreatedAt: Instant | null;
  readonly detail: string | null;
  readonly description: string | null;
  readonly reason: string | null;
  /** The process that sent it. */
  readonly owner: string;
  /** When it became final. */
  readonly outcomeAt: Instant | null;
  /** The person who decided what became of it; null where the service's word did. */
  readonly resolvedBy: string | null;
}

/** The last send of an attempt, whatever its state; null where none was begun. */
export async function latestSend(
  db: Db,
  subscriptionId: SubscriptionId,
  cycle: number,
  attempt: number,
): Promise<AttemptRecord | null> {
  const row = await queryOne<AttemptRow>(
    db,
    `select * from attempts where subscription_id = $1 and cycle = $2 and attempt = $3 order by send desc limit 1`,
    [subscriptionId, cycle, attempt],
  );
  return row === null ? null : toAttempt(row);
}

/** Sends whose outcome was not known until they were settled as never made. */
export interface SendsInVain {
  readonly sends: number;
  /** Real time since when the last of them was in doubt; null where there is none. */
  readonly lastInDoubtReal: number | null;
}

/** Of one attempt. */
export async function sendsInVain(
  db: Db,
  subscriptionId: SubscriptionId,
  cycle: number,
  attempt: number,
): Promise<SendsInVain> {
  const row = await queryOne<InVainRow>(
    db,
    `${IN_VAIN} from attempts
     where (subscription_id, cycle, attempt) = ($1, $2, $3) and state = 'not_sent' and unknown_since_real is not null`,
    [subscriptionId, cycle, attempt],
  );
  return toSendsInVain(row);
}

export const IN_VAIN = 'select count(*) as sends, max(unknown_since_real) as last_in_doubt_real';

export interface InVainRow {
  sends: number;
  last_in_doubt_real: number | null;
}

export function toSendsInVain(row: InVainRow | null): SendsInVain {
  return { sends: row?.sends ?? 0, lastInDoubtReal: row?.last_in_doubt_real ?? null };
}

/** Every authorization of the payment that the ledger has as its own. */
export async function authorizationIdsOf(db: Db, paymentId: PaymentId): Promise<readonly AuthorizationId[]> {
  const { rows } = await db.query<{ authorization_id: string }>(
    `select authorization_id from attempts
     where payment_id = $1 and authorization_id is not null
     order by sending_real_at, authorization_id`,
    [paymentId],
  );
  return rows.map((row) => row.authorization_id as AuthorizationId);
}

/** Those, and every one that the service showed right before a send of the payment: what a later send cannot have made. */
export async function heldAuthorizationIds(db: Db, paymentId: PaymentId): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select authorization_id as id from attempts where payment_id = $1 and authorization_id is not null
     union
     select unnest(known_ids) from attempts where payment_id = $1`,
    [paymentId],
  );
  return rows.map(({ id }) => id);
}

/** Whether a POST of the subscription may be on the wire: a row still "sending", begun after `newerThanReal`. */
export async function hasSendOnWire(db: Db, subscriptionId: SubscriptionId, newerThanReal: number): Promise<boolean> {
  const row = await queryOne<{ found: boolean }>(
    db,
    `select exists (
       select from attempts where subscription_id = $1 and state = 'sending' and sending_real_at > $2
     ) as found`,
    [subscriptionId, instantToColumn(newerThanReal)],
  );
  return row?.found === true;
}

/**
 * Counts looks in a row that found nothing; one that found something begins the count anew. A send whose outcome is
 * known is left as it is.
 * @returns the row as it stands; null where there is none.
 */
export async function recordLook(
  db: Db,
  ref: SendRef,
  look: { readonly absent: boolean },
): Promise<AttemptRecord | null> {
  await db.query(
    `update attempts set absent_looks = case when $5 then absent_looks + 1 else 0 end
     where (subscription_id, cycle, attempt, send) = ($1, $2, $3, $4) and state in ('sending', 'unknown', 'unresolved')`,
    [...keyOf(ref), look.absent],
  );
  return readSend(db, ref);
}

export async function readSend(db: Db, ref: SendRef): Promise<AttemptRecord | null> {
  const row = await queryOne<AttemptRow>(
    db,
    'select * from attempts where (subscription_id, cycle, attempt, send) = ($1, $2, $3, $4)',
    keyOf(ref),
  );
  return row === null ? null : toAttempt(row);
}

export function keyOf(ref: SendRef): [string, number, number, number] {
  return [ref.subscriptionId, ref.cycle, ref.attempt, ref.send];
}

export interface AttemptRow {
  subscription_id: string;
  cycle: number;
  attempt: number;
  send: number;
  payment_id: string;
  amount: number;
  due_at: number;
  state: AttemptState;
  at: number;
  sending_real_at: number;
  unknown_since_real: number | null;
  absent_looks: number;
  known_ids: string[];
  authorization_id: string | null;
  capture_id: string | null;
  authorization_created_at: number | null;
  detail: string | null;
  description: string | null;
  reason: string | null;
  owner: string;
  outcome_at: number | null;
  resolved_by: string | null;
}

export function toAttempt(row: AttemptRow): AttemptRecord {
  return {
    subscriptionId: row.subscription_id as SubscriptionId,
    cycle: row.cycle,
    attempt: row.attempt,
    send: row.send,
    paymentId: row.payment_id as PaymentId,
    amount: moneyFromColumn(row.amount),
    dueAt: row.due_at,
    state: row.state,
    at: row.at,
    sendingRealAt: row.sending_real_at,
    unknownSinceReal: row.unknown_since_real,
    absentLooks: row.absent_looks,
    knownIds: row.known_ids,
    authorizationId: row.authorization_id as AuthorizationId | null,
    captureId: row.capture_id as CaptureId | null,
    authorizationCreatedAt: row.authorization_created_at,
    detail: row.detail,
    description: row.description,
    reason: row.reason,
    owner: row.owner,
    outcomeAt: row.outcome_at,
    resolvedBy: row.resolved_by,
  };
}
