import { DEFAULT_TIME_TO_CAPTURE } from '../limits/verdict';
import { actAsPayer, advanceConsent } from '../payments/consent-session';
import type { Authorization, Payment } from '../payments/records';
import type { Service } from '../service';
import { book, bookingDelay, startCapture } from './bookings';

/**
 * Carries out everything that is due. There are no timers: a payment is brought up to date before each read, so that no
 * caller sees an outdated state.
 */
export function bringUpToDate(service: Service, payment: Payment): void {
  const now = payment.clock.realNow();
  advanceConsent(service, payment);
  for (const authorization of payment.authorizations) {
    const finalAt = book(authorization, now);
    if (finalAt !== null && authorization.result === 'successful')
      afterSuccess(service, payment, authorization, finalAt);
  }
  for (const capture of payment.captures) book(capture, now);
  for (const refund of payment.refunds) book(refund, now);
  if (payment.request.useCase === 'EVENT_DEPENDENT' && !service.settings.brokenRules.has('expiry')) expire(payment);
}

function afterSuccess(service: Service, payment: Payment, authorization: Authorization, finalAt: number): void {
  if (payment.request.useCase !== 'EVENT_DEPENDENT') {
    const delay = Math.floor(bookingDelay(service, payment) / 2);
    startCapture(service, payment, authorization, {
      amount: authorization.amount,
      finalCapture: null,
      at: finalAt,
      delay,
    });
  }
  if (hasPayerHadEnough(payment)) actAsPayer(service, payment, 'cancel');
}

/** The wallet `cancels-after-<n>`: the payer withdraws the consent at their bank. */
function hasPayerHadEnough({ request, wallet, consent, authorizations }: Payment): boolean {
  if (wallet.cancelsAfter === null || request.useCase !== 'SUBSCRIPTION' || consent.result !== 'successful')
    return false;
  return authorizations.filter((one) => one.result === 'successful').length >= wallet.cancelsAfter;
}

/** "Capture deadline: authorization createdAt (UTC) plus the number of seconds of timeToCapture." Business time. */
export function captureDeadline(payment: Payment, authorization: Authorization): number {
  return authorization.createdAt + (payment.request.timeToCapture ?? DEFAULT_TIME_TO_CAPTURE) * 1000;
}

/** "Validity ends; no capture or cancellation: expired." A failed capture took nothing. */
function expire(payment: Payment): void {
  if (payment.captures.some((capture) => capture.result !== 'failed')) return;
  for (const authorization of payment.authorizations) {
    const hasEnded = payment.clock.now() >= captureDeadline(payment, authorization);
    if (authorization.result === 'successful' && hasEnded) authorization.result = 'expired';
  }
}

/** Books everything pending at once, for slow wallets. */
export function settleNow(service: Service, payment: Payment): void {
  const now = payment.clock.realNow();
  const hasten = (record: Pick<Authorization, 'booking'>): void => {
    if (record.booking !== null) record.booking = { ...record.booking, finalAt: Math.min(record.booking.finalAt, now) };
  };
  payment.authorizations.forEach(hasten);
  bringUpToDate(service, payment);
  [...payment.captures, ...payment.refunds].forEach(hasten);
  bringUpToDate(service, payment);
}
