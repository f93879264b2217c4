import { startAuthorization } from '../bank/bookings';
import type { BrokenRules } from '../faults/broken-rules';
import { maximumCapture, inEuros } from '../limits/verdict';
import { judgeAuthorization, type PastAuthorization, type SubscriptionTerms } from '../limits/subscription-limits';
import { allowedOrThrow, Refusal } from '../refusal';
import type { Service } from '../service';
import type { Authorization, Payment } from './records';

/**
 * Initiate Payment: checked by the business clock on arrival. A refusal by a rule leaves no record; a rejection by the
 * payer's bank leaves a failed authorization.
 * @throws Refusal
 */
export function authorize(service: Service, payment: Payment, amount: number, hiddenForMs: number): Authorization {
  if (payment.request.useCase !== 'SUBSCRIPTION') {
    throw new Refusal('STATE_CONFLICT', 'only subscriptions are authorized by request');
  }
  const { brokenRules } = service.settings;
  if (!isGranted(payment, brokenRules)) {
    throw new Refusal('CONSENT_NOT_VALID', `the consent is ${payment.consent.result}`);
  }
  const terms = termsOf(payment);
  const verdict = judgeAuthorization(
    terms,
    payment.authorizations.flatMap(pastOf),
    amount,
    payment.clock.now(),
    brokenRules,
  );
  const { cycle, scheduledAt } = allowedOrThrow(verdict);
  const maximum = maximumCapture(payment.merchant.merchantCategoryCode);
  if (maximum !== null && amount > maximum && !brokenRules.has('category-maximum')) {
    throw new Refusal('AMOUNT_NOT_ALLOWED', `a merchant of this category captures ${inEuros(maximum)} at most`);
  }
  const origin = { at: payment.clock.realNow(), date: { cycle, scheduledAt }, hiddenForMs };
  const { authorization, answersFailure } = startAuthorization(service, payment, amount, origin);
  if (answersFailure && authorization.rejection !== null) {
    throw new Refusal(authorization.rejection.detail, authorization.rejection.description);
  }
  return authorization;
}

function isGranted({ consent }: Payment, broken: BrokenRules): boolean {
  const isCollectedAnyway = consent.reason === 'cancelled_by_merchant' && broken.has('cancelled-consent');
  return consent.result === 'successful' || isCollectedAnyway;
}

function termsOf(payment: Payment): SubscriptionTerms {
  const { repetition, startAt, firstPaymentAt, endAt = null, amount } = payment.request;
  if (repetition === undefined || startAt === undefined || firstPaymentAt === undefined) {
    throw new Error(`subscription ${payment.paymentId} was recorded without its schedule`);
  }
  return { repetition, startAt, firstPaymentAt, endAt, amount: amount.value };
}

function pastOf({ amount, createdAt, date, result }: Authorization): PastAuthorization[] {
  if (date === null || result === 'released' || result === 'expired') return [];
  return [{ amount, createdAt, cycle: date.cycle, result }];
}
