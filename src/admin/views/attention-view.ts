import { toIso } from '../../domain/time';
import { ORPHANED } from '../../domain/subscription/pauses';
import type { Halt, OrphanedPayment, SubscriptionRecord } from '../../ledger';
import type { AttentionOut } from '../schemas/attention';

export function viewAttention(record: SubscriptionRecord): AttentionOut {
  const { subscriptionId, paymentId, status } = record;
  return { subscriptionId, paymentId, status, matters: record.attention.map(readMatter) };
}

/** Concerns no subscription, and all of them. */
export function viewHaltAttention({ since, by, reason }: Halt): AttentionOut {
  const advice = `${by} halted all sending: ${reason}. When the cause is mended, lift it: DELETE /v1/halt. What is not sent by the end of its window is missed.`;
  return {
    ...{ subscriptionId: null, paymentId: null, status: null },
    matters: [{ kind: 'sending_halted', since: toIso(since), advice }],
  };
}

/** A one-time payment that nobody looks after. */
export function viewOrphanedPayment({ paymentId, status, orphanedAt }: OrphanedPayment): AttentionOut {
  const advice =
    'Its workflow was terminated, failed, or lost with Temporal’s database. Find out why, then begin it again: POST /v1/payments/{paymentId}/restart.';
  return { subscriptionId: null, paymentId, status, matters: [{ kind: ORPHANED, since: toIso(orphanedAt), advice }] };
}

/** A matter's key is its kind, and its cycle where it concerns one: `pending_past_window:3`. */
function readMatter(key: string): AttentionOut['matters'][number] {
  const [kind = key, cycle] = key.split(':');
  return cycle !== undefined && /^\d+$/.test(cycle) ? { kind, cycle: Number(cycle) } : { kind };
}
