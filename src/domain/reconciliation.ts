import type { AuthorizationId } from './ids';
import type { Instant } from './instant';
import { type Money, sameMoney } from './money';

/** An authorization as the service lists it. */
export interface ListedAuthorization {
  readonly authorizationId: AuthorizationId;
  readonly amount: Money;
  readonly createdAt: Instant;
  readonly status: string;
}

/** The service's clock may be this far behind ours, in ms (decisions 17). */
export const CLOCK_SKEW = 60_000;

/**
 * Look before the leap: an authorization that the ledger lacks, created at or after the cycle's due date and not failed,
 * stops the POST (decisions 16). A failed one is the record of a refusal whose answer named no id.
 */
export function findUnknownAuthorizations<T extends ListedAuthorization>(
  listed: readonly T[],
  ledgerIds: readonly string[],
  dueAt: Instant,
): readonly T[] {
  return listed.filter(
    (each) => !ledgerIds.includes(each.authorizationId) && each.createdAt >= dueAt && each.status !== 'failed',
  );
}

/** What was sent, and what was known of before it. */
export interface SentAttempt {
  readonly amount: Money;
  /** When the "sending" row was written. */
  readonly at: Instant;
  /** Every id that the service listed right before. */
  readonly knownIds: readonly string[];
  /** Ids that the ledger holds for other attempts of the same payment. */
  readonly otherIds: readonly string[];
}

export type Match<T> =
  | { readonly kind: 'absent' }
  | { readonly kind: 'found'; readonly authorization: T }
  | { readonly kind: 'unclear'; readonly authorizationIds: readonly AuthorizationId[] };

/**
 * Whether the service's list shows what was sent: a new id with our amount, created not before the "sending" row less
 * the skew, is our debit; several, or a new one that fits nothing, are for a person (decisions 17, 18).
 */
export function matchSentAttempt<T extends ListedAuthorization>(listed: readonly T[], sent: SentAttempt): Match<T> {
  const fresh = listed.filter(
    ({ authorizationId }) => !sent.knownIds.includes(authorizationId) && !sent.otherIds.includes(authorizationId),
  );
  const ours = fresh.filter((each) => sameMoney(each.amount, sent.amount) && each.createdAt >= sent.at - CLOCK_SKEW);
  const strange = fresh.filter((each) => !ours.includes(each) && each.status !== 'failed');
  const [only] = ours;
  if (only === undefined && strange.length === 0) return { kind: 'absent' };
  if (only !== undefined && ours.length === 1 && strange.length === 0) return { kind: 'found', authorization: only };
  return { kind: 'unclear', authorizationIds: [...ours, ...strange].map(({ authorizationId }) => authorizationId) };
}
