import type { ScheduledDate } from '../payments/calendar';
import type { Authorization, AuthorizationResult, Booked, Capture, Payment } from '../payments/records';
import { businessTimeAt, newRecordId, type Service } from '../service';
import type { ContradictionPlan } from '../faults/applied-contradictions';
import { type Rejection, RETRYABLE, takeRejection } from './wallets';

const CAPTURE_FAILED: Rejection = { detail: 'INTERNAL_ERROR', description: 'The capture could not be booked.' };

const REFUSED_LATER = { rejection: RETRYABLE, shown: 'later' } as const;

/** Real instant, scheduled date, and how long lists omit the authorization. */
export interface AuthorizationOrigin {
  readonly at: number;
  readonly date: ScheduledDate | null;
  readonly hiddenForMs: number;
}

/** Real ms from a request to its booking. */
export function bookingDelay({ settings }: Service, payment: Payment): number {
  const delay = payment.wallet.bookingDelay;
  if (delay === 'slow') return settings.slowMs;
  return delay ?? settings.bookingDelayMs;
}

/**
 * Records an authorization and its future outcome. If the payer's bank rejects it at once, the result says whether the
 * merchant receives a Failure without an authorization id.
 */
export function startAuthorization(
  service: Service,
  payment: Payment,
  amount: number,
  origin: AuthorizationOrigin,
): { readonly authorization: Authorization; readonly answersFailure: boolean } {
  const plan = service.contradictions.planFor(payment, 'authorizations', origin.date?.cycle ?? null);
  const coming = comingRejection(payment, plan);
  // Without a request there is no response to carry the rejection: it appears in a later GET.
  const rejectedAtOnce = coming !== null && coming.shown !== 'later' && payment.request.useCase === 'SUBSCRIPTION';
  const finalAt = origin.at + Math.ceil(bookingDelay(service, payment) / 2);
  const authorization: Authorization = {
    authorizationId: newRecordId(service, 'aut', payment.authorizations),
    amount,
    createdAt: businessTimeAt(payment.clock, origin.at),
    date: origin.date,
    result: rejectedAtOnce ? 'failed' : 'pending',
    rejection: rejectedAtOnce ? coming.rejection : null,
    booking: rejectedAtOnce ? null : { finalAt, rejection: coming?.rejection ?? null },
    hiddenUntil: origin.at + origin.hiddenForMs,
  };
  payment.authorizations.push(authorization);
  service.contradictions.record(payment, 'authorizations', authorization, plan, origin.at);
  return { authorization, answersFailure: rejectedAtOnce && coming.shown === 'failure' };
}

function comingRejection(
  payment: Payment,
  { isRefused, isBooked }: ContradictionPlan,
): ReturnType<typeof takeRejection> {
  if (isRefused) return REFUSED_LATER;
  return isBooked ? null : takeRejection(payment.wallet);
}

/** Records a capture that is booked `delay` real ms after the real instant `at`. */
export function startCapture(
  service: Service,
  payment: Payment,
  authorization: Authorization,
  terms: {
    readonly amount: number;
    readonly finalCapture: boolean | null;
    readonly at: number;
    readonly delay: number;
  },
): Capture {
  const plan = service.contradictions.planFor(payment, 'captures', null);
  const isBooked = !plan.isRefused && (plan.isBooked || !payment.wallet.captureFails);
  const capture: Capture = {
    captureId: newRecordId(service, 'cap', payment.captures),
    authorizationId: authorization.authorizationId,
    amount: terms.amount,
    finalCapture: terms.finalCapture,
    // Not before its authorization, even if the business clock was set back or stopped.
    createdAt: Math.max(authorization.createdAt, businessTimeAt(payment.clock, terms.at)),
    result: 'pending',
    rejection: null,
    booking: { finalAt: terms.at + terms.delay, rejection: isBooked ? null : CAPTURE_FAILED },
  };
  payment.captures.push(capture);
  service.contradictions.record(payment, 'captures', capture, plan, terms.at);
  return capture;
}

/** Makes a record final if its booking is due at real instant `now`. @returns when it became final, or null */
export function book(record: Booked<AuthorizationResult>, now: number): number | null {
  const booking = record.booking;
  if (booking === null || booking.finalAt > now) return null;
  record.booking = null;
  record.rejection = booking.rejection;
  record.result = booking.rejection === null ? 'successful' : 'failed';
  return booking.finalAt;
}
