import type { Money } from '../domain/money';
import type { Repetition } from '../domain/subscription/schedule';
import type { Instant } from '../domain/time';
import type { ServiceResult } from './answer';
import type { Priority, Turn } from './call-rate';
import type { CircuitState } from './circuit-breaker';
import type { Authorization, Capture, Consent, Payment, Refund } from './records';

/** For calls that move or stop money. */
export interface SendOptions {
  /**
   * The last word before the request is written: called synchronously once the token is at hand and the connection is
   * open, right before the first byte, and once more before the one repetition after a 401. False: nothing is written
   * and the result is `{kind: 'not_sent', reason: 'fenced'}`. What it throws, the call throws, with nothing written.
   */
  readonly beforeSend?: (() => boolean) | undefined;
}

export interface CaptureOrder {
  readonly amount: Money;
  /** Closes the payment; the service releases the rest. */
  readonly finalCapture?: boolean | undefined;
}

export interface RefundOrder {
  readonly amount: Money;
  /** Required by the service where the payment has more than one capture. */
  readonly captureId?: string | undefined;
}

/**
 * The service's calls. None of them is ever repeated by the client itself, but for one more try with a fresh token after
 * a 401, on which the service has not acted.
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
  /** GET /authorizations?paymentId=: all of them, oldest first. */
  listAuthorizations(paymentId: string): Promise<ServiceResult<readonly Authorization[]>>;
  /** DELETE /authorizations/{authorizationId}?paymentId= */
  release(paymentId: string, authorizationId: string, options?: SendOptions): Promise<ServiceResult<Authorization>>;
  /** POST /captures */
  capture(paymentId: string, order: CaptureOrder, options?: SendOptions): Promise<ServiceResult<Capture>>;
  /** GET /captures?paymentId=, of one authorization where it is named; oldest first. */
  listCaptures(paymentId: string, authorizationId?: string): Promise<ServiceResult<readonly Capture[]>>;
  /** POST /{paymentId}/refunds: a return of money. No idempotency key here either. */
  refund(paymentId: string, order: RefundOrder, options?: SendOptions): Promise<ServiceResult<Refund>>;
  /** GET /{paymentId}/refunds: all of them, oldest first. */
  listRefunds(paymentId: string): Promise<ServiceResult<readonly Refund[]>>;
}

/** The merchant payment service, the only way to it. */
export interface PaymentService extends ServiceCalls {
  /** Runs work whose calls have this priority where calls are capped; people's without it. */
  as<T>(priority: Priority, work: () => Promise<T>): Promise<T>;
  /**
   * Waits until the first of so many calls may leave, then runs work that makes them: nothing of this process comes between.
   * Null where the process stops, or the signal aborts, before that.
   */
  inTurn<T>(calls: number, work: (turn: Pick<Turn, 'ready'>) => Promise<T>, signal?: AbortSignal): Promise<T | null>;
  /** Lets no call begin that still waits for its turn. */
  stopWaiting(): void;
  /** Whether a token can be had; asks for one where none is at hand. For readiness. */
  checkAccess(): Promise<ServiceResult<null>>;
  /** Whether calls are let through, held back after many that were not answered, or probed again. */
  circuitState(): CircuitState;
  /** Lets calls in flight end, within their time-out, and closes every connection. Later calls are `not_sent`. */
  close(): Promise<void>;
}

/** A postal address as the service takes it. Personal data: never logged. */
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
      /** Seconds; the service takes 604800 where none is given. */
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
