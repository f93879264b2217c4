import { ApplicationFailure } from '@temporalio/common';
import type { Listed } from '../../src/domain/send';
import { type Instant, toIso } from '../../src/domain/time';
import type { EventData } from '../../src/domain/trail/event';
import type { EventType } from '../../src/domain/trail/events';
import {
  applyChange,
  describeRefusal,
  heldOrderIds,
  insertEvent,
  isRefusedByLedger,
  knownOrders,
  namesOfOrder,
  precheckOrder,
  type OrderOutcome,
  type OrderSubject,
  recordOrderLook,
  recordOrderOutcome,
} from '../../src/ledger';
import type { SendOptions, ServiceResult } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import type { Answer, Sending } from '../sending';
import {
  activityAge,
  growingPause,
  HALTED,
  isOutside,
  patientPause,
  type Progress,
  type Stop,
  tryAgain,
} from '../stops';

/** A capture or a refund as the service lists it. */
export interface ListedOrder extends Listed {
  readonly status: 'pending' | 'successful' | 'failed';
  readonly detail?: string | undefined;
  readonly description?: string | undefined;
}

/** What is ordered, and how the service is asked for it: all in which a capture differs from a refund. */
export interface Order {
  readonly subject: OrderSubject;
  /** Business time of the order. */
  readonly orderedAt: Instant;
  /** Business time before which a capture is to be made; null for a refund, which has no window. */
  readonly deadline: Instant | null;
  readonly list: () => Promise<ServiceResult<readonly ListedOrder[]>>;
  readonly post: (options: SendOptions) => Promise<ServiceResult<ListedOrder>>;
  /** Why nothing may be sent any more, in the words of a refusal; null as long as it may. Asked right before the POST too. */
  readonly whyOver: () => { readonly detail: string; readonly description: string } | null;
}

/** What the ledger has not ordered is not made: a message alone is no order. It is not tried again. */
export function notOrdered(what: 'capture' | 'refund' | 'release', id: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(`the ledger has no ${what} ${id} ordered`, 'not_ordered');
}

/** One order under way. */
export interface Ordering extends Sending {
  readonly order: Order;
}

export function orderingOf(deps: Dependencies, order: Order, progress: Progress): Ordering {
  const { ledger, clock } = deps;
  const { subject, orderedAt, deadline, list, post } = order;
  const { kind, orderId, paymentId } = subject;
  const self: Ordering = {
    deps,
    order,
    progress,
    age: () => activityAge(clock),
    list,
    post,
    makes: kind,
    since: orderedAt,
    sendBefore: deadline,
    sendsInVain: async () => (order.whyOver() === null ? (await precheckOrder(ledger, orderId)).sends : 0),
    names: namesInLog(subject),
    place: {},
    events: {
      unreadable: `${kind}s.unreadable`,
      clocksDiffer: `${kind}.clocks_differ`,
      notSent: `${kind}.cannot_be_sent`,
    },
    known: async () => {
      const known = await knownOrders(ledger, paymentId, orderId);
      if (known.otherInDoubt) throw self.later('blocked', OTHER_IN_DOUBT);
      return known.records;
    },
    heldIds: () => heldOrderIds(ledger, orderId),
    record: (send, answer) => recordAnswered(self, send, answer),
    recordLook: (send, look) => recordOrderLook(ledger, { orderId, send }, look),
    recordEvent: (type, data) => recordEvent(self, type, data),
    later: (stop, message, atLeast = 0) => tryAgain(stop, message, Math.max(pauseAfter(self, stop), atLeast)),
    // It stands, and waits: until the halt is lifted or, of a capture, the deadline has come.
    afterHalt: async () => {
      await self.recordEvent(`${kind}.halted`);
      return self.later('halted', HALTED);
    },
  };
  return self;
}

/** What has no deadline is tried ever more rarely; what a halt or another order holds goes on soon after it. Real ms. */
function pauseAfter({ deps, order, age }: Ordering, stop: Stop): number {
  const isPatient = order.deadline === null && isOutside(stop);
  return isPatient ? patientPause(age(), deps.clock) : growingPause(age());
}

export const OTHER_IN_DOUBT = 'another order of this payment is in doubt';

/** What the service has accepted and the ledger refuses to hold is kept as it came: it was made (rules 38, 43). */
async function recordAnswered(self: Ordering, send: number, answer: Answer): Promise<boolean> {
  try {
    return await recordOrder(self, send, await outcomeOf(self, answer));
  } catch (error) {
    if (answer.state !== 'taken' || !isRefusedByLedger(error)) throw error;
    const reason = `the ledger refuses what the service has accepted: ${describeRefusal(error)}`;
    const accepted = JSON.stringify(answer.made);
    if (await recordOrder(self, send, { state: 'unresolved', reason, accepted })) return true;
    // It is kept already: what goes on from here would meet the same refusal at once.
    throw error;
  }
}

async function outcomeOf(self: Ordering, answer: Answer): Promise<OrderOutcome> {
  switch (answer.state) {
    case 'taken':
      return outcomeOfTaken(self, answer.made);
    case 'refused': {
      const { failure, value } = answer.refusal;
      const { detail, description } = failure;
      return { state: 'failed', detail, description, ...(value && named(value)) };
    }
    case 'not_sent':
    case 'unknown':
    case 'unresolved':
      return answer;
  }
}

/** An answer that names a record that the ledger has leaves open what was made (rule 38). */
async function outcomeOfTaken({ deps, order }: Ordering, made: Listed): Promise<OrderOutcome> {
  const { ledger, clock } = deps;
  const { records } = await knownOrders(ledger, order.subject.paymentId, order.subject.orderId);
  const { id, createdAt, amount, status } = made;
  if (!records.some((each) => each.id === id)) {
    return { state: 'pending', ...named(made), reportedReal: clock.realNow() };
  }
  return {
    state: 'unresolved',
    reason: `the service accepted it as ${id}, which is that of another order`,
    accepted: JSON.stringify({ id, createdAt: toIso(createdAt), amount, status }),
  };
}

function named({ id, createdAt }: Listed) {
  return { serviceId: id, createdAt };
}

/** Writes what became of a send. @returns whether it was written: where not, the row says what counts. */
export async function recordOrder(
  { deps, order, names }: Ordering,
  send: number,
  outcome: OrderOutcome,
): Promise<boolean> {
  const { kind, orderId } = order.subject;
  if (outcome.state === 'failed' || outcome.state === 'unresolved') {
    deps.log.warn({ ...names, send, ...outcome }, `${kind}.${outcome.state}`);
  }
  return (await recordOrderOutcome(deps.ledger, { orderId, send }, outcome, deps.clock.now())).kind === 'recorded';
}

/** Written to the trail once for each order and type. */
async function recordEvent({ deps, order }: Ordering, type: EventType, data: EventData = {}): Promise<void> {
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
