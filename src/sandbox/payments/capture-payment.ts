import { bookingDelay, startCapture } from '../bank/bookings';
import type { Rejection } from '../bank/wallets';
import { captureDeadline } from '../bank/settlement';
import { judgeCapture } from '../limits/order-limits';
import { maximumCapture } from '../limits/verdict';
import { Refusal } from '../refusal';
import { newRecordId, type Service } from '../service';
import type { Authorization, Capture, Payment } from './records';

export interface CaptureRequest {
  readonly amount: number;
  readonly finalCapture: boolean;
}

/** "Capture is not processed; status.result is failed": these refusals leave a failed capture. */
const LEAVES_FAILED_CAPTURE = new Set(['CAPTURE_EXCEEDS_AUTHORIZATION', 'CAPTURE_PERIOD_ENDED']);

/** Capture Payment (Event Dependent). @throws Refusal */
export function capturePayment(service: Service, payment: Payment, { amount, finalCapture }: CaptureRequest): Capture {
  const authorization = reservationOf(payment);
  const { partialCapture = false, multipleCapture = false } = payment.request;
  const reservation = {
    result: authorization.result,
    amount: authorization.amount,
    deadline: captureDeadline(payment, authorization),
    partialCapture,
    multipleCapture,
    captures: payment.captures,
  };
  const maximum = maximumCapture(payment.merchant.merchantCategoryCode);
  const verdict = judgeCapture(reservation, amount, payment.clock.now(), maximum, service.settings.brokenRules);
  if (verdict.kind === 'refused') {
    if (LEAVES_FAILED_CAPTURE.has(verdict.detail)) recordFailed(service, payment, authorization, amount, verdict);
    throw new Refusal(verdict.detail, verdict.description);
  }
  const terms = { amount, finalCapture, at: payment.clock.realNow(), delay: bookingDelay(service, payment) };
  return startCapture(service, payment, authorization, terms);
}

function reservationOf(payment: Payment): Authorization {
  if (payment.request.useCase !== 'EVENT_DEPENDENT') {
    throw new Refusal('STATE_CONFLICT', 'only Event Dependent payments are captured by request');
  }
  const authorization = payment.authorizations[0];
  if (authorization === undefined) throw new Refusal('STATE_CONFLICT', `the consent is ${payment.consent.result}`);
  return authorization;
}

function recordFailed(
  service: Service,
  payment: Payment,
  authorization: Authorization,
  amount: number,
  why: Rejection,
): void {
  payment.captures.push({
    captureId: newRecordId(service, 'cap', payment.captures),
    authorizationId: authorization.authorizationId,
    amount,
    finalCapture: null,
    createdAt: payment.clock.now(),
    result: 'failed',
    rejection: { detail: why.detail, description: why.description },
    booking: null,
  });
}

/**
 * Cancel Authorization: "Only an Event Dependent pre-authorization can be cancelled", before any capture. Idempotent.
 * @throws Refusal NOT_FOUND, STATE_CONFLICT
 */
export function releaseAuthorization({ settings }: Service, payment: Payment, authorizationId: string): Authorization {
  const authorization = payment.authorizations.find((one) => one.authorizationId === authorizationId);
  if (authorization === undefined) throw new Refusal('NOT_FOUND', 'the payment has no such authorization');
  if (payment.request.useCase !== 'EVENT_DEPENDENT') {
    throw new Refusal('STATE_CONFLICT', 'only an Event Dependent authorization can be cancelled');
  }
  const hasCapture = payment.captures.some((capture) => capture.result !== 'failed');
  if (hasCapture && !settings.brokenRules.has('release-before-capture')) {
    throw new Refusal('STATE_CONFLICT', 'the authorization has a capture; captures are reversed by refunds');
  }
  if (authorization.result !== 'successful' && authorization.result !== 'released') {
    throw new Refusal('STATE_CONFLICT', `the authorization is ${authorization.result}`);
  }
  authorization.result = 'released';
  return authorization;
}
