import type { SubscriptionRecord } from '../../ledger';
import type { AttentionOut } from '../schemas/attention';

export function viewAttention(record: SubscriptionRecord): AttentionOut {
  const { subscriptionId, paymentId, status } = record;
  return { subscriptionId, paymentId, status, matters: record.attention.map(readMatter) };
}

/** A matter's key is its kind, and its cycle where it concerns one: `pending_past_window:3`. */
function readMatter(key: string): AttentionOut['matters'][number] {
  const [kind = key, cycle] = key.split(':');
  return cycle !== undefined && /^\d+$/.test(cycle) ? { kind, cycle: Number(cycle) } : { kind };
}
