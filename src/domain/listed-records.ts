import type { Instant } from './instant';
import { type Money, sameMoney } from './money';

/** What every record of money that the service lists has, be it an authorization or a refund. */
export interface ListedRecord {
  readonly amount: Money;
  readonly createdAt: Instant;
  readonly status: string;
}

/** The service's clock may be this far from ours, in ms (decisions 16, 17). */
export const CLOCK_SKEW = 60_000;

/** Records that the ledger lacks, created at or after `since` and not failed: they stop a POST (decisions 16). */
export function recordsNotOurs<T extends ListedRecord>(
  listed: readonly T[],
  idOf: (record: T) => string,
  ledgerIds: readonly string[],
  since: Instant,
): readonly T[] {
  return listed.filter(
    (each) => !ledgerIds.includes(idOf(each)) && each.createdAt >= since && each.status !== 'failed',
  );
}

/**
 * Of the ids that the service lists right before a send, those that the ledger does not hold yet: all that the send's row
 * has to keep, so that the rows of a payment keep each id once, however many there come to be.
 */
export function idsNotHeld(listed: readonly string[], heldIds: readonly string[]): string[] {
  const held = new Set(heldIds);
  return [...new Set(listed)].filter((id) => !held.has(id));
}

/** What was sent, and what it cannot have made. */
export interface Sent {
  readonly amount: Money;
  /** When the "sending" row was written. */
  readonly at: Instant;
  /** All ids that the ledger holds of the payment: of its sends, and those that the service listed right before one. */
  readonly heldIds: readonly string[];
}

export type RecordMatch<T> =
  | { readonly kind: 'absent' }
  | { readonly kind: 'found'; readonly record: T }
  | { readonly kind: 'unclear'; readonly records: readonly T[] };

/**
 * Whether the service's list shows what was sent: a new id with our amount, created not before the "sending" row less
 * the skew, is ours; several, or a new one that fits nothing, are for a person (decisions 17, 18).
 */
export function matchSent<T extends ListedRecord>(
  listed: readonly T[],
  idOf: (record: T) => string,
  sent: Sent,
): RecordMatch<T> {
  const held = new Set(sent.heldIds);
  const fresh = listed.filter((each) => !held.has(idOf(each)));
  const ours = fresh.filter((each) => sameMoney(each.amount, sent.amount) && each.createdAt >= sent.at - CLOCK_SKEW);
  const strange = fresh.filter((each) => !ours.includes(each) && each.status !== 'failed');
  const [only] = ours;
  if (only === undefined && strange.length === 0) return { kind: 'absent' };
  if (only !== undefined && ours.length === 1 && strange.length === 0) return { kind: 'found', record: only };
  return { kind: 'unclear', records: [...ours, ...strange] };
}
