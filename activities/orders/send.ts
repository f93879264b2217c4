import { beginOrderSend, failUnsent } from '../../src/ledger';
import type { Turn } from '../../src/payment-service';
import { startStopwatch } from '../send-limits';
import { alert, checkLedger, idsListed, inTurn, look, sendOnce } from '../sending';
import { type Order, type Ordering, OTHER_IN_DOUBT } from './order';

/** The list, the POST. */
const CALLS = 2;

export function sendOrder(ordering: Ordering): Promise<void> {
  return inTurn(ordering.deps, CALLS, (turn) => lookAndSend(ordering, turn));
}

/** Makes the pre-send check, commits the "sending" row, and sends (rules 16, 18). */
async function lookAndSend(ordering: Ordering, turn: Pick<Turn, 'ready'>): Promise<void> {
  const { deps, order, later } = ordering;
  const over = order.whyOver();
  if (over !== null) return giveUp(ordering, over);
  await checkLedger(ordering);
  const sinceLook = startStopwatch(deps.clock);
  const seen = await look(ordering);
  if (seen.kind === 'unresolved') {
    await alert(ordering, `${order.subject.kind}.stopped`, { reason: seen.reason });
    throw later('outcome_unknown', seen.reason);
  }
  const knownIds = await idsListed(ordering, seen);
  await turn.ready();
  await send(ordering, knownIds, sinceLook);
}

/**
 * Failed without a POST: what it has taken of the payment is free again.
 * @throws ApplicationFailure where another order in doubt holds the payment: that one first.
 */
async function giveUp({ deps, order, later }: Ordering, why: NonNullable<ReturnType<Order['whyOver']>>): Promise<void> {
  const { orderId } = order.subject;
  const done = await failUnsent(deps.ledger, {
    orderId,
    owner: deps.settings.owner,
    ...why,
    at: deps.clock.now(),
    realAt: deps.clock.realNow(),
  });
  if (done.kind === 'blocked' && done.by.orderId !== orderId) throw later('blocked', OTHER_IN_DOUBT);
}

async function send(ordering: Ordering, knownIds: readonly string[], sinceLook: () => number): Promise<void> {
  const { deps, order, later, afterHalt } = ordering;
  const { orderId } = order.subject;
  const { owner } = deps.settings;
  const begin = () =>
    beginOrderSend(deps.ledger, { orderId, knownIds, owner, at: deps.clock.now(), realAt: deps.clock.realNow() });
  const sent = await sendOnce(ordering, begin, sinceLook, () => order.whyOver() === null);
  if (sent.kind === 'halted') throw await afterHalt();
  if (sent.kind === 'blocked') throw later('blocked', 'another order of this payment is under way');
}
