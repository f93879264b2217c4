import type { NotifyResult } from '../src/contract/activities';
import { toIso } from '../src/domain/time';
import type { AmountChange } from '../src/domain/subscription/amount-request';
import type { DropReason } from '../src/domain/subscription/amount';
import type { PendingChange } from '../src/domain/subscription/state';
import type { Decision } from '../src/contract/decisions';

/** A change of amount, accepted; what it replaces is taken back. */
export function changedDecision(change: AmountChange, replaced: PendingChange | null, reason: string | null): Decision {
  const data = { ...viewChange(change), replaces: replaced === null ? null : viewChange(replaced), reason };
  return { events: [{ type: 'amount_change.accepted', data }] };
}

export function withdrawnDecision(change: PendingChange, reason: string | null): Decision {
  return { events: [{ type: 'amount_change.withdrawn', data: { ...viewChange(change), reason } }] };
}

/** A change that its cycle may not collect after all: people are alerted. */
export function droppedDecision(change: PendingChange, cycle: number, reason: DropReason): Decision {
  return { events: [{ type: 'amount_change.dropped', data: { ...viewChange(change), cycle, reason } }] };
}

/** What came of telling the payer of an increase. */
export function announcedDecision(change: PendingChange, result: NotifyResult): Decision {
  const outcome = result.kind === 'delivered' ? { at: toIso(result.at) } : { reason: result.reason };
  return { events: [{ type: `amount_change.notice_${result.kind}`, data: { ...viewChange(change), ...outcome } }] };
}

function viewChange(change: AmountChange | PendingChange) {
  const { amount, previousAmount, fromCycle, effectiveAt, kind, countsAsIncrease } = change;
  return { amount, previousAmount, fromCycle, effectiveAt: toIso(effectiveAt), kind, countsAsIncrease };
}
