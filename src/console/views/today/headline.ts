import { addressOf } from '../common/address';
import type { Attention, TodayReport } from '../common/schemas';
import { count, counted, instant, money } from '../../format';
import { sumOf } from '../attention/groups';
import { severityOf } from '../attention/severity';
import { isUnknownOutcome } from './work';

/** What an operator must know first. */
export interface Headline {
  readonly tone: 'bad' | 'warning' | 'good';
  readonly says: string;
  /** The page with the details; null if there is none. */
  readonly href: string | null;
}

/**
 * The most severe first: a halt, unknown outcomes, other critical items, money not collected, money at risk. Empty only if
 * nothing grave is known and the items could not be read: then it is not known whether all is well.
 * @param items undefined if they could not be read yet
 */
export function headlinesOf(today: TodayReport, items: readonly Attention[] | undefined): readonly Headline[] {
  const grave = [
    haltOf(today),
    unknownOf(items ?? []),
    ...criticalOf(items ?? []),
    pastDueOf(today),
    pastDueInAttentionOf(today),
    atRiskOf(today),
  ].filter((each) => each !== null);
  if (grave.length > 0) return grave;
  return items === undefined && today.needsAttention.count === 0 ? [] : [quietOf(today)];
}

/** States no amount: no figure of the report is the amount still to be collected, as some of today's cycles may be skipped or missed. */
function haltOf({ halted }: TodayReport): Headline | null {
  if (halted === null) return null;
  const says = `All sending has been halted since ${instant(halted.since)}: no payment is being collected.`;
  return { tone: 'bad', says, href: null };
}

function unknownOf(items: readonly Attention[]): Headline | null {
  const unknown = items.filter(isUnknownOutcome);
  const [first] = unknown;
  if (first === undefined) return null;
  const moved = [...new Set(unknown.map(({ kind }) => (kind === 'refund_unresolved' ? 'refunded' : 'debited')))];
  const verb = moved.toSorted().join(' or ');
  const says =
    unknown.length === 1
      ? `It is not known whether a payer was ${verb}${first.amount === null ? '' : ` ${money(first.amount)}`}.`
      : `${count(unknown.length)} payments have an unknown outcome: the payers may have been ${verb}.`;
  // A filter holds one kind. The whole list has them all, the most severe first.
  const isOneKind = unknown.every(({ kind }) => kind === first.kind);
  return { tone: 'bad', says, href: addressOf('/attention', isOneKind ? { kind: first.kind } : {}) };
}

function pastDueOf(today: TodayReport): Headline | null {
  const { count: n, amount } = ongoingPastDue(today);
  if (n === 0) return null;
  const says = `${money(amount)} was not collected and will not be tried again: ${counted(n, 'subscription is', 'subscriptions are')} past due.`;
  return { tone: 'bad', says, href: PAST_DUE };
}

/** One headline for each kind, as a filter holds one kind. A halt has its own headline. */
function criticalOf(items: readonly Attention[]): readonly Headline[] {
  const critical = items.filter(
    (item) => severityOf(item) === 'critical' && !isUnknownOutcome(item) && item.kind !== 'sending_halted',
  );
  return [...new Set(critical.map(({ kind }) => kind))].map((kind) => {
    const of = critical.filter((each) => each.kind === kind);
    const sum = sumOf(of);
    const what = `${of.length === 1 ? '' : `${count(of.length)} × `}${of[0]?.title ?? kind}`;
    const says = sum === null ? `${what}.` : `${what}: ${money(sum)}.`;
    return { tone: 'bad', says, href: addressOf('/attention', { kind }) };
  });
}

/** About past-due subscriptions that need attention: their link is the list of subscriptions that need attention. */
function pastDueInAttentionOf({ pastDueInAttention: { count: n, amount } }: TodayReport): Headline | null {
  if (n === 0) return null;
  const says = `${money(amount)} was not collected and will not be tried again: ${counted(n, 'subscription needs', 'subscriptions need')} attention because of it.`;
  return { tone: 'bad', says, href: addressOf('/subscriptions', { standing: 'needs_attention' }) };
}

/** Past-due subscriptions that have not ended, without those that need attention, which have that standing instead. The list has ended ones, too. */
export function ongoingPastDue({ pastDue, pastDueInAttention }: TodayReport): TodayReport['pastDue'] {
  const value = pastDue.amount.value - pastDueInAttention.amount.value;
  return { count: pastDue.count - pastDueInAttention.count, amount: { ...pastDue.amount, value } };
}

function atRiskOf({ atRisk: { count: n, amount } }: TodayReport): Headline | null {
  if (n === 0) return null;
  const says = `${money(amount)} in ${counted(n, 'payment')} is lost unless it is collected within 24 hours.`;
  return { tone: 'warning', says, href: AT_RISK };
}

function quietOf({ dueToday, collectedToday, needsAttention: { count: n } }: TodayReport): Headline {
  if (n > 0)
    return { tone: 'warning', says: `${counted(n, 'item needs', 'items need')} attention.`, href: '/attention' };
  if (dueToday.count === 0)
    return { tone: 'good', says: 'Nothing is due today, and nothing needs your attention.', href: null };
  const says = `Nothing needs your attention. In all, ${money(dueToday.amount)} falls due today; ${money(collectedToday.amount)} was collected today.`;
  return { tone: 'good', says, href: null };
}

/** The money in the open attention items, of which many concern no money. */
export function amountInItems({ count: n, amount }: TodayReport['needsAttention']): string {
  if (n === 0) return 'nothing open';
  return amount.value > 0 ? money(amount) : 'no money involved';
}

export const AT_RISK = addressOf('/', { only: 'at-risk' });
export const PAST_DUE = addressOf('/subscriptions', { standing: 'past_due' });
