import { type AuthorizationOrigin, startAuthorization } from '../bank/bookings';
import { Refusal } from '../refusal';
import { newId, type Service } from '../service';
import type { Consent, Payment } from './records';

/** What a payer can do: the first three on the payer page, `cancel` at their bank once the consent is granted. */
export const PAYER_ACTIONS = ['approve', 'decline', 'abort', 'cancel'] as const;
export type PayerAction = (typeof PAYER_ACTIONS)[number];

/** @throws Refusal STATE_CONFLICT if the state of the consent does not allow it */
export function actAsPayer(service: Service, payment: Payment, action: PayerAction): void {
  if (action === 'cancel') requireSubscription(payment);
  const needed = action === 'cancel' ? 'successful' : 'pending';
  if (payment.consent.result !== needed) {
    throw new Refusal('STATE_CONFLICT', `the consent is ${payment.consent.result}, not ${needed}`);
  }
  if (action === 'cancel') {
    settle(service, payment, 'cancelled', 'cancelled_by_payer');
  } else {
    decide(service, payment, action, payment.clock.realNow());
  }
}

/** The wallet decides what approving does: with `declines` it declines. */
function decide(service: Service, payment: Payment, action: 'approve' | 'decline' | 'abort', at: number): void {
  const decision = action === 'approve' ? payment.wallet.consent : action;
  switch (decision) {
    case 'approve':
      grant(service, payment, at);
      return;
    case 'decline':
      settle(service, payment, 'failed', 'declined');
      return;
    case 'abort':
      settle(service, payment, 'failed', 'aborted');
      return;
    case 'none':
      return;
  }
}

function grant(service: Service, payment: Payment, at: number): void {
  payment.consent.walletId = newId('wal');
  settle(service, payment, 'successful', null);
  // Subscription: "creating the consent only records approval". The other plans authorize by themselves.
  if (payment.request.useCase !== 'SUBSCRIPTION') {
    const origin: AuthorizationOrigin = { at, date: null, hiddenForMs: 0 };
    startAuthorization(service, payment, payment.request.amount.value, origin);
  }
}

/** Applies what has happened since the last call: an automatic decision of the wallet, or the end of the session. */
export function advanceConsent(service: Service, payment: Payment): void {
  const now = payment.clock.realNow();
  const { decidesAt, sessionEndsAt } = payment;
  if (isPending(payment) && decidesAt !== null && decidesAt <= now && decidesAt < sessionEndsAt) {
    payment.decidesAt = null;
    decide(service, payment, 'approve', decidesAt);
  }
  const hasEnded = now >= sessionEndsAt && !service.settings.brokenRules.has('consent-session');
  if (isPending(payment) && hasEnded) settle(service, payment, 'failed', 'timeout');
}

function isPending({ consent }: Payment): boolean {
  return consent.result === 'pending';
}

/**
 * `DELETE /{paymentId}/consents`. Idempotent; a consent that has already ended is not changed.
 * @throws Refusal STATE_CONFLICT for other plans than subscriptions
 */
export function cancelConsent(service: Service, payment: Payment): void {
  requireSubscription(payment);
  if (payment.consent.result === 'pending' || payment.consent.result === 'successful') {
    settle(service, payment, 'cancelled', 'cancelled_by_merchant');
  }
}

function requireSubscription({ request }: Payment): void {
  if (request.useCase === 'SUBSCRIPTION') return;
  throw new Refusal('STATE_CONFLICT', 'only the consent of a subscription can be cancelled');
}

function settle(service: Service, payment: Payment, result: Consent['result'], reason: Consent['reason']): void {
  payment.consent.result = result;
  payment.consent.reason = reason;
  service.log.info({ paymentId: payment.paymentId, consent: result, reason }, 'consent settled');
}
