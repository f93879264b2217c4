import { z } from 'zod';
import { REPETITIONS } from '../domain/subscription/schedule';
import type { ReadValue } from './answer';
import * as field from './wire';

/** The service's records as the rest of the program sees them: instants in epoch milliseconds, statuses in lower case. */

export type Payment = Readonly<z.infer<typeof payment>>;
export type Consent = Readonly<z.infer<typeof consent>>;
export type Authorization = Readonly<z.infer<typeof authorization>>;
export type Capture = Readonly<z.infer<typeof capture>>;
export type Refund = Readonly<z.infer<typeof refund>>;

export const payment = z
  .object({
    paymentId: field.paymentId,
    status: field.statusOf(['pending', 'successful', 'failed', 'cancelled', 'released', 'expired']),
    consentId: field.decoration(field.id),
    createdAt: field.decoration(field.instant),
    /** Where the payer approves; http or https. Without it, the payer cannot approve. */
    redirectURL: field.decoration(z.url({ protocol: /^https?$/ })),
    partialCapture: field.decoration(z.boolean()),
    multipleCapture: field.decoration(z.boolean()),
    multiCapture: field.decoration(z.boolean()),
    result: z.unknown().optional(),
  })
  .transform(({ status, result, multipleCapture, multiCapture, ...rest }) => ({
    ...rest,
    status: field.stateOf(status, result),
    multipleCapture: multipleCapture ?? multiCapture,
  }));

/** `HALF-YEARLY`, the spelling in the reference's list of caps, is read as `HALF_YEARLY`. */
const repetition = z
  .string()
  .transform((word) => word.trim().toUpperCase().replaceAll('-', '_'))
  .pipe(z.enum(REPETITIONS));

export const consent = z
  .object({
    paymentId: field.paymentId,
    /** Its reason: declined, aborted, timeout, cancelled_by_payer, cancelled_by_merchant, or another one of the service's. */
    status: field.statusOf(['pending', 'successful', 'failed', 'cancelled', 'expired']),
    consentId: field.decoration(field.id),
    amount: field.money
      .nullish()
      .transform((amount) => amount ?? undefined)
      .optional(),
    repetition: field.decoration(repetition),
    createdAt: field.decoration(field.instant),
    startAt: field.decoration(field.instant),
    firstPaymentAt: field.decoration(field.instant),
    endAt: field.decoration(field.instant),
  })
  .transform(({ status: { result, reason }, ...rest }) => {
    // A session that exceeded its 10 minutes has failed; some answers may say "expired", as the reference does.
    const isExpired = result === 'expired';
    const given: { reason?: string | undefined } = {
      reason: reason?.trim().toLowerCase() ?? (isExpired ? 'timeout' : undefined),
    };
    return { ...rest, ...given, status: isExpired ? 'failed' : result };
  });

/** The fields of every record of money, besides its state and its own ids. */
const movement = {
  paymentId: field.paymentId,
  amount: field.money,
  createdAt: field.instant,
  result: z.unknown().optional(),
  /** Reason code in upper case, if it failed. */
  detail: field.decoration(field.detail),
  description: field.decoration(field.text),
};

const AUTHORIZATION_STATUSES = ['pending', 'successful', 'failed', 'released', 'expired', 'cancelled'] as const;
const ORDER_STATUSES = ['pending', 'successful', 'failed'] as const;

/** Only in lists: a status that this program does not know. The record then counts as pending (rule 41). */
interface WithUnknownStatus {
  readonly unknownStatus?: string;
}

interface StatusRead<S extends string> extends WithUnknownStatus {
  readonly result: S;
}

type StatusField<S extends string> = z.ZodType<StatusRead<S>>;

const authorizationWith = (status: StatusField<(typeof AUTHORIZATION_STATUSES)[number]>) =>
  z
    .object({
      ...movement,
      authorizationId: field.authorizationId,
      status,
      /** Seconds from createdAt within which a capture must arrive. */
      timeToCapture: field.decoration(z.int().positive()),
    })
    .refine(field.agreesWithItself)
    .transform(({ status: read, result, ...rest }) => {
      const state = field.stateOf(read, result);
      return { ...rest, ...unknownStatusOf(read), status: state === 'cancelled' ? 'released' : state };
    });

const captureWith = (status: StatusField<(typeof ORDER_STATUSES)[number]>) =>
  z
    .object({
      ...movement,
      captureId: field.captureId,
      authorizationId: field.authorizationId,
      status,
      finalCapture: field.decoration(z.boolean()),
    })
    .refine(field.agreesWithItself)
    .transform(({ status: read, result, ...rest }) => ({
      ...rest,
      ...unknownStatusOf(read),
      status: field.stateOf(read, result),
    }));

const refundWith = (status: StatusField<(typeof ORDER_STATUSES)[number]>) =>
  z
    .object({ ...movement, refundId: field.id, status, captureId: field.decoration(field.captureId) })
    .refine(field.agreesWithItself)
    .transform(({ status: read, result, ...rest }) => ({
      ...rest,
      ...unknownStatusOf(read),
      status: field.stateOf(read, result),
    }));

function unknownStatusOf({ unknownStatus }: WithUnknownStatus): WithUnknownStatus {
  return unknownStatus === undefined ? {} : { unknownStatus };
}

export const authorization = authorizationWith(field.statusOf(AUTHORIZATION_STATUSES));
export const capture = captureWith(field.statusOf(ORDER_STATUSES));
export const refund = refundWith(field.statusOf(ORDER_STATUSES));

/** The records as read from a list, where one record with a new status must not hide all others. */
export const listed = {
  authorization: authorizationWith(field.anyStatusOf(AUTHORIZATION_STATUSES)),
  capture: captureWith(field.anyStatusOf(ORDER_STATUSES)),
  refund: refundWith(field.anyStatusOf(ORDER_STATUSES)),
};

/**
 * Reads a record of the given payment; null for any other body.
 * @param isMeant whether it is the record that was requested
 */
export function recordOf<T extends { readonly paymentId: string }>(
  schema: z.ZodType<T>,
  paymentId: string,
  isMeant: (record: T) => boolean = () => true,
): ReadValue<T> {
  return (body) => {
    const { data } = schema.safeParse(body);
    return data?.paymentId === paymentId && isMeant(data) ? data : null;
  };
}
