import { parseWallet, type Wallet, walletHintIn } from '../bank/wallets';
import type { Merchant } from '../merchants/merchant';
import { newId, type Service } from '../service';
import { createPaymentClock } from './calendar';
import type { PaymentRequest } from './payment-request';
import type { Payment } from './records';

/** Tolerance in business ms, and in real ms (converted by the test clock's speed), because a request takes time to arrive. */
const FIRST_PAYMENT_TOLERANCE = 60_000;
const REQUEST_TRAVEL_MS = 5_000;

/** firstPaymentAt "must be at least the current date and time", with a small tolerance for the transit. */
export function earliestFirstPayment({ clock }: Service): number {
  return clock.now() - Math.max(FIRST_PAYMENT_TOLERANCE, REQUEST_TRAVEL_MS * (clock.setting?.speed ?? 1));
}

/** Records a payment and opens its consent session. */
export function openPayment(
  service: Service,
  merchant: Merchant,
  request: PaymentRequest,
  createdAt = service.clock.now(),
): Payment {
  const { settings } = service;
  const clock = createPaymentClock(service.clock);
  const wallet = walletFor(request);
  const payment: Payment = {
    paymentId: newId('pay'),
    merchant,
    clock,
    request,
    createdAt,
    sessionEndsAt: clock.realNow() + settings.sessionMs,
    decidesAt: wallet.auto ? clock.realNow() + settings.autoDecisionMs : null,
    consent: { consentId: newId('con'), result: 'pending', reason: null, walletId: null },
    wallet,
    authorizations: [],
    captures: [],
    refunds: [],
  };
  service.payments.add(payment);
  service.log.info(
    { paymentId: payment.paymentId, useCase: request.useCase, wallet: wallet.hint },
    'payment requested',
  );
  return payment;
}

function walletFor(request: PaymentRequest): Wallet {
  const { email, name } = request.billingAddress;
  const wallet = parseWallet(walletHintIn(email) ?? walletHintIn(name) ?? 'approves');
  if (wallet === null) throw new Error('a payment request with an unknown wallet passed validation');
  return wallet;
}

/** Gives the payer another wallet. With `+auto`, a pending consent is decided shortly. */
export function changeWallet(service: Service, payment: Payment, wallet: Wallet): void {
  payment.wallet = wallet;
  payment.decidesAt = wallet.auto ? payment.clock.realNow() + service.settings.autoDecisionMs : null;
}
