import type { RefundInput, RefundResult } from '../src/contract/refunds';
import type { EventData, EventType } from '../src/domain/event-types';
import { applyChange, recordRefundOutcome, type RefundOutcome, type RefundSendRef } from '../src/ledger';
import type { Dependencies } from './dependencies';
import type { Progress } from './heartbeat';

/** One refund under way: what it works with, what was ordered, how it reports. */
export interface Refunding {
  readonly deps: Dependencies;
  readonly input: RefundInput;
  readonly progress: Progress;
  /** Real time since the workflow asked for it, ms. */
  readonly age: () => number;
}

/** A phase ends with a result, or has moved the refund's row, which says what comes next. */
export type RefundPhase = RefundResult | { readonly kind: 'moved' };

export const REFUND_MOVED: RefundPhase = { kind: 'moved' };

/** Writes what became of a send; a final outcome that stands is never overwritten. */
export async function recordRefund(
  { deps, input }: Refunding,
  ref: RefundSendRef,
  outcome: RefundOutcome,
): Promise<void> {
  const { send } = ref;
  const { refundId, subscriptionId, cycle } = input;
  if (outcome.state === 'failed' || outcome.state === 'unresolved') {
    deps.log.warn({ subscriptionId, refundId, cycle, send, ...outcome }, `refund.${outcome.state}`);
  }
  await recordRefundOutcome(deps.ledger, { refundId, send }, outcome, deps.clock.now());
}

/** Something a person should hear of: written to the trail once for each refund and type, and logged each time. */
export async function alertOfRefund({ deps, input }: Refunding, type: EventType, data: EventData): Promise<void> {
  const { subscriptionId, refundId, cycle } = input;
  deps.log.warn({ subscriptionId, refundId, cycle, ...data }, type);
  await applyChange(deps.ledger, {
    ...{ subscriptionId, key: `${type}/${refundId}`, at: deps.clock.now(), actor: 'dueday' },
    events: [{ type, data: { refundId, cycle, ...data } }],
  });
}
