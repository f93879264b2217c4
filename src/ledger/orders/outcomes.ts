import type { Pool } from 'pg';
import type { Unconfirmed } from '../../domain/attempt/action';
import type { Instant } from '../../domain/time';
import type { EventData } from '../../domain/audit/event';
import { isFinal, isVerdict, mayBecome, type OrderSendState } from '../../domain/send';
import { inTransaction } from '../sql/database';
import { instantToColumn, type Db } from '../sql/statements';
import { type BlockedSend, outcomeData, outcomeValues, type RecordOutcomeResult, SET_OUTCOME } from '../rows/any-send';
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
import { endWaiting, openWaiting, waitsForPerson } from './waiting';

/** What became of a send. `serviceId` and `createdAt` are the service's, as it has them; a person does not know the latter. */
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
 * Writes what became of a send, and the trail's entry `refund.<state>` or `capture.<state>`, in one transaction. A final
 * outcome is never overwritten; one that speaks against it is left to the trail as `….contradicted`.
 * @throws where the send is not in the ledger, or the service's record is already another send's.
 */
export async function recordOrderOutcome(
  pool: Pool,
  ref: OrderSendRef,
  outcome: OrderOutcome,
  at: Instant,
): Promise<RecordOutcomeResult<OrderSendRecord>> {
  return inTransaction(pool, (db) => recordWithin(db, ref, outcome, at));
}

/** The same, within a transaction that goes on. */
export async function recordWithin(
  db: Db,
  ref: OrderSendRef,
  outcome: OrderOutcome,
  at: Instant,
): Promise<RecordOutcomeResult<OrderSendRecord>> {
  await lockPaymentOf(db, ref.orderId);
  const standing = await readSend(db, ref);
  if (!mayBecome(standing.state, outcome.state)) {
    if (contradicts(standing, outcome)) await recordContradiction(db, standing, outcome, at);
    return { kind: 'stands', send: standing };
  }
  await updateSend(db, ref, outcome, at);
  const { send, amount, kind, paymentId, subscriptionId } = standing;
  const data = { send, amount, ...nameOfRefunded(standing), ...trailData(kind, outcome) };
  await insertEvent(db, entryOfOrder(standing, outcome.state, at, data));
  if (subscriptionId === null) await restatePayment(db, paymentId);
  if (kind === 'capture' && isVerdict(outcome.state)) await raisePaymentRevision(db, paymentId);
  await followOrder(db, standing, outcome, at);
  return { kind: 'recorded', send: await readSend(db, ref) };
}

/** An unresolved order waits for a person; one that could not be sent waits on, if it did; any other outcome ends that. */
async function followOrder(db: Db, before: OrderSendRecord, outcome: OrderOutcome, at: Instant): Promise<void> {
  const { orderId } = before;
  if (outcome.state === 'unresolved') return openWaiting(db, { ...before, state: outcome.state }, outcome.reason, at);
  if (outcome.state !== 'not_sent' || before.state !== 'sending') return endWaiting(db, orderId);
  if (await waitsForPerson(db, orderId)) await openWaiting(db, { ...before, state: outcome.state }, outcome.reason, at);
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

/** What the service calls it, where an outcome says so. */
interface Named {
  readonly state: OrderSendState;
  readonly serviceId?: string | undefined;
  readonly createdAt?: Instant | undefined;
}

/** An outcome as the trail has it. */
function trailData(kind: OrderSendRecord['kind'], outcome: OrderOutcome): EventData {
  const { serviceId, ...rest }: Named = outcome;
  return { ...outcomeData(rest), ...nameAtService(kind, serviceId) };
}

/** Another final outcome than the one that stands, or a record at the service that the final row lacks. */
function contradicts(standing: OrderSendRecord, outcome: OrderOutcome): boolean {
  if (!isFinal(standing.state)) return false;
  const { serviceId }: Named = outcome;
  if (serviceId !== undefined && serviceId !== standing.serviceId) return true;
  return isFinal(outcome.state) && outcome.state !== standing.state;
}

async function recordContradiction(
  db: Db,
  standing: OrderSendRecord,
  outcome: OrderOutcome,
  at: Instant,
): Promise<void> {
  const { orderId, send, state, serviceId, kind } = standing;
  const found: Named = outcome;
  const stands = { state, ...nameAtService(kind, serviceId) };
  await insertEvent(db, {
    ...entryOfOrder(standing, 'contradicted', at, { send, stands, found: trailData(kind, outcome) }),
    changeKey: `contradicted/${orderId}/${send}/${outcome.state}/${found.serviceId ?? ''}`,
  });
}

export interface UnsentOrder extends Omit<NewOrderSend, 'knownIds'> {
  readonly detail: string;
  readonly description: string;
}

export type FailUnsentResult = { readonly kind: 'failed' } | BlockedSend<OrderSendRecord>;

/**
 * An order that may not be sent any more fails without a POST, in one transaction, so that no reader sees it as
 * sending. Where another send of the payment is in doubt, nothing is written: that one has to be settled first.
 */
export async function failUnsent(pool: Pool, order: UnsentOrder): Promise<FailUnsentResult> {
  const { detail, description, ...unsent } = order;
  return inTransaction(pool, async (db): Promise<FailUnsentResult> => {
    const begun = await enterSend(db, { ...unsent, knownIds: [] });
    if (begun.kind === 'blocked') return begun;
    await recordWithin(db, begun.send, { state: 'failed', detail, description }, unsent.at);
    return { kind: 'failed' };
  });
}
