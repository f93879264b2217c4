import { useRoute } from 'preact-iso';
import { type Column, Instant } from '../../parts';
import { useAnswer } from '../common/answers';
import { Listing } from '../common/listing';
import { pathTo } from '../common/address';
import type { Endpoint } from '../common/schemas';
import { EndpointDetail, EndpointState } from './endpoint-detail';
import { NewEndpoint } from './endpoint-actions';

/** The list of endpoints, or the endpoint in the address. */
export default function Events() {
  const id = useRoute().params['endpoint'];
  return id === undefined || id === '' ? <List /> : <EndpointDetail key={id} id={id} />;
}

function List() {
  const page = useAnswer(['webhook-endpoints'], '/v1/webhook-endpoints', {});
  return (
    <>
      <h1>Webhooks</h1>
      <div class="actions">
        <NewEndpoint />
      </div>
      <Listing
        what="endpoints"
        page={page}
        columns={COLUMNS}
        keyOf={({ endpointId }) => endpointId}
        hrefOf={({ endpointId }) => pathTo('events', endpointId)}
        empty="No endpoint yet. Create one to send events to your system."
      />
    </>
  );
}

const COLUMNS: readonly Column<Endpoint>[] = [
  { head: 'Endpoint', cell: ({ url }) => url },
  { head: 'State', cell: (endpoint) => <EndpointState of={endpoint} /> },
  { head: 'Types', cell: ({ types }) => types.join(', ') },
  { head: 'Description', cell: ({ description }) => description },
  { head: 'Failing since', cell: ({ failingSince }) => (failingSince ? <Instant at={failingSince} /> : '–') },
];
