import type { Pool } from 'pg';
import type { OrderId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import type { EventData } from '../../domain/trail/event';
import { outcomeData } from '../attempts/outcomes';
import { instantToColumn, textToColumn, type Db, inTransaction } from '../database';
import { insertEvent } from '../events';
import { restatePayment } from '../payments/changes';
import {
  lockPaymentOf,
  type OrderSendRecord,
  type OrderSendRef,
  type OrderSendState,
  readOrderSend,
  entryOfOrder,
  nameAtService,
  beginSend,
} from './sends';

/** What became of a send. `serviceId` and `createdAt` are the service's, as it tells them. */
export type OrderOutcome =
  | {
      readonly state: 'pending' | 'successful';
      readonly serviceId: string;
      readonly createdAt: Instant;
    }
  | {
      readonly state: 'failed';
      readonly detail: string;
      readonly description: string;
      readonly serviceId?: string | undefined;
      readonly createdAt?: Instant | undefined;
    }
  | { readonly state: 'not_sent'; readonly reason: string }
  | { readonly state: 'unknown'; readonly reason: string; readonly sinceReal: number }
  | { readonly state: 'unresolved'; readonly reason: string };

export type RecordOrderOutcomeResult =
  | { readonly kind: 'recorded'; readonly send: OrderSendRecord }
  /** Nothing was written: the send is final already, or further than this outcome. Its row as it stands. */
  | { readonly kind: 'stands'; readonly send: OrderSendRecord };

/** The same table as the trigger `guard_order_send`, which refuses whatever does not keep to it. */
const FROM: Readonly<Record<OrderSendState, readonly OrderSendState[]>> = {
  sending: ['pending', 'unknown', 'unresolved', 'successful', 'failed', 'not_sent'],
  pending: ['successful', 'failed'],
  unknown: ['pending', 'unresolved', 'successful', 'failed', 'not_sent'],
  unresolved: ['pending', 'successful', 'failed', 'not_sent'],
  successful: [],
  failed: [],
  not_sent: [],
};

/**
 * Writes what became of a send, and the trail's entry `refund.<state>` or `capture.<state>`, in one transaction. A final
 * outcome is never overwritten; one that speaks against it is left to the trail as `….contradicted`.
 * @throws where the send is not in the ledger, or the service's record is already another send's.
 */
export async function recordOrderOutcome(
  pool: Pool,
  ref: OrderSendRef,
  outcome: OrderOutcome,
  at: Instant,
): Promise<RecordOrderOutcomeResult> {
  return inTransaction(pool, (db) => recordWithin(db, ref, outcome, at));
}

/** The same, within a transaction that goes on. */
export async function recordWithin(
  db: Db,
  ref: OrderSendRef,
  outcome: OrderOutcome,
  at: Instant,
): Promise<RecordOrderOutcomeResult> {
  await lockPaymentOf(db, ref.orderId);
  const standing = await readSend(db, ref);
  if (!FROM[standing.state].includes(outcome.state)) {
    if (contradicts(standing, outcome)) await recordContradiction(db, standing, outcome, at);
    return { kind: 'stands', send: standing };
  }
  await updateSend(db, ref, outcome, at);
  const { send, amount, kind, paymentId, subscriptionId } = standing;
  await insertEvent(db, entryOfOrder(standing, outcome.state, at, { send, amount, ...told(kind, outcome) }));
  if (subscriptionId === null) await restatePayment(db, paymentId);
  return { kind: 'recorded', send: await readSend(db, ref) };
}

export function isFinalOrderState(state: OrderSendState): boolean {
  return FROM[state].length === 0;
}

async function readSend(db: Db, ref: OrderSendRef): Promise<OrderSendRecord> {
  const send = await readOrderSend(db, ref);
  if (send === null) throw new Error(`the ledger has no send ${ref.send} of order ${ref.orderId}`);
  return send;
}

async function updateSend(db: Db, ref: OrderSendRef, outcome: OrderOutcome, at: Instant): Promise<void> {
  const found: Partial<OutcomeColumns> = outcome;
  await db.query(
    `update order_sends set
       state = $3,
       service_id = coalesce($4, service_id),
       service_created_at = coalesce($5, service_created_at),
       detail = $6, description = $7, reason = $8,
       unknown_since_real = coalesce(unknown_since_real, $9),
       outcome_at = $10
     where (order_id, send) = ($1, $2)`,
    [
      ref.orderId,
      ref.send,
      outcome.state,
      found.serviceId ?? null,
      instantToColumn(found.createdAt ?? null),
      textToColumn(found.detail ?? null),
      textToColumn(found.description ?? null),
      textToColumn(found.reason ?? null),
      instantToColumn(found.sinceReal ?? null),
      isFinalOrderState(outcome.state) ? instantToColumn(at) : null,
    ],
  );
}

/** Every field that some outcome has. */
interface OutcomeColumns {
  serviceId: string | undefined;
  createdAt: Instant | undefined;
  detail: string;
  description: string;
  reason: string;
  sinceReal: number;
}

/** An outcome as the trail tells it. */
function told(kind: OrderSendRecord['kind'], outcome: OrderOutcome): EventData {
  const { serviceId, ...rest }: Partial<OutcomeColumns> = outcome;
  return { ...outcomeData(rest), ...nameAtService(kind, serviceId) };
}

/** Another final outcome than the one that stands, or a record at the service that the final row lacks. */
function contradicts(standing: OrderSendRecord, outcome: OrderOutcome): boolean {
  if (!isFinalOrderState(standing.state)) return false;
  const { serviceId }: Partial<OutcomeColumns> = outcome;
  if (serviceId !== undefined && serviceId !== standing.serviceId) return true;
  return isFinalOrderState(outcome.state) && outcome.state !== standing.state;
}

async function recordContradiction(
  db: Db,
  standing: OrderSendRecord,
  outcome: OrderOutcome,
  at: Instant,
): Promise<void> {
  const { orderId, send, state, serviceId, kind } = standing;
  const found: Partial<OutcomeColumns> = outcome;
  const stands = { state, ...nameAtService(kind, serviceId) };
  await insertEvent(db, {
    ...entryOfOrder(standing, 'contradicted', at, { send, stands, found: told(kind, outcome) }),
    changeKey: `contradicted/${orderId}/${send}/${outcome.state}/${found.serviceId ?? ''}`,
  });
}

export interface UnsentOrder {
  readonly orderId: OrderId;
  readonly detail: string;
  readonly description: string;
  readonly owner: string;
  readonly at: Instant;
  /** Real time. */
  readonly realAt: number;
}

export type FailUnsentResult =
  | { readonly kind: 'failed' }
  /** Nothing was written: this send stands in the way, one in doubt of the payment or one of the order itself. */
  | { readonly kind: 'blocked'; readonly by: OrderSendRecord };

/**
 * An order that may not be sent any more fails without a POST, in one transaction: nobody sees it as sending. Where
 * another send of the payment is in doubt, nothing is written: that one first.
 */
export async function failUnsent(pool: Pool, order: UnsentOrder): Promise<FailUnsentResult> {
  const { orderId, detail, description, owner, at, realAt } = order;
  return inTransaction(pool, async (db): Promise<FailUnsentResult> => {
    const begun = await beginSend(db, { orderId, owner, at, realAt, knownIds: [] });
    if (begun.kind === 'blocked') return begun;
    await recordWithin(db, begun.send, { state: 'failed', detail, description }, at);
    return { kind: 'failed' };
  });
}
