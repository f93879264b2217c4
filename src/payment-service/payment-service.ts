import type { Money } from '../domain/money';
import type { Repetition } from '../domain/subscription/schedule';
import type { Instant } from '../domain/time';
import type { ServiceResult } from './answer';
import type { Priority, Reservation } from './call-rate';
import type { CircuitState } from './circuit-breaker';
import type { Authorization, Capture, Consent, Payment, Refund } from './records';

/** For calls that move or stop money. */
export interface SendOptions {
  /**
   * The last check before the request is written: called synchronously once there is a token and the connection is open, right
   * before the first byte, and again before the one repetition after a 401. If it returns false, nothing is written and the result
   * is `{kind: 'not_sent', reason: 'fenced'}`. If it throws, the call throws the same, with nothing written.
   */
  readonly beforeSend?: (() => boolean) | undefined;
}

export interface CaptureOrder {
  readonly amount: Money;
  /** Whether the capture closes the payment; the service then releases the rest. */
  readonly finalCapture?: boolean | undefined;
}

export interface RefundOrder {
  readonly amount: Money;
  /** Required by the service if the payment has more than one capture. */
  readonly captureId?: string | undefined;
}

/**
 * The service's calls. The client itself never repeats a call, except once with a fresh token after a 401, on which the service
 * has not acted.
 */
export interface ServiceCalls {
  /** POST /payments: opens the consent session of 10 minutes. */
  requestPayment(request: PaymentRequest, options?: SendOptions): Promise<ServiceResult<Payment>>;
  /** GET /{paymentId}/consents */
  getConsent(paymentId: string): Promise<ServiceResult<Consent>>;
  /** DELETE /{paymentId}/consents */
  cancelConsent(paymentId: string, options?: SendOptions): Promise<ServiceResult<Consent>>;
  /** POST /{paymentId}/authorizations: a debit. There is no idempotency key; two calls are two debits. */
  initiate(paymentId: string, amount: Money, options?: SendOptions): Promise<ServiceResult<Authorization>>;
  /** GET /authorizations?paymentId=: all of them, in any order. */
  listAuthorizations(paymentId: string): Promise<ServiceResult<readonly Authorization[]>>;
  /** DELETE /authorizations/{authorizationId}?paymentId= */
  release(paymentId: string, authorizationId: string, options?: SendOptions): Promise<ServiceResult<Authorization>>;
  /** POST /captures */
  capture(paymentId: string, order: CaptureOrder, options?: SendOptions): Promise<ServiceResult<Capture>>;
  /** GET /captures?paymentId=: all of them, or those of one authorization, in any order. */
  listCaptures(paymentId: string, authorizationId?: string): Promise<ServiceResult<readonly Capture[]>>;
  /** POST /{paymentId}/refunds: returns money. There is no idempotency key; two calls are two refunds. */
  refund(paymentId: string, order: RefundOrder, options?: SendOptions): Promise<ServiceResult<Refund>>;
  /** GET /{paymentId}/refunds: all of them, in any order. */
  listRefunds(paymentId: string): Promise<ServiceResult<readonly Refund[]>>;
}

/** The merchant payment service; all calls go through it. */
export interface PaymentService extends ServiceCalls {
  /** Runs work whose calls have this priority if calls are capped. Default: `interactive`. */
  as<T>(priority: Priority, work: () => Promise<T>): Promise<T>;
  /**
   * Waits until the first of this many calls may be sent, then runs the work that makes them. From then on, they go before calls of
   * work that has not started. Null if the process stops, or the signal aborts, before the first may be sent.
   */
  withReservation<T>(
    calls: number,
    work: (reservation: Pick<Reservation, 'ready'>) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T | null>;
  /** If calls are capped, refuses those that wait for a permit, and all later ones, except those of reservations in progress. */
  stopWaiting(): void;
  /** Whether there is a token; requests one if necessary. `not_sent` while calls are paused. For readiness. */
  checkAccess(): Promise<ServiceResult<null>>;
  /** Whether calls are sent, paused after many unanswered ones, or probed again. */
  circuitState(): CircuitState;
  /** Waits for calls in flight, within their time-out, and closes every connection. Later calls are `not_sent`. */
  close(): Promise<void>;
}

/** A postal address in the service's form. Personal data: never logged. */
export interface Address {
  readonly name: string;
  readonly street: string;
  readonly postalCode: string;
  readonly city: string;
  /** Two upper-case letters. */
  readonly country: string;
  readonly email?: string | undefined;
}

export type PaymentRequest = {
  readonly amount: Money;
  readonly returnURL: string;
  readonly billingAddress: Address;
  readonly shippingAddress?: Address | undefined;
} & (
  | { readonly useCase: 'SINGLE' }
  | {
      readonly useCase: 'EVENT_DEPENDENT';
      /** Seconds; the service's default is 604800. */
      readonly timeToCapture?: number | undefined;
      readonly partialCapture?: boolean | undefined;
      readonly multipleCapture?: boolean | undefined;
    }
  | {
      readonly useCase: 'SUBSCRIPTION';
      readonly repetition: Repetition;
      readonly startAt: Instant;
      readonly firstPaymentAt: Instant;
      readonly endAt?: Instant | undefined;
    }
);
