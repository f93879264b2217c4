import type { Instant } from '../domain/time';
import type { Money } from '../domain/money';
import type { Repetition } from '../domain/subscription/schedule';

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
