import type { ApplicationFailure } from '@temporalio/common';
import type { OrderSendRecord } from '../../src/ledger';
import { alert, settle } from '../sending';
import { growingPause, tryAgain, describe, retryAfter } from '../stops';
import { type Ordering, recordOrder } from './order';

/**
 * Sent, or perhaps sent, with an outcome that is not known: asks what became of it, and never sends. What fits nothing is for
 * a person; while it lasts no other order of the payment is sent (rule 18).
 */
export async function settleOrder(ordering: Ordering, row: OrderSendRecord): Promise<void> {
  const { deps, events } = ordering;
  const settled = await settle(ordering, row);
  const age = deps.clock.realNow() - row.sendingRealAt;
  switch (settled.kind) {
    case 'moved':
    case 'never_made':
      return;
    case 'unreadable': {
      const reason = `the service cannot be asked: ${describe(settled.answer)}`;
      if (age >= deps.settings.settle) await alert(ordering, events.unreadable, { reason });
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

/** Asks until the order is final. Pending is never sent again or counted as failed, however long it takes (rules 10, 18). */
export async function pollOrder(ordering: Ordering, row: OrderSendRecord): Promise<void> {
  const { order, progress } = ordering;
  const { send, serviceId, kind } = row;
  progress(kind, { serviceId });
  const listed = await order.list();
  if (listed.kind !== 'accepted') throw stillPending(ordering, row, describe(listed), retryAfter(listed));
  const found = listed.value.find(({ id }) => id === serviceId);
  switch (found?.status) {
    case undefined:
      throw stillPending(ordering, row, 'the service does not list it');
    case 'pending':
      throw stillPending(ordering, row, 'the service says pending');
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

function stillPending({ deps }: Ordering, row: OrderSendRecord, why: string, atLeast = 0): ApplicationFailure {
  const age = deps.clock.realNow() - row.sendingRealAt;
  return tryAgain('pending', `${row.kind} ${row.serviceId ?? ''}: ${why}`, Math.max(growingPause(age), atLeast));
}
