import { z } from 'zod';

/** One line of text: something in it besides spaces, and no control characters, which could forge mail headers. */
export function line(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}*$/u, 'text without control characters')
    .regex(/\S/, 'text that is not blank');
}

/** A person's words for the trail; may run over several lines. */
export const Reason = z
  .string()
  .min(1)
  .max(500)
  .regex(/^(?:\P{Cc}|[\n\r\t])*$/u, 'text without control characters')
  .regex(/\S/, 'text that is not blank');

export const Email = z.email('an e-mail address such as payer@example.com').max(254);

export const SUBSCRIPTION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export const SubscriptionIdText = z
  .string()
  .regex(SUBSCRIPTION_ID, '1 to 64 letters, digits, underscores or hyphens, a letter or digit first');

/** As the payment service's ids are: visible ASCII, and no dot segment of a path. */
export const PaymentIdText = z.string().regex(/^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/, '1 to 200 visible ASCII characters');
