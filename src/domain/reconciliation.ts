import type { AuthorizationId } from './ids';
import type { Instant } from './instant';
import { CLOCK_SKEW, type ListedRecord, matchSent, recordsNotOurs, type Sent } from './listed-records';

export { CLOCK_SKEW } from './listed-records';

/** An authorization as the service lists it. */
export interface ListedAuthorization extends ListedRecord {
  readonly authorizationId: AuthorizationId;
}

/**
 * Look before the leap: an authorization that the ledger lacks, created at or after the cycle's due date less the skew and
 * not failed, stops the POST (decisions 16). A failed one is the record of a refusal whose answer named no id.
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
