import type { Instant } from '../time';
import {
  disagreement,
  differencesOfRefunds,
  identifiedAttempts,
  explainedBy,
  idsOf,
  isForeign,
  unexplained,
} from './compare';
import type { Difference, LedgerAttempt, LedgerPayment, ServicePayment } from './records';

export * from './one-time';
export * from './records';

/**
 * All differences about the payment of a subscription. A record is compared once it is final in the ledger. A pending refund is
 * also a difference if the service does not list it a day after it was sent.
 */
export function findDifferences(ledger: LedgerPayment, service: ServicePayment, now: Instant): Difference[] {
  const attempts = identifiedAttempts(ledger, service);
  return [
    ...attempts.flatMap((attempt) => differenceOfAttempt(attempt, attempts, service)),
    ...unknownDebits({ ...ledger, attempts }, service),
    ...differencesOfRefunds({ ...ledger, debits: attempts }, service, now),
  ];
}

/** At most one difference: about the debit if that differs, otherwise about the authorization. */
function differenceOfAttempt(
  attempt: LedgerAttempt,
  attempts: readonly LedgerAttempt[],
  service: ServicePayment,
): Difference[] {
  const { cycle, authorizationId, captureId } = attempt;
  const ids = { cycle, authorizationId, captureId };
  const capture = service.captures.find((each) => each.captureId === captureId);
  const authorization = service.authorizations.find((each) => each.authorizationId === authorizationId);
  const expected = EXPECTED[attempt.state];
  if (expected === null) return [];
  const isDebit = captureId !== null || attempt.state === 'successful';
  const ofDebit = isDebit ? disagreement('debit', ids, attempt, capture, expected.capture) : [];
  if (ofDebit.length > 0 || authorizationId === null) return ofDebit;
  if (authorization === undefined && !mustBeListed(attempt, capture)) return [];
  // A later attempt may have the same authorization: the service has reopened it (rule 38).
  if (isRefused(attempt) && attempts.some((other) => !isRefused(other) && other.authorizationId === authorizationId))
    return [];
  return disagreement('authorization', ids, attempt, authorization, expected.authorization);
}

/** A missing refused authorization means nothing, and a debit confirmed by its capture needs no authorization (rule 36). */
function mustBeListed(attempt: LedgerAttempt, capture: ServicePayment['captures'][number] | undefined): boolean {
  return !isRefused(attempt) && capture === undefined;
}

function isRefused({ state }: LedgerAttempt): boolean {
  return state === 'rejected' || state === 'rejected_retryable';
}

/** The states that the service must show for a final state in the ledger. A refusal that names no id cannot be compared. */
const EXPECTED: Readonly<
  Record<LedgerAttempt['state'], { readonly authorization: readonly string[]; readonly capture: string[] } | null>
> = {
  sending: null,
  pending: null,
  unknown: null,
  unresolved: null,
  not_sent: null,
  successful: { authorization: ['successful'], capture: ['successful'] },
  capture_failed: { authorization: ['successful'], capture: ['failed'] },
  rejected: { authorization: ['failed', 'released', 'expired'], capture: ['failed'] },
  rejected_retryable: { authorization: ['failed', 'released', 'expired'], capture: ['failed'] },
};

/** Debits, and authorizations that may become debits, that match no attempt. */
function unknownDebits({ attempts, refunds, knownSince }: LedgerPayment, service: ServicePayment): Difference[] {
  const ownIds = idsOf(attempts.map((each) => each.authorizationId));
  const foreign = service.authorizations.filter((each) => isForeign(each, each.authorizationId, ownIds, knownSince));
  const explained = explainedBy(attempts, foreign, (each) => each.authorizationId);
  const pending = attempts.filter(({ state }) => state === 'pending');
  const underWay = [...explained, ...idsOf(pending.map((each) => each.authorizationId))];
  const ownCaptures = idsOf(attempts.map((each) => each.captureId));
  const cycleOf = (id: string) => attempts.find((each) => each.authorizationId === id)?.cycle ?? null;
  const debits = service.captures.filter(
    (each) => isForeign(each, each.captureId, ownCaptures, knownSince) && !underWay.includes(each.authorizationId),
  );
  const authorizations = foreign.filter(({ authorizationId: id }) => !explained.includes(id));
  return unexplained(debits, authorizations, refunds, cycleOf);
}
