import { useLocation } from 'preact-iso';
import { withAmounts } from '../../format';
import { type Column, Instant } from '../../parts';
import { may } from '../../session';
import { pathTo } from '../common/address';
import { useAnswer } from '../common/answers';
import { Subject } from '../common/facts';
import { Filters, type FiltersOf, usePageQuery } from '../common/filters';
import { Listing } from '../common/listing';
import type { MerchantEvent } from '../common/schemas';

/** Links to the two lists: endpoints and events. */
export function WebhookTabs() {
  const { path } = useLocation();
  if (!may('listMerchantEvents')) return null;
  return (
    <nav class="tabs" aria-label="Lists">
      {TABS.map(([name, href]) => (
        <a key={href} href={href} aria-current={path === href ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

const TABS = [
  ['Endpoints', '/events'],
  ['Events', '/events/log'],
] as const;

const FILTERS: FiltersOf<'listMerchantEvents'> = [
  { kind: 'text', name: 'types', label: 'Type', hint: 'cycle.*' },
  { kind: 'text', name: 'subscriptionId', label: 'Subscription' },
  { kind: 'text', name: 'paymentId', label: 'Payment' },
];

const PAGE = 50;

/** Every event, newest first, whether or not an endpoint received it. */
export function EventLog() {
  const { cursor: after, ...filter } = usePageQuery<'listMerchantEvents'>(FILTERS);
  const query = { ...filter, after, order: 'newest', limit: PAGE } as const;
  const { data, error } = useAnswer(['webhook-endpoints'], '/v1/events', { query }, { keepsPrevious: true });
  // The API's cursor is never null, for programs that wait for later events.
  const page = data === undefined ? data : { ...data, nextCursor: data.items.length < PAGE ? null : data.nextCursor };
  return (
    <>
      <h1>Webhooks</h1>
      <WebhookTabs />
      <Filters of={FILTERS} />
      <Listing
        what="events"
        page={{ data: page, error }}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => pathTo('events', id)}
        empty="No event matches. Clear a filter to see more."
      />
    </>
  );
}

const COLUMNS: readonly Column<MerchantEvent>[] = [
  { head: 'What happened', cell: ({ type, data }) => <WhatHappened type={type} text={data['text']} /> },
  { head: 'About', cell: ({ data }) => <Subject of={data} none="–" /> },
  { head: 'At', cell: ({ timestamp }) => <Instant at={timestamp} /> },
];

function WhatHappened({ type, text }: { readonly type: string; readonly text: unknown }) {
  return (
    <>
      {type} {typeof text === 'string' ? <span class="under">{withAmounts(text)}</span> : null}
    </>
  );
}
