import { iso } from '../payments/calendar';
import type { Authorization, AuthorizationResult, BookedResult, ConsentResult, Payment } from '../payments/records';
import type { Rejection } from './wallets';

/** One debit of a payer's account, as the service itself has it. Instants in ISO, business time. */
export interface Debit {
  readonly paymentId: string;
  readonly useCase: Payment['request']['useCase'];
  readonly authorizationId: string;
  readonly captureId: string;
  readonly amount: { readonly value: number; readonly currency: 'EUR' };
  /** Of the authorization. */
  readonly createdAt: string;
  readonly capturedAt: string;
  /** Which scheduled date it was matched to; null for plans without. */
  readonly cycle: number | null;
  readonly scheduledAt: string | null;
  readonly status: BookedResult;
  /** Cents refunded or being refunded. */
  readonly refunded: number;
}

export interface PaymentAccount {
  readonly paymentId: string;
  readonly useCase: Payment['request']['useCase'];
  readonly amount: { readonly value: number; readonly currency: 'EUR' };
  readonly createdAt: string;
  readonly wallet: string;
  readonly consent: { readonly consentId: string; readonly result: ConsentResult; readonly reason: string | null };
  readonly authorizations: readonly {
    readonly authorizationId: string;
    readonly amount: number;
    readonly createdAt: string;
    readonly cycle: number | null;
    readonly scheduledAt: string | null;
    readonly result: AuthorizationResult;
    readonly rejection: Rejection | null;
  }[];
  readonly debits: readonly Debit[];
  readonly refunds: readonly {
    readonly refundId: string;
    readonly captureId: string | null;
    readonly amount: number;
    readonly result: BookedResult;
  }[];
}

/** Every capture with its authorization: what was, or is being, or failed to be debited. Oldest first. */
export function debitsOf(payment: Payment): Debit[] {
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
        createdAt: iso(authorization.createdAt),
        capturedAt: iso(capture.createdAt),
        ...scheduleOf(authorization),
        status: capture.result,
        refunded: payment.refunds
          .filter((refund) => refund.captureId === capture.captureId && refund.result !== 'failed')
          .reduce((sum, refund) => sum + refund.amount, 0),
      },
    ];
  });
}

/** The service's own account of a payment, without personal data. */
export function accountOf(payment: Payment): PaymentAccount {
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

function scheduleOf({ date }: Authorization): { cycle: number | null; scheduledAt: string | null } {
  return { cycle: date?.cycle ?? null, scheduledAt: date === null ? null : iso(date.scheduledAt) };
}
