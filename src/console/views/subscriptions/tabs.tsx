import { count, money } from '../../format';
import { addressOf, useAddress } from '../common/address';
import type { TodayReport } from '../common/schemas';
import { useToday } from '../common/answers';
import { ongoingPastDue } from '../today/headline';

interface Tab {
  readonly name: string;
  readonly query: Readonly<Partial<Record<'status' | 'standing', string>>>;
  readonly figure?: (today: TodayReport) => TodayReport['inRetry'];
}

const PAST_DUE: Tab['query'] = { standing: 'past_due' };

const TABS: readonly Tab[] = [
  { name: 'All', query: {} },
  { name: 'In retry', query: { standing: 'dunning' }, figure: ({ inRetry }) => inRetry },
  { name: 'Past due', query: PAST_DUE, figure: ongoingPastDue },
  { name: 'Needs attention', query: { standing: 'needs_attention' } },
  { name: 'Paused', query: { status: 'paused' } },
];

/** Common filters, with counts and sums where the report has them. */
export function Tabs() {
  const { query } = useAddress();
  const today = useToday().data;
  return (
    <>
      <nav class="tabs" aria-label="Lists">
        {TABS.map(({ name, query: of, figure }) => (
          <a key={name} href={addressOf('/subscriptions', of)} aria-current={isChosen(query, of) ? 'page' : undefined}>
            {name} {today === undefined || figure === undefined ? null : <Figure of={figure(today)} />}
          </a>
        ))}
      </nav>
      {isChosen(query, PAST_DUE) ? (
        <p class="hint">The figure of “Past due” leaves out subscriptions that have ended; the list includes them.</p>
      ) : null}
    </>
  );
}

function Figure({ of: { count: n, amount } }: { readonly of: TodayReport['inRetry'] }) {
  return (
    <span class="under">
      {count(n)} · {money(amount)}
    </span>
  );
}

function isChosen(query: Readonly<Record<string, string>>, of: Tab['query']): boolean {
  return (query['status'] ?? '') === (of.status ?? '') && (query['standing'] ?? '') === (of.standing ?? '');
}
