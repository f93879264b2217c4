import type { AuthorizationId, CaptureId, PaymentId } from '../domain/ids';
import type { Money } from '../domain/money';
import type { Repetition } from '../domain/subscription/schedule';
import type { Instant } from '../domain/time';

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
  /** Where the payer approves; http or https. Without it nobody can. */
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
