import type { AuthorizationId, CaptureId, PaymentId } from '../domain/ids';
import type { Money } from '../domain/money';
import type { Repetition } from '../domain/subscription/schedule';
import type { Instant } from '../domain/time';
import type { ServiceResult } from './answer';
import type { Priority, Turn } from './call-rate';
import type { CircuitState } from './circuit-breaker';

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
 * The merchant payment service, the only way to it. None of the calls is ever repeated by the client itself, but for
 * one more try with a fresh token after a 401, on which the service has not acted.
 */
export interface PaymentService {
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
  /** Lets calls in flight end, within their time-out, and closes every connection. Later calls are `not_sent`. */
  close(): Promise<void>;
}

/** The service's records as the rest of the program sees them: instants in epoch milliseconds, words in lower case. */

export type PaymentStatus = 'pending' | 'successful' | 'failed' | 'cancelled' | 'released' | 'expired';
export type ConsentStatus = 'pending' | 'successful' | 'failed' | 'cancelled';
export type AuthorizationStatus = 'pending' | 'successful' | 'failed' | 'released' | 'expired';
/** Of a capture or a refund. */
export type BookingStatus = 'pending' | 'successful' | 'failed';

export interface Payment {
  readonly paymentId: PaymentId;
  readonly status: PaymentStatus;
  readonly consentId?: string | undefined;
  readonly createdAt?: Instant | undefined;
  /** Where the payer approves; http or https. Without it the payer cannot approve. */
  readonly redirectURL?: string | undefined;
  readonly partialCapture?: boolean | undefined;
  readonly multipleCapture?: boolean | undefined;
}

export interface Consent {
  readonly paymentId: PaymentId;
  readonly status: ConsentStatus;
  /** declined, aborted, timeout, cancelled_by_payer, cancelled_by_merchant, or another word of the service. */
  readonly reason?: string | undefined;
  readonly consentId?: string | undefined;
  readonly amount?: Money | undefined;
  readonly repetition?: Repetition | undefined;
  readonly createdAt?: Instant | undefined;
  readonly startAt?: Instant | undefined;
  readonly firstPaymentAt?: Instant | undefined;
  readonly endAt?: Instant | undefined;
}

export interface Authorization {
  readonly paymentId: PaymentId;
  readonly authorizationId: AuthorizationId;
  readonly amount: Money;
  readonly createdAt: Instant;
  readonly status: AuthorizationStatus;
  /** Seconds from createdAt within which a capture must arrive. */
  readonly timeToCapture?: number | undefined;
  /** Reason code in upper case, where it failed. */
  readonly detail?: string | undefined;
  readonly description?: string | undefined;
}

export interface Capture {
  readonly paymentId: PaymentId;
  readonly captureId: CaptureId;
  readonly authorizationId: AuthorizationId;
  readonly amount: Money;
  readonly createdAt: Instant;
  readonly status: BookingStatus;
  readonly finalCapture?: boolean | undefined;
  readonly detail?: string | undefined;
  readonly description?: string | undefined;
}

export interface Refund {
  readonly paymentId: PaymentId;
  readonly refundId: string;
  readonly amount: Money;
  readonly createdAt: Instant;
  readonly status: BookingStatus;
  readonly captureId?: CaptureId | undefined;
  readonly detail?: string | undefined;
  readonly description?: string | undefined;
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

interface CommonRequest {
  readonly amount: Money;
  readonly returnURL: string;
  readonly billingAddress: Address;
  readonly shippingAddress?: Address | undefined;
}

export interface SingleRequest extends CommonRequest {
  readonly useCase: 'SINGLE';
}

export interface EventDependentRequest extends CommonRequest {
  readonly useCase: 'EVENT_DEPENDENT';
  /** Seconds; the service takes 604800 where none is given. */
  readonly timeToCapture?: number | undefined;
  readonly partialCapture?: boolean | undefined;
  readonly multipleCapture?: boolean | undefined;
}

export interface SubscriptionRequest extends CommonRequest {
  readonly useCase: 'SUBSCRIPTION';
  readonly repetition: Repetition;
  readonly startAt: Instant;
  readonly firstPaymentAt: Instant;
  readonly endAt?: Instant | undefined;
}

export type PaymentRequest = SingleRequest | EventDependentRequest | SubscriptionRequest;
