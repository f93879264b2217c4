import type { ApplicationFailure } from '@temporalio/common';
import { matchSent } from '../../src/domain/send';
import { heldOrderIds, type OrderSendRecord, recordOrderLook } from '../../src/ledger';
import { AGREEING_LOOKS, doubtBegins, untilNextLook } from '../send-limits';
import { growingPause, tryAgain, describe, retryAfter } from '../stops';
import { alertOfOrder, type Ordering, recordOrder, type ServiceRecord } from './order';

/** Sent, or perhaps sent, with an outcome that nobody knows: asks what became of it, and never sends (rules 17, 18). */
export async function settleOrder<R extends ServiceRecord>(ordering: Ordering<R>, row: OrderSendRecord): Promise<void> {
  const { deps, order, progress } = ordering;
  if (row.state === 'sending') return markUnknown(ordering, row);
  const { kind, orderId } = order.subject;
  progress('reconciling', { send: row.send });
  const listed = await order.list();
  if (listed.kind !== 'accepted') {
    const why = `the service cannot be asked: ${describe(listed)}`;
    const age = deps.clock.realNow() - row.sendingRealAt;
    if (age >= deps.settings.settle) await alertOfOrder(ordering, `${kind}s.unreadable`, { reason: why });
    throw tryAgain('outcome_unknown', why, Math.max(growingPause(age), retryAfter(listed)));
  }
  const heldIds = await heldOrderIds(deps.ledger, orderId);
  const match = matchSent(order.candidates(listed.value), order.idOf, { ...row, heldIds });
  switch (match.kind) {
    case 'found': {
      const { createdAt } = match.record;
      return recordOrder(ordering, row, { state: 'pending', serviceId: order.idOf(match.record), createdAt });
    }
    case 'unclear': {
      const ids = match.records.map(order.idOf).join(', ');
      return unclear(ordering, row, `the service lists ${ids}, which do not fit`);
    }
    case 'absent':
      return absent(ordering, row);
  }
}

async function markUnknown<R extends ServiceRecord>(ordering: Ordering<R>, row: OrderSendRecord): Promise<void> {
  const { clock, settings } = ordering.deps;
  const sinceReal = doubtBegins(row.sendingRealAt, clock.realNow(), settings);
  await recordOrder(ordering, row, { state: 'unknown', reason: 'no outcome was recorded', sinceReal });
}

/** For a person; the asking goes on, and while it lasts no other order of the payment is sent (rule 18). */
async function unclear<R extends ServiceRecord>(
  ordering: Ordering<R>,
  row: OrderSendRecord,
  reason: string,
): Promise<void> {
  await recordOrderLook(ordering.deps.ledger, row, { absent: false });
  if (row.state !== 'unresolved') await recordOrder(ordering, row, { state: 'unresolved', reason });
  throw tryAgain('outcome_unknown', reason, growingPause(ordering.age()));
}

/** Not there. Only after the settle time, and twice in a row, does that mean that it was never made. */
async function absent<R extends ServiceRecord>(ordering: Ordering<R>, row: OrderSendRecord): Promise<void> {
  const { deps } = ordering;
  const now = deps.clock.realNow();
  const settledAt = (row.unknownSinceReal ?? now) + deps.settings.settle;
  const looked = await recordOrderLook(deps.ledger, row, { absent: now >= settledAt });
  if (looked !== null && looked.absentLooks >= AGREEING_LOOKS) {
    const reason = 'absent after the settle time, twice in a row';
    return recordOrder(ordering, row, { state: 'not_sent', reason });
  }
  const pause = untilNextLook(growingPause(now - row.sendingRealAt), now, settledAt);
  throw tryAgain('outcome_unknown', 'the service does not list what was sent', pause);
}

/** Asks until the order is final. Pending is never sent again or counted as failed, however long it takes (rules 10, 18). */
export async function pollOrder<R extends ServiceRecord>(ordering: Ordering<R>, row: OrderSendRecord): Promise<void> {
  const { order, progress } = ordering;
  const { serviceId, kind } = row;
  progress(kind, { serviceId });
  const listed = await order.list();
  if (listed.kind !== 'accepted') throw stillPending(ordering, row, describe(listed), retryAfter(listed));
  const found = listed.value.find((each) => order.idOf(each) === serviceId);
  switch (found?.status) {
    case undefined:
      throw stillPending(ordering, row, 'the service does not list it');
    case 'pending':
      throw stillPending(ordering, row, 'the service says pending');
    case 'successful':
      return recordOrder(ordering, row, {
        ...{ state: 'successful', serviceId: order.idOf(found), createdAt: found.createdAt },
      });
    case 'failed': {
      const { createdAt, detail = `${kind.toUpperCase()}_FAILED`, description = '' } = found;
      return recordOrder(ordering, row, {
        ...{ state: 'failed', detail, description },
        ...{ serviceId: order.idOf(found), createdAt },
      });
    }
  }
}

function stillPending<R extends ServiceRecord>(
  { deps }: Ordering<R>,
  row: OrderSendRecord,
  why: string,
  atLeast = 0,
): ApplicationFailure {
  const age = deps.clock.realNow() - row.sendingRealAt;
  return tryAgain('pending', `${row.kind} ${row.serviceId ?? ''}: ${why}`, Math.max(growingPause(age), atLeast));
}
