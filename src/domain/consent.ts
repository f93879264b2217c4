import type { CancelledBy } from './subscription';

/** The consent as the service tells it, read tolerantly. */
export interface ConsentStatus {
  readonly status: 'pending' | 'successful' | 'failed' | 'cancelled';
  /** declined, aborted, timeout, cancelled_by_payer, cancelled_by_merchant; null where nothing is said. */
  readonly reason: string | null;
}

/** "If no payer approval within 10 minutes" the session is over (reference, Limits). Real time. */
export const CONSENT_SESSION = 10 * 60 * 1000;

/** Who ended a consent: merchant if we sent the DELETE, else as the reason says, payer where nothing says (decisions 7). */
export function consentEndedBy(reason: string | null, weDeleted: boolean): CancelledBy {
  if (weDeleted) return 'merchant';
  return reason?.toLowerCase() === 'cancelled_by_merchant' ? 'merchant' : 'payer';
}

/** How a consent was answered. */
export type ConsentResult =
  | { readonly kind: 'granted' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'cancelled'; readonly by: CancelledBy; readonly reason: string | null };
