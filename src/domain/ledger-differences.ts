import {
  about,
  type Difference,
  type LedgerAttempt,
  type LedgerPayment,
  type LedgerRefund,
  type LedgerSend,
  type ServicePayment,
  sideOf,
} from './ledger-differences-records';
import { unknownDebits, unknownRefunds } from './ledger-differences-unknown';
import type { ListedRecord } from './listed-records';
import { sameMoney } from './money';

export * from './ledger-differences-records';

/** Every difference about one payment; what is still under way is none. Only what is final can be held against it. */
export function findDifferences(ledger: LedgerPayment, service: ServicePayment): Difference[] {
  return [
    ...ledger.attempts.flatMap((attempt) => differenceOfAttempt(attempt, service)),
    ...unknownDebits(ledger, service),
    ...ledger.refunds.flatMap((refund) => differenceOfRefund(refund, service)),
    ...unknownRefunds(ledger, service),
  ];
}

/** At most one: of the debit where there is one, else of the authorization. */
function differenceOfAttempt(attempt: LedgerAttempt, service: ServicePayment): Difference[] {
  const { cycle, authorizationId, captureId } = attempt;
  const ids = { cycle, authorizationId, captureId };
  const capture = service.captures.find((each) => each.captureId === captureId);
  const authorization = service.authorizations.find((each) => each.authorizationId === authorizationId);
  const expected = EXPECTED[attempt.state];
  if (expected === null || authorizationId === null) return [];
  const ofDebit = captureId === null ? null : disagreement('debit', attempt, capture, expected.capture);
  const found = ofDebit ?? disagreement('authorization', attempt, authorization, expected.authorization);
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

function disagreement(
  what: 'authorization' | 'debit' | 'refund',
  ours: LedgerSend<string>,
  theirs: ListedRecord | undefined,
  expected: readonly string[],
): Pick<Difference, 'kind' | 'ledger' | 'service'> | null {
  const ledger = { state: ours.state, amount: ours.amount, at: ours.at };
  if (theirs === undefined) return { kind: `${what}_missing`, ledger, service: null };
  const service = sideOf(theirs);
  if (!expected.includes(theirs.status)) return { kind: `${what}_state`, ledger, service };
  return sameMoney(ours.amount, theirs.amount) ? null : { kind: `${what}_amount`, ledger, service };
}

function differenceOfRefund(refund: LedgerRefund, { refunds }: ServicePayment): Difference[] {
  const { state, cycle, captureId, refundId, serviceRefundId } = refund;
  if ((state !== 'successful' && state !== 'failed') || serviceRefundId === null) return [];
  const theirs = refunds.find((each) => each.refundId === serviceRefundId);
  const found = disagreement('refund', refund, theirs, [state]);
  return found === null ? [] : [about({ cycle, captureId, refundId, serviceRefundId, ...found })];
}
