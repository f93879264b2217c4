import { disagreement } from './ledger-differences-disagreement';
import {
  about,
  type Difference,
  type LedgerAttempt,
  type LedgerPayment,
  type ServicePayment,
} from './ledger-differences-records';
import { differencesOfRefunds } from './ledger-differences-refunds';
import { identifiedAttempts } from './ledger-differences-resolved';
import { unknownDebits } from './ledger-differences-unknown';

export * from './ledger-differences-one-time';
export * from './ledger-differences-records';

/** Every difference about the payment of a subscription; what is still under way is none. Only what is final can be held against it. */
export function findDifferences(ledger: LedgerPayment, service: ServicePayment): Difference[] {
  const attempts = identifiedAttempts(ledger, service);
  return [
    ...attempts.flatMap((attempt) => differenceOfAttempt(attempt, service)),
    ...unknownDebits({ ...ledger, attempts }, service),
    ...differencesOfRefunds({ ...ledger, debits: attempts }, service),
  ];
}

/** At most one: of the debit where there is one, else of the authorization. */
function differenceOfAttempt(attempt: LedgerAttempt, service: ServicePayment): Difference[] {
  const { cycle, authorizationId, captureId } = attempt;
  const ids = { cycle, authorizationId, captureId };
  const capture = service.captures.find((each) => each.captureId === captureId);
  const authorization = service.authorizations.find((each) => each.authorizationId === authorizationId);
  const expected = EXPECTED[attempt.state];
  if (expected === null) return [];
  const isDebit = captureId !== null || attempt.state === 'successful';
  const ofDebit = isDebit ? disagreement('debit', attempt, capture, expected.capture) : null;
  const ofAuthorization =
    authorizationId === null ? null : disagreement('authorization', attempt, authorization, expected.authorization);
  const found = ofDebit ?? ofAuthorization;
  return found === null ? [] : [about({ ...ids, ...found })];
}

/** What the service must say where the ledger's word is final. A refusal that names no id leaves nothing to compare. */
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
