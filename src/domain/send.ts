import type { AuthorizationId } from './ids';
import { type Money, sameMoney } from './money';
import { type Instant, SECOND } from './time';

/**
 * sending: committed, its POST may be on the wire · pending: known to the service, not final · unknown: whether it arrived
 * is not known · unresolved: the service's answers fit nothing. The others are final.
 */
export type AttemptState =
  | 'sending'
  | 'pending'
  | 'unknown'
  | 'unresolved'
  | 'successful'
  | 'rejected_retryable'
  | 'rejected'
  | 'capture_failed'
  | 'not_sent';

/** What every record of money that the service lists has, be it an authorization or a refund. */
export interface ListedRecord {
  readonly amount: Money;
  readonly createdAt: Instant;
  readonly status: string;
}

/** The service's clock may be this far from ours, in ms (rules 16, 17). */
export const CLOCK_SKEW = 60_000;

/** Records that the ledger lacks, created at or after `since` and not failed: they stop a POST (rule 16). */
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
 * the skew, is ours; several, or a new one that fits nothing, are for a person (rules 17, 18).
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

/** An authorization as the service lists it. */
export interface ListedAuthorization extends ListedRecord {
  readonly authorizationId: AuthorizationId;
}

/**
 * Look before the leap: an authorization that the ledger lacks, created at or after the cycle's due date less the skew and
 * not failed, stops the POST (rule 16). A failed one is the record of a refusal whose answer named no id.
 */
export function findUnknownAuthorizations<T extends ListedAuthorization>(
  listed: readonly T[],
  ledgerIds: readonly string[],
  dueAt: Instant,
): readonly T[] {
  return recordsNotOurs(listed, idOf, ledgerIds, dueAt - CLOCK_SKEW);
}

/** What was sent, and what it cannot have made. */
export type SentAttempt = Sent;

export type Match<T> =
  | { readonly kind: 'absent' }
  | { readonly kind: 'found'; readonly authorization: T }
  | { readonly kind: 'unclear'; readonly authorizationIds: readonly AuthorizationId[] };

/** Whether the service's list of authorizations shows what was sent, see {@link matchSent}. */
export function matchSentAttempt<T extends ListedAuthorization>(listed: readonly T[], sent: SentAttempt): Match<T> {
  const match = matchSent(listed, idOf, sent);
  switch (match.kind) {
    case 'absent':
      return match;
    case 'found':
      return { kind: 'found', authorization: match.record };
    case 'unclear':
      return { kind: 'unclear', authorizationIds: match.records.map(idOf) };
  }
}

function idOf({ authorizationId }: ListedAuthorization): AuthorizationId {
  return authorizationId;
}

/** When something was asked and when the answer was here, by our clock. Real time, epoch ms. */
export interface Asked {
  readonly askedAt: number;
  readonly answeredAt: number;
}

/**
 * By how many ms another clock is ahead of ours at the least, negative where it is behind; 0 where both may agree. It
 * showed `shown` at some moment between the two of ours, cut to whole seconds.
 */
export function certainLead(shown: number, { askedAt, answeredAt }: Asked): number {
  // Ours may have been set back meanwhile.
  const earliest = Math.min(askedAt, answeredAt);
  const latest = Math.max(askedAt, answeredAt);
  if (shown > latest) return shown - latest;
  return Math.min(0, shown + SECOND - 1 - earliest);
}

/** Why nothing may be sent: what is ours among the service's records is told by its clock (rule 16). Null where none. */
export function whyClocksDiffer(lead: number | undefined): string | null {
  if (lead === undefined || Math.abs(lead) <= CLOCK_SKEW) return null;
  const seconds = Math.floor(Math.abs(lead) / SECOND);
  return `the clock of the service is ${seconds} s or more ${lead > 0 ? 'ahead of' : 'behind'} ours`;
}
