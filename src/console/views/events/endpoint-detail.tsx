import { type ChosenColumn, Instant, StatusBadge, useColumns } from '../../parts';
import { fromDay, pathTo, throughDay } from '../common/address';
import { Facts, Id } from '../common/facts';
import { Filters, type FiltersOf, usePageQuery } from '../common/filters';
import { Shown, useAnswer, useStill } from '../common/answers';
import { Listing } from '../common/listing';
import type { Delivery, Endpoint } from '../common/schemas';
import { DELIVERY_COLUMNS, RealTimes } from './delivery-columns';
import { EndpointActions, Resend } from './endpoint-actions';
import { Health, useHours } from './health';
import { offeredOf } from './offered';
import { Replay } from './replay';
import { Signature } from './signature';

/** One endpoint and its deliveries. */
export function EndpointDetail({ id }: { readonly id: string }) {
  const { data, error } = useAnswer(['webhook-endpoints'], '/v1/webhook-endpoints/{id}', { path: { id } });
  const endpoint = useStill(data);
  const hours = useHours();
  return (
    <>
      <p class="crumbs">
        <a href="/events">Webhooks</a>
      </p>
      <Shown what="the endpoint" of={{ data: endpoint, error }}>
        {(read) => (
          <>
            <h1>{read.url}</h1>
            <EndpointActions endpoint={read}>
              <Replay endpoint={read} />
            </EndpointActions>
            <Shown what="the last 24 hours" of={hours}>
              {(known) => <Health of={known.get(id)} />}
            </Shown>
            <Facts of={factsOf(read)} />
            {read.readOnly ? null : <Signature />}
          </>
        )}
      </Shown>
      <Deliveries id={id} endpoint={endpoint} />
    </>
  );
}

/** Active, failing, or why it is disabled. */
export function EndpointState({ of: { enabled, disabledReason, failingSince } }: { readonly of: Endpoint }) {
  if (enabled) return <StatusBadge status={failingSince === undefined ? 'active' : 'failing'} />;
  return (
    <span>
      <StatusBadge status="disabled" />
      {disabledReason === undefined ? null : <span class="under">{REASONS[disabledReason]}</span>}
    </span>
  );
}

const REASONS: Readonly<Record<NonNullable<Endpoint['disabledReason']>, string>> = {
  disabled_by_admin: 'by an admin',
  gone: 'it answered 410 Gone',
  failing: 'every attempt failed for days',
};

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
  {
    kind: 'choice',
    name: 'state',
    label: 'State',
    values: ['pending', 'delivered', 'dead'],
  },
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
  const { shown, menu } = useColumns('deliveries', isReplayable ? [...COLUMNS, resendColumn(id)] : COLUMNS);
  return (
    <section aria-labelledby="deliveries-heading">
      <header class="heading">
        <h2 id="deliveries-heading">Deliveries</h2>
        {menu}
      </header>
      <RealTimes />
      <Filters of={FILTERS} />
      <Listing
        what="deliveries"
        page={page}
        columns={shown}
        keyOf={({ deliveryId }) => String(deliveryId)}
        hrefOf={({ eventId }) => pathTo('events', eventId)}
        empty="No delivery matches. Clear a filter to see more."
      />
    </section>
  );
}

const COLUMNS: readonly ChosenColumn<Delivery>[] = [
  { head: 'Type', cell: ({ type }) => type, isFixed: true },
  ...DELIVERY_COLUMNS,
];

function resendColumn(endpointId: string): ChosenColumn<Delivery> {
  return {
    head: 'Actions',
    cell: ({ test, eventId }) => (test ? null : <Resend eventId={eventId} endpointId={endpointId} />),
    isFixed: true,
  };
}
