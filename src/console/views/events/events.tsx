import { useRoute } from 'preact-iso';
import { type Column, ErrorNote, Instant } from '../../parts';
import { useAnswer } from '../common/answers';
import { Listing } from '../common/listing';
import { pathTo } from '../common/address';
import type { Endpoint } from '../common/schemas';
import { EndpointDetail, EndpointState } from './endpoint-detail';
import { NewEndpoint } from './endpoint-actions';
import { EventDetail } from './event-detail';
import { EventLog, WebhookTabs } from './event-log';
import { HealthStrip, useHours } from './health';
import { Signature } from './signature';

/** Endpoints, all events, or the endpoint or event in the address: their ids begin differently. */
export default function Events() {
  const id = useRoute().params['id'];
  if (id === undefined || id === '') return <Endpoints />;
  if (id === 'log') return <EventLog />;
  return id.startsWith('evt_') ? <EventDetail key={id} id={id} /> : <EndpointDetail key={id} id={id} />;
}

function Endpoints() {
  const page = useAnswer(['webhook-endpoints'], '/v1/webhook-endpoints', {});
  const { data: hours, error } = useHours();
  const strip: Column<Endpoint> = {
    head: 'Last 24 hours',
    cell: ({ endpointId }) => (hours === undefined ? null : <HealthStrip of={hours.get(endpointId)} />),
  };
  return (
    <>
      <header class="heading">
        <h1>Webhooks</h1>
        <NewEndpoint />
      </header>
      <WebhookTabs />
      {error === null ? null : <ErrorNote error={error} />}
      <Listing
        what="endpoints"
        page={page}
        columns={[ENDPOINT, strip, ...COLUMNS]}
        keyOf={({ endpointId }) => endpointId}
        hrefOf={({ endpointId }) => pathTo('events', endpointId)}
        empty="No endpoint yet. Create one to send events to your system."
      />
      <Signature />
    </>
  );
}

const ENDPOINT: Column<Endpoint> = {
  head: 'Endpoint',
  cell: ({ url, description }) => (
    <>
      {url} <span class="under">{description}</span>
    </>
  ),
};

const COLUMNS: readonly Column<Endpoint>[] = [
  { head: 'State', cell: (endpoint) => <EndpointState of={endpoint} /> },
  { head: 'Types', cell: ({ types }) => types.join(', ') },
  { head: 'Failing since', cell: ({ failingSince }) => (failingSince ? <Instant at={failingSince} /> : '–') },
];
