import { isForeign, idsOf } from './ledger-differences-explained';
import type { LedgerAttempt, LedgerPayment, ServicePayment } from './ledger-differences-records';
import { CLOCK_SKEW } from './listed-records';
import { sameMoney } from './money';

/**
 * The attempts with the ids that a person who resolved one as collected did not name (rule 33): those of the one debit at
 * the service that fits it. Where none fits they stay as they are, and the debit is missing.
 */
export function identifiedAttempts(
  { attempts, knownSince }: LedgerPayment,
  service: ServicePayment,
): readonly LedgerAttempt[] {
  const taken = idsOf(attempts.map((each) => each.authorizationId));
  const earliestFirst = service.authorizations.toSorted((one, other) => one.createdAt - other.createdAt);
  return attempts.map((attempt) => {
    if (attempt.state !== 'successful') return attempt;
    const fitting = earliestFirst.find(
      (each) => isForeign(each, each.authorizationId, taken, knownSince) && fits(attempt, each, service),
    );
    const authorizationId = attempt.authorizationId ?? fitting?.authorizationId ?? null;
    if (authorizationId !== null) taken.push(authorizationId);
    const booked = service.captures.find((each) => each.authorizationId === authorizationId);
    return { ...attempt, authorizationId, captureId: attempt.captureId ?? booked?.captureId ?? null };
  });
}

/**
 * The authorization of the capture that was named; else one of its amount, not seen right before it was sent, and made
 * from its due date on, as the send may have been entered by a person much later.
 */
function fits(
  attempt: LedgerAttempt,
  record: ServicePayment['authorizations'][number],
  { captures }: ServicePayment,
): boolean {
  const { authorizationId: id } = record;
  if (attempt.captureId !== null) {
    return captures.some((each) => each.captureId === attempt.captureId && each.authorizationId === id);
  }
  const isNew = !attempt.knownIds.includes(id) && record.createdAt >= Math.min(attempt.dueAt, attempt.at) - CLOCK_SKEW;
  return isNew && sameMoney(record.amount, attempt.amount);
}
