import type { Rejection } from '../bank/wallets';

/** Whether a limit allows a request. */
export type Verdict<Allowed = unknown> =
  | ({ readonly kind: 'allowed' } & Allowed)
  | ({ readonly kind: 'refused' } & Rejection);

export function refused(detail: string, description: string): { readonly kind: 'refused' } & Rejection {
  return { kind: 'refused', detail, description };
}

export function inEuros(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')} EUR`;
}

/** "Merchant category codes restricted to 604800 seconds", and to 50 EUR a capture. */
const RESTRICTED_CATEGORIES = new Set(['4111', '4112', '4789', '7523', '4131']);

/** Seconds: the default of timeToCapture, which most merchants may not exceed, and its maximum for the others. */
export const DEFAULT_TIME_TO_CAPTURE = 604_800;
export const MAX_TIME_TO_CAPTURE = 864_000;

/** The limit of a single capture in cents; null if there is none. */
export function maximumCapture(merchantCategoryCode: string | undefined): number | null {
  return isRestricted(merchantCategoryCode) ? 50_00 : null;
}

/** Seconds. */
export function maximumTimeToCapture(merchantCategoryCode: string | undefined, longCapturePermitted: boolean): number {
  return longCapturePermitted && !isRestricted(merchantCategoryCode) ? MAX_TIME_TO_CAPTURE : DEFAULT_TIME_TO_CAPTURE;
}

function isRestricted(merchantCategoryCode: string | undefined): boolean {
  return merchantCategoryCode !== undefined && RESTRICTED_CATEGORIES.has(merchantCategoryCode);
}
