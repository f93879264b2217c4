import { count, words } from '../../format';
import { type Column, Instant, StatusBadge } from '../../parts';
import { fromDay, throughDay } from '../common/address';
import { Facts, Id } from '../common/facts';
import { Filters, type FiltersOf, usePageQuery } from '../common/filters';
import { Shown, useAnswer, useStill } from '../common/answers';
import { Listing } from '../common/listing';
import type { Delivery, Endpoint } from '../common/schemas';
import { EndpointActions, Resend } from './endpoint-actions';
import { offeredOf } from './offered';
import { Replay } from './replay';

/** One endpoint and its deliveries. */
export function EndpointDetail({ id }: { readonly id: string }) {
  const { data, error } = useAnswer(['webhook-endpoints'], '/v1/webhook-endpoints/{id}', { path: { id } });
  const endpoint = useStill(data);
  return (
    <>
      <p class="crumbs">
        <a href="/events">Webhooks</a>
      </p>
      <Shown what="the endpoint" of={{ data: endpoint, error }}>
        {(read) => (
          <>
            <h1>{read.url}</h1>
            <EndpointActions endpoint={read} />
            <Replay id={id} isOffered={offeredOf(read).isReplayable} />
            <Facts of={factsOf(read)} />
          </>
        )}
      </Shown>
      <Deliveries id={id} endpoint={endpoint} />
    </>
  );
}

/** Active, or why it is disabled. */
export function EndpointState({ of: { enabled, disabledReason } }: { readonly of: Endpoint }) {
  if (enabled) return <StatusBadge status="active" />;
  return (
    <>
      <StatusBadge status="disabled" /> {disabledReason === undefined ? '' : `(${words(disabledReason)})`}
    </>
  );
}

function factsOf(endpoint: Endpoint) {
  const { endpointId, types, description, failingSince, readOnly, createdAt } = endpoint;
  return [
    ['State', <EndpointState of={endpoint} />],
    ['Types', types.join(', ')],
    ['Description', description],
    ['Failing since', failingSince === undefined ? null : <Instant at={failingSince} />],
    ['Configured by', readOnly ? 'EVENT_WEBHOOK_URL, in the environment' : 'admins'],
    ['Created', <Instant at={createdAt} />],
    ['Id', <Id of={endpointId} />],
  ] as const;
}

const FILTERS: FiltersOf<'listWebhookDeliveries'> = [
  { kind: 'choice', name: 'state', label: 'State', values: ['pending', 'delivered', 'dead'] },
  { kind: 'text', name: 'type', label: 'Type', hint: 'cycle.*' },
  { kind: 'text', name: 'status', label: 'HTTP status', hint: '500', read: Number },
  { kind: 'day', name: 'from', label: 'From', read: fromDay },
  { kind: 'day', name: 'to', label: 'Through', read: throughDay },
];

interface DeliveriesProps {
  readonly id: string;
  /** Undefined until it is loaded. */
  readonly endpoint: Endpoint | undefined;
}

function Deliveries({ id, endpoint }: DeliveriesProps) {
  const isReplayable = endpoint !== undefined && offeredOf(endpoint).isReplayable;
  const params = { path: { id }, query: usePageQuery<'listWebhookDeliveries'>(FILTERS) };
  const page = useAnswer(['webhook-endpoints'], '/v1/webhook-endpoints/{id}/deliveries', params, {
    keepsPrevious: true,
  });
  return (
    <section aria-labelledby="deliveries-heading">
      <h2 id="deliveries-heading">Deliveries</h2>
      <Filters of={FILTERS} />
      <Listing
        what="deliveries"
        page={page}
        columns={isReplayable ? [...COLUMNS, resendColumn(id)] : COLUMNS}
        keyOf={({ deliveryId }) => String(deliveryId)}
        empty="No delivery matches. Clear a filter to see more."
      />
    </section>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  { head: 'Type', cell: ({ type }) => <code class="word">{type}</code> },
  { head: 'State', cell: ({ state }) => <StatusBadge status={state} /> },
  { head: 'Created', cell: ({ createdAt }) => <Instant at={createdAt} /> },
  { head: 'Tries', cell: ({ tries }) => <Tries of={tries} /> },
  { head: 'Next try', cell: ({ nextTryAt }) => (nextTryAt === undefined ? '–' : <Instant at={nextTryAt} />) },
  { head: 'Reason', cell: reasonOf },
];

function reasonOf({ test, again }: Pick<Delivery, 'test' | 'again'>): string {
  if (test) return 'sample';
  return again ? 'sent again' : 'new event';
}

function resendColumn(endpointId: string): Column<Delivery> {
  return {
    head: 'Actions',
    cell: ({ test, eventId }) => (test ? null : <Resend eventId={eventId} endpointId={endpointId} />),
  };
}

/** Response bodies are shown to admins, for seven days. */
function Tries({ of }: { readonly of: Delivery['tries'] }) {
  if (of.length === 0) return <>none yet</>;
  return (
    <details>
      <summary>
        {count(of.length)}, last {of.at(-1)?.status ?? of.at(-1)?.error ?? 'no response'}
      </summary>
      <ol class="attempts">
        {of.map(({ at, status, ms, error, answer }) => (
          <li key={at}>
            <Instant at={at} />: {status ?? error ?? 'no response'}, {count(ms)} ms
            {answer === null || answer === undefined ? null : <pre class="data">{answer}</pre>}
          </li>
        ))}
      </ol>
    </details>
  );
}
