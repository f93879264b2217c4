import type { ListedRecord } from '../../src/domain/send';
import type { Instant } from '../../src/domain/time';
import type { EventData } from '../../src/domain/trail/event';
import type { EventType } from '../../src/domain/trail/events';
import {
  applyChange,
  insertEvent,
  namesOfOrder,
  type OrderOutcome,
  type OrderSendRef,
  type OrderSubject,
  recordOrderOutcome,
} from '../../src/ledger';
import type { SendOptions, ServiceResult } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import type { Progress } from '../stops';

/** A capture or a refund as the service lists it. */
export interface ServiceRecord extends ListedRecord {
  readonly status: 'pending' | 'successful' | 'failed';
  readonly detail?: string | undefined;
  readonly description?: string | undefined;
}

/** What is ordered, and how the service is asked for it: all in which a capture differs from a refund. */
export interface Order<R extends ServiceRecord> {
  readonly subject: OrderSubject;
  /** Business time of the order. */
  readonly orderedAt: Instant;
  /** The service's own id of a record. */
  idOf(this: void, record: R): string;
  /** Those of the listed records that this order may have made. */
  candidates(this: void, listed: readonly R[]): readonly R[];
  list(this: void): Promise<ServiceResult<readonly R[]>>;
  post(this: void, options: SendOptions): Promise<ServiceResult<R>>;
  /** Why nothing may be sent any more, in the words of a refusal; null as long as it may. Asked right before the POST too. */
  whyOver(this: void): { readonly detail: string; readonly description: string } | null;
}

/** One order under way: what it works with, what was ordered, how it reports. */
export interface Ordering<R extends ServiceRecord = ServiceRecord> {
  readonly deps: Dependencies;
  readonly order: Order<R>;
  readonly progress: Progress;
  /** Real time since the workflow asked for it, ms. */
  readonly age: () => number;
}

/** Writes what became of a send; a final outcome that stands is never overwritten. */
export async function recordOrder<R extends ServiceRecord>(
  { deps, order }: Ordering<R>,
  { send }: Pick<OrderSendRef, 'send'>,
  outcome: OrderOutcome,
): Promise<void> {
  const { subject } = order;
  if (outcome.state === 'failed' || outcome.state === 'unresolved') {
    deps.log.warn({ ...namesInLog(subject), send, ...outcome }, `${subject.kind}.${outcome.state}`);
  }
  await recordOrderOutcome(deps.ledger, { orderId: subject.orderId, send }, outcome, deps.clock.now());
}

/** Something a person should hear of: written to the trail once for each order and type, and logged each time. */
export async function alertOfOrder<R extends ServiceRecord>(
  ordering: Ordering<R>,
  type: EventType,
  data: EventData,
): Promise<void> {
  ordering.deps.log.warn({ ...namesInLog(ordering.order.subject), ...data }, type);
  await tellOfOrder(ordering, type, data);
}

/** Written to the trail once for each order and type. */
export async function tellOfOrder<R extends ServiceRecord>(
  { deps, order }: Ordering<R>,
  type: EventType,
  data: EventData = {},
): Promise<void> {
  const { subject } = order;
  const { subscriptionId, orderId, paymentId } = subject;
  const event = { type, data: { ...namesOfOrder(subject), ...data } };
  const change = { key: `${type}/${orderId}`, at: deps.clock.now(), actor: 'dueday' };
  if (subscriptionId === null) {
    const { key: changeKey, at, actor } = change;
    await insertEvent(deps.ledger, { ...event, subscriptionId, paymentId, changeKey, at, actor });
  } else {
    await applyChange(deps.ledger, { subscriptionId, ...change, events: [event] });
  }
}

function namesInLog(subject: OrderSubject): EventData {
  const { subscriptionId, paymentId } = subject;
  return { ...(subscriptionId === null ? { paymentId } : { subscriptionId }), ...namesOfOrder(subject) };
}
