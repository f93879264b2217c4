import { iso } from './payments/calendar';
import { captureDeadline } from './bank/settlement';
import type { Settings } from './options';
import type { Authorization, Capture, Payment, Refund } from './payments/records';

/** The views of records on the wire. */
type View = Record<string, unknown>;

export type WireStyle = Pick<Settings, 'upperCaseResults'>;

function money(cents: number): View {
  return { value: cents, currency: 'EUR' };
}

function status(payment: Payment, style: WireStyle, result: string, reason: string | null = null): View {
  const isUpper = style.upperCaseResults || payment.wallet.upperCase;
  return { result: isUpper ? result.toUpperCase() : result, ...(reason === null ? {} : { reason }) };
}

/** The response to a payment request, whose consent session has just started. */
export function paymentView(payment: Payment, publicUrl: string, style: WireStyle): View {
  return {
    paymentId: payment.paymentId,
    consentId: payment.consent.consentId,
    useCase: payment.request.useCase,
    amount: money(payment.request.amount.value),
    createdAt: iso(payment.createdAt),
    redirectURL: `${publicUrl}/payer/${payment.paymentId}`,
    status: status(payment, style, 'pending'),
  };
}

export function consentView(payment: Payment, style: WireStyle): View {
  const { consent, request } = payment;
  const instants = { startAt: request.startAt, firstPaymentAt: request.firstPaymentAt, endAt: request.endAt };
  return {
    paymentId: payment.paymentId,
    consentId: consent.consentId,
    ...(consent.walletId === null ? {} : { walletId: consent.walletId }),
    createdAt: iso(payment.createdAt),
    amount: money(request.amount.value),
    ...(request.repetition === undefined ? {} : { repetition: request.repetition }),
    ...Object.fromEntries(
      Object.entries(instants).flatMap(([name, at]) => (at === undefined ? [] : [[name, iso(at)]])),
    ),
    status: status(payment, style, consent.result, consent.reason),
  };
}

export function authorizationView(payment: Payment, authorization: Authorization, style: WireStyle): View {
  const isEventDependent = payment.request.useCase === 'EVENT_DEPENDENT';
  const timeToCapture = (captureDeadline(payment, authorization) - authorization.createdAt) / 1000;
  return {
    paymentId: payment.paymentId,
    authorizationId: authorization.authorizationId,
    amount: money(authorization.amount),
    createdAt: iso(authorization.createdAt),
    ...(isEventDependent ? { timeToCapture } : {}),
    status: status(payment, style, authorization.result),
    ...(authorization.rejection === null ? {} : { result: 'FAILED', ...authorization.rejection }),
  };
}

export function captureView(payment: Payment, capture: Capture, style: WireStyle): View {
  return {
    paymentId: payment.paymentId,
    captureId: capture.captureId,
    authorizationId: capture.authorizationId,
    amount: money(capture.amount),
    ...(capture.finalCapture === null ? {} : { finalCapture: capture.finalCapture }),
    createdAt: iso(capture.createdAt),
    status: status(payment, style, capture.result),
    ...(capture.rejection === null ? {} : { detail: capture.rejection.detail }),
  };
}

export function refundView(payment: Payment, refund: Refund, style: WireStyle): View {
  return {
    paymentId: payment.paymentId,
    refundId: refund.refundId,
    ...(refund.captureId === null ? {} : { captureId: refund.captureId }),
    amount: money(refund.amount),
    createdAt: iso(refund.createdAt),
    status: status(payment, style, refund.result),
    ...(refund.rejection === null ? {} : { detail: refund.rejection.detail }),
  };
}
