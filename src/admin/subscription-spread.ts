import { createHash } from 'node:crypto';
import type { SubscriptionId } from '../domain/ids';
import { SECOND } from '../domain/time';
import type { Frozen } from '../ledger';
import type { TemporalGatewayDeps } from './temporal-deps';

/** Ms after a due date before its first attempt: the same for a subscription always, even over all of them. */
export function spreadOf(id: SubscriptionId, spreadSeconds: number): number {
  if (spreadSeconds === 0) return 0;
  const hash = createHash('sha256').update(id).digest().readUInt32BE(0);
  return Math.floor((hash / 2 ** 32) * spreadSeconds * SECOND);
}

/** What a subscription is begun with, and keeps. */
export function frozenFor(
  { retryPolicy, spreadSeconds }: Pick<TemporalGatewayDeps, 'retryPolicy' | 'spreadSeconds'>,
  id: SubscriptionId,
): Frozen {
  return { policy: retryPolicy, spread: spreadOf(id, spreadSeconds) };
}
