import type { PaymentId } from '../ids';
import { formatMoney, type Money, sameMoney } from '../money';
import { conflict, type Refusal } from '../subscription/requests';
import type { CycleStatus } from '../subscription/state';
import { type Instant, toIso } from '../time';
import type { PaymentStatus } from './payment';

/** A payment link is a Single Immediate payment with which the payer pays a cycle that was not collected (rule 15). */

/** `ended`: expired, declined or failed. `paid` remains even if the payment is refunded. */
export const LINK_STATES = ['open', 'paid', 'ended'] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** The fields of a cycle that decide about payment links. */
export interface LinkableCycle {
  readonly cycle: number;
  readonly status: CycleStatus;
  readonly amount: Money;
  readonly collectBy: Instant;
  /** Whether a debit of the cycle may still be found. */
  readonly hasUnknownOutcome: boolean;
  /** The link that is open or paid; null if there is none. */
  readonly link: { readonly state: LinkState; readonly paymentId: PaymentId | null } | null;
}

/**
 * Why no link may be created now; null if one may. Nothing else may debit the payer for the cycle, so that the payer pays it
 * once.
 * @param amount the amount of the link
 */
export function refuseLink(
  { cycle, status, collectBy, ...known }: LinkableCycle,
  amount: Money,
  now: Instant,
): Refusal | null {
  if (status !== 'failed' && status !== 'missed') {
    return conflict(`only a failed or missed cycle can be paid by a link; cycle ${cycle} is ${status}`);
  }
  if (now < collectBy) return conflict(`the collection window of cycle ${cycle} is open until ${toIso(collectBy)}`);
  if (known.hasUnknownOutcome) return conflict(`it is not known yet whether cycle ${cycle} has been debited`);
  if (!sameMoney(known.amount, amount)) {
    return conflict(`cycle ${cycle} is of ${formatMoney(known.amount)}, not of ${formatMoney(amount)}`);
  }
  const { link } = known;
  if (link === null || link.state === 'ended') return null;
  const payment = link.paymentId === null ? 'a payment' : `payment ${link.paymentId}`;
  return link.state === 'paid'
    ? conflict(`cycle ${cycle} was paid by ${payment}`)
    : conflict(`cycle ${cycle} has an open link, ${payment}; another one is possible once it has ended`);
}

/** The state of a link by the status of its payment. */
export function linkState(status: PaymentStatus): LinkState {
  switch (status) {
    case 'captured':
    case 'refunded':
      return 'paid';
    case 'pending_consent':
    case 'authorized':
    case 'partly_captured':
      return 'open';
    case 'consent_failed':
    case 'failed':
    case 'released':
    case 'expired':
      return 'ended';
  }
}
