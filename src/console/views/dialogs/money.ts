import { instant, money, type MoneyValue } from '../../format';
import type { Attention, Cycle, Payment } from '../common/schemas';

/** What the dialogs that move money, or record that it moved, say before and after they act. */

/** What can still be refunded of a cycle. Refunds that are not final count as made. */
export function leftToRefund({ amount, refunds }: Pick<Cycle, 'amount' | 'refunds'>): MoneyValue {
  const refunded = refunds
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, each) => sum + each.amount.value, 0);
  return { ...amount, value: amount.value - refunded };
}

export function refundText(most: MoneyValue): string {
  return `Money goes back to the payer, at most ${money(most)}. It cannot be undone.`;
}

export function refundingText(amount: MoneyValue): string {
  return `${money(amount)} is being refunded to the payer.`;
}

/** @param isOnly whether no other capture may follow */
export function captureText(
  { remaining, captureBy }: Pick<Payment, 'remaining' | 'captureBy'>,
  isOnly: boolean,
): string {
  const until = captureBy === undefined ? '' : `, until ${instant(captureBy)}`;
  const after = isOnly
    ? 'Only one capture is possible: the rest is not debited.'
    : 'You can capture more afterwards, unless this is the final capture.';
  return `The payer’s account is debited. ${money(remaining)} can be captured${until}. ${after}`;
}

export function releaseText({ remaining }: Pick<Payment, 'remaining'>): string {
  return `${money(remaining)} is released to the payer without a debit. Nothing can be captured after that. This cannot be undone.`;
}

/** What follows from each outcome; `''` is the text shown until one is chosen. */
export type OrderFollows = Readonly<Record<'' | 'successful' | 'failed', string>>;

/** Whether the item is about a capture or about a refund whose outcome an operator records. */
export function orderOf({ kind }: Pick<Attention, 'kind'>): 'capture' | 'refund' {
  return kind === 'capture_unresolved' ? 'capture' : 'refund';
}

export function orderFollows(what: 'capture' | 'refund', amount: MoneyValue): OrderFollows {
  const twice = what === 'capture' ? 'takes it twice' : 'gives it back twice';
  return {
    '': `Choose the outcome that the payment service’s own records show. A wrong choice loses money or ${twice}.`,
    successful: `The ${what} of ${money(amount)} is recorded as made. Other orders of the payment continue.`,
    failed: `The ${what} of ${money(amount)} is recorded as never made, and is not tried again. Other orders of the payment continue.`,
  };
}
