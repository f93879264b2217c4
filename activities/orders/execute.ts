import { ApplicationFailure } from '@temporalio/common';
import { REFUND_TAKES } from '../../src/domain/payment/refund-rules';
import { HOUR, toIso } from '../../src/domain/time';
import type { EventType } from '../../src/domain/trail/events';
import {
  awaitPerson,
  beginOrderSend,
  failUnsent,
  followPending,
  latestOrderSend,
  nameAtService,
  type OrderSendRecord,
  precheckOrder,
} from '../../src/ledger';
import type { Turn } from '../../src/payment-service';
import { inSpan } from '../../src/tracing';
import type { Dependencies } from '../dependencies';
import { probeInterval, PROBING, startStopwatch } from '../send-limits';
import { checkBeforeSending, idsListed } from '../pre-send-check';
import { alert, checkLedger, inTurn, sendOnce } from '../sending';
import { settle } from '../settling';
import { describe, growingPause, isOutside, patientPause, retryAfter, tryAgain, withHeartbeat } from '../stops';
import { type Order, type Ordering, orderingOf, OTHER_IN_DOUBT, recordOrder } from './order';

/**
 * One order whole, safe to run any number of times: the ledger's row says how far it came, and a row without an outcome
 * is asked about, never sent again (rules 16, 18).
 * @param pendingFor real ms from the send, after which one that is pending is not followed any further
 * @returns the final row, or the pending one
 */
export function executeOrder(deps: Dependencies, order: Order, pendingFor = Infinity): Promise<OrderSendRecord> {
  return withHeartbeat((progress) => execute(orderingOf(deps, order, progress), pendingFor));
}

async function execute(ordering: Ordering, pendingFor: number): Promise<OrderSendRecord> {
  const { deps } = ordering;
  for (;;) {
    const row = await latestOrderSend(deps.ledger, ordering.order.subject.orderId);
    switch (row?.state) {
      case undefined:
      case 'not_sent':
        await inSpan('send order', () => sendOrder(ordering));
        break;
      case 'sending':
      case 'unknown':
      case 'unresolved':
        await inSpan('settle order', () => settleOrder(ordering, row));
        break;
      case 'pending':
        if (ageOf(ordering, row) >= pendingFor) return row;
        await inSpan('poll order', () => pollOrder(ordering, row));
        break;
      case 'successful':
      case 'failed':
        return row;
    }
  }
}

/** The list, the POST. */
const CALLS = 2;

function sendOrder(ordering: Ordering): Promise<void> {
  return inTurn(ordering.deps, CALLS, (turn) =>
    lookAndSend(ordering, turn).catch((stop: unknown) => callPersonIfLasting(ordering, stop)),
  );
}

/** Real ms for which nothing of it can be sent, after which that is for a person too. */
const UNSENT_FOR_LONG = HOUR;

/** It is tried on, and a person may settle it meanwhile: what never goes out would stand open for good. */
async function callPersonIfLasting({ deps, order, age }: Ordering, stop: unknown): Promise<never> {
  if (stop instanceof ApplicationFailure && isOutside(stop.type) && age() >= UNSENT_FOR_LONG) {
    await awaitPerson(deps.ledger, order.subject.orderId, stop.message, deps.clock.now());
  }
  throw stop;
}

/** Makes the pre-send check, commits the "sending" row, and sends (rules 16, 18). */
async function lookAndSend(ordering: Ordering, turn: Pick<Turn, 'ready'>): Promise<void> {
  const { deps, order, later } = ordering;
  const over = order.whyOver();
  if (over !== null) return giveUp(ordering, over);
  const before = await precheckOrder(deps.ledger, order.subject.orderId);
  await checkLedger(ordering, before);
  const sinceLook = startStopwatch(deps.clock);
  const seen = await checkBeforeSending(ordering, false);
  if (seen.kind === 'unresolved' || seen.kind === 'again') {
    await callPerson(ordering, `${order.subject.kind}.stopped`, seen.reason);
    throw later('outcome_unknown', seen.reason);
  }
  const knownIds = await idsListed(ordering, seen);
  await turn.ready();
  await send(ordering, { knownIds, isUnanswered: before.isUnanswered }, sinceLook);
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

interface Checks {
  readonly knownIds: readonly string[];
  /** The service has answered none of the last POSTs of the installation readably. */
  readonly isUnanswered: boolean;
}

async function send(ordering: Ordering, { knownIds, isUnanswered }: Checks, sinceLook: () => number): Promise<void> {
  const { deps, order, later, afterHalt } = ordering;
  const { orderId } = order.subject;
  const { owner } = deps.settings;
  const interval = isUnanswered ? probeInterval(deps.settings) : undefined;
  const begin = () =>
    beginOrderSend(deps.ledger, {
      ...{ orderId, knownIds, owner },
      at: deps.clock.now(),
      realAt: deps.clock.realNow(),
      probeInterval: interval,
    });
  const sent = await sendOnce(ordering, begin, sinceLook, () => order.whyOver() === null);
  if (sent.kind === 'halted') throw await afterHalt();
  if (sent.kind === 'probing') throw later('not_sent', PROBING, sent.wait);
  if (sent.kind === 'blocked') throw later('blocked', 'another order of this payment is under way');
}

/**
 * Sent, or perhaps sent, with an outcome that is not known: asks what became of it, and never sends. What fits nothing is for
 * a person; while it lasts no other order of the payment is sent (rule 18).
 */
async function settleOrder(ordering: Ordering, row: OrderSendRecord): Promise<void> {
  const { deps, events } = ordering;
  const settled = await settle(ordering, row);
  const age = ageOf(ordering, row);
  switch (settled.kind) {
    case 'moved':
    case 'never_made':
      return;
    case 'unreadable': {
      const reason = `the service cannot be asked: ${describe(settled.answer)}`;
      if (age >= deps.settings.settle) await callPerson(ordering, events.unreadable, reason);
      throw tryAgain('outcome_unknown', reason, Math.max(growingPause(age), retryAfter(settled.answer)));
    }
    case 'unclear':
      throw ordering.later('outcome_unknown', settled.reason);
    case 'absent': {
      const nextLook = settled.untilNextLook(growingPause(age));
      throw tryAgain('outcome_unknown', 'the service does not list what was sent', nextLook);
    }
  }
}

/** The asking goes on, and a person may resolve it meanwhile (rule 18). */
async function callPerson(ordering: Ordering, type: EventType, reason: string): Promise<void> {
  const { deps, order } = ordering;
  await awaitPerson(deps.ledger, order.subject.orderId, reason, deps.clock.now());
  await alert(ordering, type, { reason });
}

/** Asks until the order is final. Pending is never sent again or counted as failed, however long it takes (rules 10, 18). */
async function pollOrder(ordering: Ordering, row: OrderSendRecord): Promise<void> {
  const { order, progress } = ordering;
  const { send, serviceId, kind } = row;
  progress(kind, { serviceId });
  const listed = await order.list();
  if (listed.kind !== 'accepted') {
    throw await notFinal(ordering, row, { kind: 'unreadable', why: describe(listed), atLeast: retryAfter(listed) });
  }
  const found = listed.value.find(({ id }) => id === serviceId);
  switch (found?.status) {
    case undefined: {
      const { incomplete } = listed;
      // A list that does not show everything says nothing of what it lacks (rule 39).
      if (incomplete === undefined) {
        throw await notFinal(ordering, row, { kind: 'unlisted', why: 'the service does not list it' });
      }
      throw await notFinal(ordering, row, { kind: 'unreadable', why: `the list is incomplete: ${incomplete}` });
    }
    case 'pending': {
      const { unknownStatus: status } = found;
      // A status that is not known counts as pending, and alerts (rule 41).
      if (status !== undefined) {
        await alert(ordering, `${kind}.unknown_status`, { ...nameAtService(kind, serviceId), status });
      }
      throw await notFinal(ordering, row, { kind: 'pending', why: `the service says ${status ?? 'pending'}` });
    }
    case 'successful': {
      const { id, createdAt } = found;
      await recordOrder(ordering, send, { state: 'successful', serviceId: id, createdAt });
      return;
    }
    case 'failed': {
      const { id, createdAt, detail = `${kind.toUpperCase()}_FAILED`, description = '' } = found;
      await recordOrder(ordering, send, { state: 'failed', serviceId: id, createdAt, detail, description });
    }
  }
}

/** What a look at one that is pending has come to. */
interface NotFinal {
  readonly kind: 'pending' | 'unlisted' | 'unreadable';
  readonly why: string;
  /** Real ms to leave the service alone. */
  readonly atLeast?: number;
}

/** The asking goes on; of one that is overdue a person may say meanwhile what became of it. */
async function notFinal(ordering: Ordering, row: OrderSendRecord, seen: NotFinal): Promise<ApplicationFailure> {
  const { deps } = ordering;
  const reason = whyOverdue(ordering, row, seen);
  // An answer that cannot be read ends no wait.
  const isKnown = reason !== null || seen.kind !== 'unreadable';
  if (isKnown) await followPending(deps.ledger, row.orderId, reason, deps.clock.now());
  if (reason !== null) await alert(ordering, `${row.kind}.overdue`, { reason });
  const age = ageOf(ordering, row);
  const pause = reason === null ? growingPause(age) : patientPause(age, deps.clock);
  return tryAgain('pending', `${row.kind} ${row.serviceId ?? ''}: ${seen.why}`, Math.max(pause, seen.atLeast ?? 0));
}

/** Null while it may still become final by itself; one that has just been made may be listed late. */
function whyOverdue(ordering: Ordering, row: OrderSendRecord, { kind, why }: NotFinal): string | null {
  const { deps, order } = ordering;
  if (ageOf(ordering, row) < deps.settings.settle) return null;
  if (kind === 'unlisted') return `the service does not list ${row.serviceId ?? 'it'} any more`;
  const dueBy = order.deadline ?? row.at + REFUND_TAKES;
  return deps.clock.now() < dueBy ? null : `pending past ${toIso(dueBy)}: ${why}`;
}

/** Since it was sent, real ms. */
function ageOf({ deps }: Ordering, { sendingRealAt }: OrderSendRecord): number {
  return deps.clock.realNow() - sendingRealAt;
}
