import { post } from '../../client';
import { withAmounts } from '../../format';
import { type Column, Field, Instant, StatusBadge, Table } from '../../parts';
import { Action, requiredText } from '../common/action';
import { pathTo } from '../common/address';
import { Shown, useAnswer, useStill } from '../common/answers';
import { Code, Facts, Id, Subject } from '../common/facts';
import type { Delivery, Endpoint, EventWithDeliveries } from '../common/schemas';
import { DELIVERY_COLUMNS, RealTimes } from './delivery-columns';
import { offeredOf } from './offered';

/** One event: its payload, and every delivery. */
export function EventDetail({ id }: { readonly id: string }) {
  const { data, error } = useAnswer(['webhook-endpoints'], '/v1/events/{id}', { path: { id } });
  const endpoints = useAnswer(['webhook-endpoints'], '/v1/webhook-endpoints', {}).data?.items ?? [];
  return (
    <>
      <p class="crumbs">
        <a href="/events">Webhooks</a> / <a href="/events/log">Events</a>
      </p>
      <Shown what="the event" of={{ data: useStill(data), error }}>
        {(event) => <Whole of={event} endpoints={endpoints} />}
      </Shown>
    </>
  );
}

interface WholeProps {
  readonly of: EventWithDeliveries;
  readonly endpoints: readonly Endpoint[];
}

function Whole({ of: { deliveries, ...event }, endpoints }: WholeProps) {
  const { type, id, timestamp, sequence, test, data } = event;
  const receiving = endpoints.filter((endpoint) => offeredOf(endpoint).isReplayable);
  return (
    <>
      <h1>{type}</h1>
      {typeof data['text'] === 'string' ? <p class="lead">{withAmounts(data['text'])}</p> : null}
      {test || receiving.length === 0 ? null : <SendAgain id={id} to={receiving} />}
      <Facts
        of={[
          ['Happened', <Instant at={timestamp} />],
          ['About', <Subject of={data} none="the installation" />],
          ['Sequence', sequence],
          ['Kind', test ? <StatusBadge status="test" /> : null],
          ['Id', <Id of={id} />],
        ]}
      />
      <h2>Deliveries</h2>
      <RealTimes />
      <Table
        label="Deliveries"
        rows={deliveries}
        columns={[endpointColumn(endpoints), ...DELIVERY_COLUMNS]}
        keyOf={({ deliveryId }) => String(deliveryId)}
        empty="No endpoint receives events of this type. Add the type to an endpoint, then send the event again."
      />
      <h2>Payload</h2>
      <Code text={JSON.stringify(event, null, 2)} what="the payload" />
    </>
  );
}

function endpointColumn(endpoints: readonly Endpoint[]): Column<Delivery> {
  return {
    head: 'Endpoint',
    cell: ({ endpointId }) => (
      <a href={pathTo('events', endpointId)}>
        {endpoints.find((each) => each.endpointId === endpointId)?.url ?? endpointId}
      </a>
    ),
  };
}

function SendAgain({ id, to }: { readonly id: string; readonly to: readonly Endpoint[] }) {
  return (
    <div class="actions">
      <Action
        label="Send again"
        title="Send this event again"
        needs="resendEvent"
        changes={['webhook-endpoints']}
        consequences={<p>It is sent once more with the same ID, after any new events.</p>}
        run={(form, key) => post('/v1/events/{id}/resend', { id }, { endpointId: requiredText(form, 'endpoint') }, key)}
      >
        <Field label="To" path="endpointId">
          <select name="endpoint">
            {to.map(({ endpointId, url }) => (
              <option key={endpointId} value={endpointId}>
                {url}
              </option>
            ))}
          </select>
        </Field>
      </Action>
    </div>
  );
}
