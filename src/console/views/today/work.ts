import { DAY } from '../../../domain/time';
import { severityOf } from '../attention/severity';
import { addressOf, pathTo } from '../common/address';
import type { Attention, Deadline } from '../common/schemas';
import { needsOperator, reasonOf } from './blockers';

/** A task for an operator. */
export interface Work {
  /** Unique in the list: a cycle may have several items. */
  readonly key: string;
  /** Undefined if the task concerns no payer. */
  readonly payer: Deadline['payer'] | undefined;
  readonly id: string;
  readonly amount: Deadline['amount'] | null;
  readonly reason: string;
  /** Until when the task can be done; null for no deadline. */
  readonly deadline: string | null;
  readonly isCritical: boolean;
  readonly href: string;
  /** The label of its button. */
  readonly action: string;
}

/** Kinds of items for which it is unknown whether money has moved. */
const UNKNOWN_OUTCOMES: ReadonlySet<string> = new Set([
  'unresolved',
  'unlisted',
  'capture_unresolved',
  'refund_unresolved',
]);

export function isUnknownOutcome({ kind }: Pick<Attention, 'kind'>): boolean {
  return UNKNOWN_OUTCOMES.has(kind);
}

/**
 * The order in which the view Today reads attention items. Its links open the list in the same order, so that the item
 * is on the first page.
 */
export const ITEM_ORDER = 'deadline';

/**
 * Attention items, and open cycles that only an operator can unblock and that have no item: less than 24 hours left first,
 * then critical items, which often have no deadline, then the rest; each by its deadline.
 * @param now epoch ms of business time
 */
export function workOf(items: readonly Attention[], deadlines: readonly Deadline[], now: number): readonly Work[] {
  // A halt concerns the whole installation, and every page shows it.
  const shown = items.filter(({ kind }) => kind !== 'sending_halted');
  const known = new Set(shown.map(keyOf));
  const fromCycles = deadlines.filter((each) => needsOperator(each) && !known.has(keyOf(each))).map(workOfDeadline);
  const rankOf = (work: Work) => (endOf(work) - now < DAY ? 0 : work.isCritical ? 1 : 2);
  return [...shown.map(workOfItem), ...fromCycles].sort(
    // Two tasks without a deadline differ by NaN, which is falsy.
    (one, other) => rankOf(one) - rankOf(other) || endOf(one) - endOf(other) || 0,
  );
}

/** Open cycles that are collected, or given up, without an operator. */
export function automaticOf(deadlines: readonly Deadline[]): readonly Deadline[] {
  return deadlines.filter((each) => !needsOperator(each));
}

function keyOf({ subscriptionId, cycle }: { readonly subscriptionId: string | null; readonly cycle: number | null }) {
  return `${subscriptionId ?? ''}/${cycle ?? ''}`;
}

function endOf({ deadline }: Work): number {
  return deadline === null ? Number.POSITIVE_INFINITY : Date.parse(deadline);
}

function workOfItem(item: Attention): Work {
  const { payer, subscriptionId, paymentId, endpointId, amount, title, deadline } = item;
  return {
    key: item.item,
    payer,
    id: subscriptionId ?? paymentId ?? endpointId ?? 'Installation',
    amount,
    reason: title,
    deadline,
    isCritical: severityOf(item) === 'critical',
    href: addressOf(pathTo('attention', item.item), { sort: ITEM_ORDER }),
    action: isUnknownOutcome(item) ? 'Resolve' : 'Review',
  };
}

function workOfDeadline(cycle: Deadline): Work {
  const { subscriptionId, payer, amount, deadline, blockedBy } = cycle;
  return {
    key: keyOf(cycle),
    payer,
    id: subscriptionId,
    amount,
    reason: reasonOf(cycle),
    deadline,
    isCritical: false,
    href: pathTo('subscriptions', subscriptionId),
    action: actionOf(blockedBy),
  };
}

function actionOf(blockedBy: Deadline['blockedBy']): string {
  if (blockedBy.includes('notice_undeliverable')) return 'Edit payer';
  if (blockedBy.includes('outcome_unresolved')) return 'Resolve';
  return blockedBy.includes('paused') ? 'Resume' : 'Review';
}
