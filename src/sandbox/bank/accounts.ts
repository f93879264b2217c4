import { iso } from '../payments/calendar';
import type { Authorization, Payment } from '../payments/records';

/** One debit of a payer's account, from the service's own records. Instants in ISO, business time. */
export type Debit = ReturnType<typeof debitsOf>[number];

export type PaymentAccount = ReturnType<typeof accountOf>;

/** Every capture with its authorization: successful, pending and failed debits. Oldest first. */
export function debitsOf(payment: Payment) {
  return payment.captures.flatMap((capture) => {
    const authorization = payment.authorizations.find((one) => one.authorizationId === capture.authorizationId);
    if (authorization === undefined) return [];
    return [
      {
        paymentId: payment.paymentId,
        useCase: payment.request.useCase,
        authorizationId: authorization.authorizationId,
        captureId: capture.captureId,
        amount: { value: capture.amount, currency: 'EUR' as const },
        /** Creation of the authorization. */
        createdAt: iso(authorization.createdAt),
        capturedAt: iso(capture.createdAt),
        ...scheduleOf(authorization),
        status: capture.result,
        /** Cents refunded or being refunded. */
        refunded: payment.refunds
          .filter((refund) => refund.captureId === capture.captureId && refund.result !== 'failed')
          .reduce((sum, refund) => sum + refund.amount, 0),
      },
    ];
  });
}

/** The service's own account of a payment, without personal data. */
export function accountOf(payment: Payment) {
  const { consentId, result, reason } = payment.consent;
  return {
    paymentId: payment.paymentId,
    useCase: payment.request.useCase,
    amount: payment.request.amount,
    createdAt: iso(payment.createdAt),
    wallet: payment.wallet.hint,
    consent: { consentId, result, reason },
    authorizations: payment.authorizations.map((authorization) => ({
      authorizationId: authorization.authorizationId,
      amount: authorization.amount,
      createdAt: iso(authorization.createdAt),
      ...scheduleOf(authorization),
      result: authorization.result,
      rejection: authorization.rejection,
    })),
    debits: debitsOf(payment),
    refunds: payment.refunds.map(({ refundId, captureId, amount, result: refundResult }) => ({
      refundId,
      captureId,
      amount,
      result: refundResult,
    })),
  };
}

/** The scheduled date that an authorization belongs to; null for plans without a schedule. */
function scheduleOf({ date }: Authorization) {
  return { cycle: date?.cycle ?? null, scheduledAt: date === null ? null : iso(date.scheduledAt) };
}
