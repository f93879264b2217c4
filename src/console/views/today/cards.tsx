import { counted as countedInDigits } from '../../../domain/money';
import { addressOf } from '../common/address';
import type { TodayReport } from '../common/schemas';
import { count, counted, money, share } from '../../format';
import { amountInItems, AT_RISK, ongoingPastDue, PAST_DUE } from './headline';

interface Card {
  readonly name: string;
  readonly figure: string;
  readonly detail: string;
  readonly href: string;
  readonly tone?: 'bad' | 'warning' | undefined;
}

/** Today's figures; each links to the list behind it. */
export function Cards({ of: today }: { readonly of: TodayReport }) {
  return (
    <ul class="cards" aria-label="At a glance">
      {cardsOf(today).map(({ name, figure, detail, href, tone }) => (
        <li key={name}>
          <a href={href} class={tone === undefined ? 'card' : `card card-${tone}`}>
            <span class="card-name">{name}</span> <strong class="card-figure">{figure}</strong>{' '}
            <span class="card-detail">{detail}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function cardsOf(today: TodayReport): readonly Card[] {
  const { day, atRisk, inRetry, pastDueInAttention, needsAttention, collectedToday, dueToday, successRate } = today;
  const pastDue = ongoingPastDue(today);
  const { count: others } = pastDueInAttention;
  const inAttention =
    others === 0 ? '' : `; ${count(others)} ${others === 1 ? 'other needs' : 'others need'} attention`;
  return [
    {
      name: 'At risk in 24 h',
      figure: money(atRisk.amount),
      detail: `${counted(atRisk.count, 'payment')}, lost if not collected by then`,
      href: AT_RISK,
      tone: atRisk.count > 0 ? 'bad' : undefined,
    },
    {
      name: 'In retry',
      figure: money(inRetry.amount),
      detail: counted(inRetry.count, 'payment'),
      href: addressOf('/subscriptions', { standing: 'dunning' }),
      tone: inRetry.count > 0 ? 'warning' : undefined,
    },
    {
      name: 'Past due',
      figure: money(pastDue.amount),
      detail: `${counted(pastDue.count, 'subscription')}${inAttention}`,
      href: PAST_DUE,
      tone: pastDue.count > 0 ? 'bad' : undefined,
    },
    {
      name: 'Needs attention',
      figure: count(needsAttention.count),
      detail: amountInItems(needsAttention),
      href: '/attention',
      tone: needsAttention.count > 0 ? 'bad' : undefined,
    },
    {
      name: 'Collected today',
      figure: money(collectedToday.amount),
      detail: `${money(dueToday.amount)} falls due today`,
      href: addressOf('/money', { from: day, to: day, type: 'debit', status: 'successful' }),
    },
    { name: 'Attempts that succeeded, 7 days', ...rateOf(successRate), href: '/recovery' },
  ];
}

function rateOf({ last7Days, previous7Days }: TodayReport['successRate']): Pick<Card, 'figure' | 'detail'> {
  if (last7Days === null) return { figure: '–', detail: 'no attempts' };
  const figure = share(last7Days, 1);
  if (previous7Days === null) return { figure, detail: 'no earlier attempts to compare' };
  const points = Math.round((last7Days - previous7Days) * 1000) / 10;
  if (points === 0) return { figure, detail: 'same as in the previous 7 days' };
  const change = countedInDigits(Math.abs(points), 'point');
  return { figure, detail: points > 0 ? `▲ ${change} vs. the previous 7 days` : `▼ ${change} vs. the previous 7 days` };
}
