import type { Pool } from 'pg';
import type { Unconfirmed } from '../../domain/attempt/action';
import type { Instant } from '../../domain/time';
import type { EventData } from '../../domain/audit/event';
import { isFinal, isVerdict, mayBecome, type OrderSendState } from '../../domain/send';
import { inTransaction } from '../sql/database';
import { instantToColumn, type Db } from '../sql/statements';
import {
  type BlockedSend,
  contradictionData,
  outcomeData,
  outcomeValues,
  type RecordOutcomeResult,
  SET_OUTCOME,
} from '../rows/any-send';
import { insertEvent } from '../audit/entries';
import { restatePayment } from '../payments/changes';
import { raisePaymentRevision } from '../payments/revisions';
import {
  lockPaymentOf,
  type NewOrderSend,
  type OrderSendRecord,
  type OrderSendRef,
  readOrderSend,
  entryOfOrder,
  nameAtService,
  nameOfRefunded,
  enterSend,
} from './sends';
import { endWaiting, openWaiting, waitsForOperator } from './waiting';

/**
 * The outcome of a send. `serviceId` and `createdAt` are as reported by the service; an outcome given by an operator has no
 * `createdAt`.
 */
export type OrderOutcome =
  | {
      readonly state: 'pending' | 'successful';
      readonly serviceId: string;
      readonly createdAt?: Instant | undefined;
      /** Real time at which the service reported it. */
      readonly reportedReal?: number;
    }
  | {
      readonly state: 'failed';
      readonly detail: string;
      readonly description: string;
      readonly serviceId?: string | undefined;
      readonly createdAt?: Instant | undefined;
    }
  | Unconfirmed;

/**
 * Writes the outcome of a send and the audit entry `refund.<state>` or `capture.<state>` in one transaction. A final
 * outcome is never overwritten; one that contradicts it is recorded in the audit log as `….contradicted`.
 * @throws if the send is not in the ledger, or the service's record already belongs to another send.
 */
export async function recordOrderOutcome(
  pool: Pool,
  ref: OrderSendRef,
  outcome: OrderOutcome,
  at: Instant,
): Promise<RecordOutcomeResult<OrderSendRecord>> {
  return inTransaction(pool, (db) => recordWithin(db, ref, outcome, at));
}

/** Does the work of {@link recordOrderOutcome} within the caller's transaction. */
export async function recordWithin(
  db: Db,
  ref: OrderSendRef,
  outcome: OrderOutcome,
  at: Instant,
): Promise<RecordOutcomeResult<OrderSendRecord>> {
  await lockPaymentOf(db, ref.orderId);
  const current = await readSend(db, ref);
  if (!mayBecome(current.state, outcome.state)) {
    if (contradicts(current, outcome)) await recordContradiction(db, current, outcome, at);
    return { kind: 'unchanged', send: current };
  }
  await updateSend(db, ref, outcome, at);
  const { send, amount, kind, paymentId, subscriptionId } = current;
  const data = { send, amount, ...nameOfRefunded(current), ...auditData(kind, outcome) };
  await insertEvent(db, entryOfOrder(current, outcome.state, at, data));
  if (subscriptionId === null) await restatePayment(db, paymentId);
  if (kind === 'capture' && isVerdict(outcome.state)) await raisePaymentRevision(db, paymentId);
  await followOrder(db, current, outcome, at);
  return { kind: 'recorded', send: await readSend(db, ref) };
}

/**
 * An unresolved order waits for an operator; one that could not be sent keeps waiting if it did before; any other outcome ends
 * the wait.
 */
async function followOrder(db: Db, before: OrderSendRecord, outcome: OrderOutcome, at: Instant): Promise<void> {
  const { orderId } = before;
  if (outcome.state === 'unresolved') return openWaiting(db, { ...before, state: outcome.state }, outcome.reason, at);
  if (outcome.state !== 'not_sent' || before.state !== 'sending') return endWaiting(db, orderId);
  if (await waitsForOperator(db, orderId))
    await openWaiting(db, { ...before, state: outcome.state }, outcome.reason, at);
}

async function readSend(db: Db, ref: OrderSendRef): Promise<OrderSendRecord> {
  const send = await readOrderSend(db, ref);
  if (send === null) throw new Error(`the ledger has no send ${ref.send} of order ${ref.orderId}`);
  return send;
}

async function updateSend(db: Db, ref: OrderSendRef, outcome: OrderOutcome, at: Instant): Promise<void> {
  const named: Named = outcome;
  const { serviceId = null, createdAt = null } = named;
  await db.query(
    `update order_sends set
       ${SET_OUTCOME},
       service_id = coalesce($9, service_id),
       service_created_at = coalesce($10, service_created_at)
     where (order_id, send) = ($11, $12)`,
    [...outcomeValues(outcome, at), serviceId, instantToColumn(createdAt), ref.orderId, ref.send],
  );
}

/** The id and time that an outcome may carry. */
interface Named {
  readonly state: OrderSendState;
  readonly serviceId?: string | undefined;
  readonly createdAt?: Instant | undefined;
}

/** An outcome as written to the audit log. */
function auditData(kind: OrderSendRecord['kind'], outcome: OrderOutcome): EventData {
  const { serviceId, ...rest }: Named = outcome;
  return { ...outcomeData(rest), ...nameAtService(kind, serviceId) };
}

/** Whether an outcome is another final one, or names a record of the service that the final row does not have. */
function contradicts(current: OrderSendRecord, outcome: OrderOutcome): boolean {
  if (!isFinal(current.state)) return false;
  const { serviceId }: Named = outcome;
  if (serviceId !== undefined && serviceId !== current.serviceId) return true;
  return isFinal(outcome.state) && outcome.state !== current.state;
}

async function recordContradiction(
  db: Db,
  current: OrderSendRecord,
  outcome: OrderOutcome,
  at: Instant,
): Promise<void> {
  const { orderId, send, state, serviceId, kind } = current;
  const found: Named = outcome;
  const recorded = { state, ...nameAtService(kind, serviceId) };
  await insertEvent(db, {
    ...entryOfOrder(current, 'contradicted', at, { send, recorded, ...contradictionData(auditData(kind, outcome)) }),
    changeKey: `contradicted/${orderId}/${send}/${outcome.state}/${found.serviceId ?? ''}`,
  });
}

export interface UnsentOrder extends Omit<NewOrderSend, 'knownIds'> {
  readonly detail: string;
  readonly description: string;
}

export type FailUnsentResult = { readonly kind: 'failed' } | BlockedSend<OrderSendRecord>;

/**
 * Records that an order that may no longer be sent has failed without a POST, in one transaction, so that no reader sees it as
 * sending. If another send of the payment has an unknown outcome, nothing is written: that send must be settled first.
 */
export async function failUnsent(pool: Pool, order: UnsentOrder): Promise<FailUnsentResult> {
  const { detail, description, ...unsent } = order;
  return inTransaction(pool, async (db): Promise<FailUnsentResult> => {
    const entered = await enterSend(db, { ...unsent, knownIds: [] });
    if (entered.kind === 'blocked') return entered;
    await recordWithin(db, entered.send, { state: 'failed', detail, description }, unsent.at);
    return { kind: 'failed' };
  });
}
