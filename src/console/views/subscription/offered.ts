import { isTerminal } from '../../../domain/subscription/state';
import { money } from '../../format';
import type { Cycle, Subscription } from '../common/schemas';
import { isOngoing } from './life';

/** What the offered actions depend on. */
type State = Pick<Subscription, 'status' | 'standing' | 'cancelling' | 'pendingAmountChange'>;

/** The actions the console offers for a subscription. The API decides. */
export interface Offered {
  readonly isPausable: boolean;
  readonly isResumable: boolean;
  readonly isChangeable: boolean;
  readonly hasChangeToWithdraw: boolean;
  readonly isConsentCheckable: boolean;
  readonly isAcknowledgeable: boolean;
  readonly isRestartable: boolean;
  readonly isCancellable: boolean;
}

/** During a cancellation, pauses and changes are refused, and cancelling again has no effect (rule 24). */
export function offeredOf(subscription: State): Offered {
  const { status, standing, cancelling, pendingAmountChange } = subscription;
  const ongoing = isOngoing(subscription);
  const hasEnded = isTerminal(status);
  const needsAttention = standing === 'needs_attention';
  return {
    isPausable: ongoing && status === 'active',
    isResumable: ongoing && status === 'paused',
    isChangeable: ongoing,
    hasChangeToWithdraw: ongoing && pendingAmountChange !== undefined,
    isConsentCheckable: !hasEnded,
    isAcknowledgeable: needsAttention,
    isRestartable: needsAttention && !hasEnded,
    isCancellable: !hasEnded && cancelling === undefined,
  };
}

/** The actions the console offers for a cycle. */
export interface OfferedOfCycle {
  readonly isSkippable: boolean;
  readonly isRetriable: boolean;
  readonly isResolvable: boolean;
  readonly isPayable: boolean;
  readonly isRefundable: boolean;
}

/**
 * Resolving, paying by a link and refunding are possible in any state of the subscription.
 * @param at epoch ms
 */
export function offeredOfCycle(
  subscription: Pick<State, 'status' | 'cancelling'>,
  { status, attempts, collectBy, paymentLink }: Pick<Cycle, 'status' | 'attempts' | 'collectBy' | 'paymentLink'>,
  at: number,
): OfferedOfCycle {
  const ongoing = isOngoing(subscription);
  const isUnpaid = status === 'failed' || status === 'missed';
  const hasLink = paymentLink !== undefined && paymentLink.state !== 'ended';
  return {
    isSkippable: ongoing && status === 'scheduled' && attempts.length === 0,
    // The API refuses a retry during a pause (rule 23).
    isRetriable: ongoing && subscription.status === 'active' && status === 'dunning',
    isResolvable: status === 'unresolved',
    isPayable: isUnpaid && at >= Date.parse(collectBy) && !hasLink,
    isRefundable: status === 'collected' || paymentLink?.state === 'paid',
  };
}

/** What was refunded of a cycle, or is being refunded; null if nothing. */
export function refundedOf({ amount, refunds }: Pick<Cycle, 'amount' | 'refunds'>): string | null {
  const sumOf = (chosen: typeof refunds) => chosen.reduce((sum, each) => sum + each.amount.value, 0);
  const done = sumOf(refunds.filter(({ status }) => status === 'successful'));
  const open = sumOf(refunds.filter(({ status }) => status !== 'successful' && status !== 'failed'));
  const part = done < amount.value ? 'partly refunded' : 'refunded';
  const said = [
    ...(done === 0 ? [] : [`${part} ${money({ ...amount, value: done })}`]),
    ...(open === 0 ? [] : [`${money({ ...amount, value: open })} being refunded`]),
  ];
  return said.length === 0 ? null : said.join(', ');
}

/** What each outcome means, and what follows from it. */
interface Resolutions {
  readonly collected: string;
  readonly failed: string;
  readonly follows: Readonly<Record<'' | 'collected' | 'failed', string>>;
}

/**
 * The outcomes that an operator may record for a cycle.
 * @param previous the previous cycle, if a debit that this cycle has adopted may have paid the previous one instead (rule 40)
 */
export function resolutionsOf(
  { cycle, amount }: Pick<Cycle, 'cycle' | 'amount'>,
  previous: number | null,
): Resolutions {
  if (previous !== null)
    return {
      collected: `the debit paid cycle ${cycle}`,
      failed: `the debit paid cycle ${previous}`,
      follows: {
        '': `Another system made this debit. Find out which cycle it paid: a wrong choice loses ${money(amount)} or takes it twice.`,
        collected: `${money(amount)} stays recorded for cycle ${cycle}. Cycle ${previous} stays as it is.`,
        failed: `${money(amount)} is recorded for cycle ${previous}. Cycle ${cycle} is collected if its window is still open, and is missed otherwise.`,
      },
    };
  return {
    collected: 'the money was debited',
    failed: 'nothing was debited',
    follows: {
      '': 'Choose the outcome that the payment service’s own records show. A wrong choice loses money or takes it twice.',
      collected: `${money(amount)} is recorded as collected, and is not tried again. Later cycles continue.`,
      failed: `${money(amount)} is recorded as not collected, and is not tried again. Later cycles continue.`,
    },
  };
}
