import type { Subscription } from './schemas';

/** What an operator calls a payer: the merchant's reference, or else the e-mail address; undefined if neither is known. */
export function nameOf({ reference, email }: Subscription['payer']): string | undefined {
  return reference ?? email;
}
