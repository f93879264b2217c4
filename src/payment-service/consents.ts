import { z } from 'zod';
import { REPETITIONS } from '../domain/subscription/schedule';
import { type Caller, pathOf } from './caller';
import type { PaymentService, Consent } from './payment-service';
import { consentPath, type Spellings } from './spellings';
import * as field from './wire';

/** HALF-YEARLY, as the reference's caps list writes it, reads as HALF_YEARLY. */
const repetition = z
  .string()
  .transform((word) => word.trim().toUpperCase().replaceAll('-', '_'))
  .pipe(z.enum(REPETITIONS));

const consent = z
  .object({
    paymentId: field.paymentId,
    status: field.statusOf(['pending', 'successful', 'failed', 'cancelled', 'expired']),
    consentId: field.decoration(field.id),
    amount: field.money.nullish().transform((amount) => amount ?? undefined),
    repetition: field.decoration(repetition),
    createdAt: field.decoration(field.instant),
    startAt: field.decoration(field.instant),
    firstPaymentAt: field.decoration(field.instant),
    endAt: field.decoration(field.instant),
  })
  .transform(({ status, ...rest }): Consent => {
    const reason = status.reason?.trim().toLowerCase();
    // A session that ran out of its 10 minutes has failed; some answers may say "expired", as the reference does.
    if (status.result === 'expired') return { ...rest, status: 'failed', reason: reason ?? 'timeout' };
    return { ...rest, status: status.result, reason };
  });

function readConsent(paymentId: string) {
  return (body: unknown): Consent | null => {
    const parsed = consent.safeParse(body);
    return parsed.success && parsed.data.paymentId === paymentId ? parsed.data : null;
  };
}

export function createConsents(
  call: Caller,
  spellings: Spellings,
): Pick<PaymentService, 'getConsent' | 'cancelConsent'> {
  return {
    getConsent: async (paymentId) =>
      call({
        operation: 'get_consent',
        method: 'GET',
        path: consentPath(spellings, paymentId),
        read: readConsent(paymentId),
      }),
    cancelConsent: async (paymentId, options) =>
      call({
        operation: 'cancel_consent',
        method: 'DELETE',
        path: pathOf([paymentId, 'consents']),
        beforeSend: options?.beforeSend,
        read: readConsent(paymentId),
      }),
  };
}
