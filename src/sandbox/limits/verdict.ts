import type { Rejection } from '../bank/rejection';

/** What a limit says of a request. */
export type Verdict<Allowed = unknown> =
  ({ readonly kind: 'allowed' } & Allowed) | ({ readonly kind: 'refused' } & Rejection);

export function refused(detail: string, description: string): { readonly kind: 'refused' } & Rejection {
  return { kind: 'refused', detail, description };
}

export function inEuros(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')} EUR`;
}
