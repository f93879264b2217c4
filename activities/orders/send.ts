import { Context } from '@temporalio/activity';
import { whyClocksDiffer, CLOCK_SKEW, recordsNotOurs } from '../../src/domain/send';
import {
  beginOrderSend,
  failUnsent,
  knownOrders,
  type OrderSendRef,
  orderSendsInVain,
  readHalt,
} from '../../src/ledger';
import type { ServiceResult, Turn } from '../../src/payment-service';
import { describeInVain, untilFreshSend, checksHoldFor, sendDeadline, startStopwatch } from '../send-limits';
import { growingPause, HALTED, type Stop, tryAgain, WORKER_STOPS, describe, retryAfter } from '../stops';
import { alertOfOrder, type Ordering, recordOrder, type ServiceRecord, tellOfOrder } from './order';

const OTHER_IN_DOUBT = 'another order of this payment is in doubt';

/** The list, the POST. */
const CALLS = 2;

/** Makes its calls in one turn, where calls are capped, as an attempt does. */
export async function sendOrder<R extends ServiceRecord>(ordering: Ordering<R>): Promise<void> {
  const { service } = ordering.deps;
  const sent = async (turn: Pick<Turn, 'ready'>) => {
    await lookAndSend(ordering, turn);
    return true;
  };
  const done = await service.inTurn(CALLS, sent, Context.current().cancellationSignal);
  if (done === null) throw later(ordering, 'not_sent', WORKER_STOPS);
}

/** Looks before the leap, commits the "sending" row, and sends (rules 16, 18). */
async function lookAndSend<R extends ServiceRecord>(ordering: Ordering<R>, turn: Pick<Turn, 'ready'>): Promise<void> {
  const { deps, order } = ordering;
  const over = order.whyOver();
  if (over !== null) return giveUp(ordering, over);
  if ((await readHalt(deps.ledger)) !== null) throw await waitForLift(ordering);
  const inVain = await orderSendsInVain(deps.ledger, order.subject.orderId);
  const pause = untilFreshSend(inVain, deps.clock, deps.settings);
  if (pause > 0) throw later(ordering, 'not_sent', describeInVain(inVain), pause);
  const sinceLook = startStopwatch(deps.clock);
  const knownIds = await checkBeforeSending(ordering);
  await turn.ready();
  await send(ordering, knownIds, () => sinceLook() < checksHoldFor(deps.settings));
}

/**
 * Failed without a POST: what it has taken of the payment is free again.
 * @throws ApplicationFailure where another order in doubt holds the payment: that one first.
 */
async function giveUp<R extends ServiceRecord>(
  ordering: Ordering<R>,
  why: { readonly detail: string; readonly description: string },
): Promise<void> {
  const { deps, order } = ordering;
  const { orderId } = order.subject;
  const done = await failUnsent(deps.ledger, {
    ...{ orderId, owner: deps.settings.owner, ...why },
    ...{ at: deps.clock.now(), realAt: deps.clock.realNow() },
  });
  if (done.kind === 'blocked' && done.by.orderId !== orderId) throw later(ordering, 'blocked', OTHER_IN_DOUBT);
}

/** An order that stands waits: until the halt is lifted or, of a capture, the deadline has come. */
async function waitForLift<R extends ServiceRecord>(ordering: Ordering<R>): Promise<Error> {
  await tellOfOrder(ordering, `${ordering.order.subject.kind}.halted`);
  return later(ordering, 'halted', HALTED);
}

/**
 * Every id that the service lists right now.
 * @throws ApplicationFailure where one of them stops the POST, or none may leave for now.
 */
async function checkBeforeSending<R extends ServiceRecord>(ordering: Ordering<R>): Promise<readonly string[]> {
  const { deps, order, progress } = ordering;
  const { kind, paymentId, orderId } = order.subject;
  progress('look before the leap');
  const listed = await order.list();
  if (listed.kind !== 'accepted') {
    const why = describe(listed);
    await alertOfOrder(ordering, `${kind}s.unreadable`, { reason: why });
    throw later(ordering, 'service_unreadable', `${kind}s: ${why}`, retryAfter(listed));
  }
  const known = await knownOrders(deps.ledger, paymentId, orderId);
  if (known.otherInDoubt) throw later(ordering, 'blocked', OTHER_IN_DOUBT);
  const since = order.orderedAt - CLOCK_SKEW;
  const strange = recordsNotOurs(order.candidates(listed.value), order.idOf, known.ids, since);
  if (strange.length > 0) {
    const reason = `the service lists ${strange.map(order.idOf).join(', ')}, which the ledger lacks`;
    await alertOfOrder(ordering, `${kind}.stopped`, { reason });
    throw later(ordering, 'outcome_unknown', reason);
  }
  const clocksDiffer = whyClocksDiffer(listed.clockLead);
  if (clocksDiffer !== null) {
    await alertOfOrder(ordering, `${kind}.clocks_differ`, { reason: clocksDiffer });
    throw later(ordering, 'clocks_differ', clocksDiffer);
  }
  return listed.value.map(order.idOf);
}

/**
 * Commits the row and sends. A process frozen since before its row was committed must not send once it wakes: by then
 * others may have settled the row as never sent.
 */
async function send<R extends ServiceRecord>(
  ordering: Ordering<R>,
  knownIds: readonly string[],
  lookHolds: () => boolean,
): Promise<void> {
  const { deps, order, progress } = ordering;
  const { kind, orderId } = order.subject;
  // Begun before the row: the answer to its commit may be what a frozen process wakes to.
  const sinceRow = startStopwatch(deps.clock);
  const begun = await beginOrderSend(deps.ledger, {
    ...{ orderId, knownIds, owner: deps.settings.owner },
    ...{ at: deps.clock.now(), realAt: deps.clock.realNow() },
  });
  if (begun.kind === 'halted') throw await waitForLift(ordering);
  if (begun.kind === 'blocked') throw later(ordering, 'blocked', 'another order of this payment is under way');
  progress(kind, { send: begun.send.send });
  const beforeSend = () => sinceRow() < sendDeadline(deps.settings) && lookHolds() && order.whyOver() === null;
  await recordAnswer(ordering, begun.send, await order.post({ beforeSend }));
}

async function recordAnswer<R extends ServiceRecord>(
  ordering: Ordering<R>,
  ref: OrderSendRef,
  answer: ServiceResult<R>,
): Promise<void> {
  const { deps, order } = ordering;
  switch (answer.kind) {
    case 'accepted': {
      const { createdAt } = answer.value;
      return recordOrder(ordering, ref, { state: 'pending', serviceId: order.idOf(answer.value), createdAt });
    }
    case 'rejected': {
      const { detail, description } = answer.failure;
      const { value } = answer;
      const seen = value === undefined ? {} : { serviceId: order.idOf(value), createdAt: value.createdAt };
      return recordOrder(ordering, ref, { state: 'failed', detail, description, ...seen });
    }
    case 'not_sent':
      await recordOrder(ordering, ref, { state: 'not_sent', reason: answer.reason });
      await alertOfOrder(ordering, `${order.subject.kind}.cannot_be_sent`, { reason: answer.reason });
      throw later(ordering, 'not_sent', answer.reason, retryAfter(answer));
    case 'unknown':
      return recordOrder(ordering, ref, {
        ...{ state: 'unknown', reason: answer.reason },
        sinceReal: deps.clock.realNow(),
      });
  }
}

/** Tried until the service has taken or refused it, or, of a capture, the deadline has come. */
function later<R extends ServiceRecord>(ordering: Ordering<R>, stop: Stop, message: string, atLeast = 0): Error {
  return tryAgain(stop, message, Math.max(growingPause(ordering.age()), atLeast));
}
