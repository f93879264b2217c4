import type { Rejection, Wallet } from '../bank/wallets';
import type { Merchant } from '../merchants/merchant';
import type { ScheduledDate, PaymentClock } from './calendar';
import type { PaymentRequest } from './payment-request';

/** An outcome that is already decided and becomes visible at a real instant. */
export interface Booking {
  readonly finalAt: number;
  readonly rejection: Rejection | null;
}

export type ConsentResult = 'pending' | 'successful' | 'failed' | 'cancelled';
export type AuthorizationResult = 'pending' | 'successful' | 'failed' | 'released' | 'expired';
export type BookedResult = 'pending' | 'successful' | 'failed';

export interface Consent {
  readonly consentId: string;
  result: ConsentResult;
  reason: 'declined' | 'aborted' | 'timeout' | 'cancelled_by_payer' | 'cancelled_by_merchant' | null;
  walletId: string | null;
}

/** A record that the payer's bank books or rejects. */
export interface Booked<Result extends AuthorizationResult = BookedResult> {
  /** Cents. */
  readonly amount: number;
  /** Business time, as every `createdAt` here. */
  readonly createdAt: number;
  result: Result;
  rejection: Rejection | null;
  booking: Booking | null;
}

export interface Authorization extends Booked<AuthorizationResult> {
  readonly authorizationId: string;
  readonly date: ScheduledDate | null;
  /** Real instant until which lists omit it. */
  readonly hiddenUntil: number;
}

export interface Capture extends Booked {
  readonly captureId: string;
  readonly authorizationId: string;
  readonly finalCapture: boolean | null;
}

export interface Refund extends Booked {
  readonly refundId: string;
  readonly captureId: string | null;
}

export interface Payment {
  readonly paymentId: string;
  readonly merchant: Merchant;
  /** The payment's own clock, see {@link PaymentClock}. */
  readonly clock: PaymentClock;
  readonly request: PaymentRequest;
  readonly createdAt: number;
  /** Real instants: the end of the consent session, and when the wallet decides by itself. */
  readonly sessionEndsAt: number;
  decidesAt: number | null;
  readonly consent: Consent;
  wallet: Wallet;
  /** These lists are oldest first. */
  readonly authorizations: Authorization[];
  readonly captures: Capture[];
  readonly refunds: Refund[];
}
