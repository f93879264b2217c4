import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { api, ask } from '../../client';
import { fromDay, throughDay, useAddress } from '../common/address';
import { type Filter, Filters } from '../common/filters';
import type { QueryOf } from '../common/schemas';
import { TrailPages } from '../common/trail';

const FILTERS: readonly Filter[] = [
  { kind: 'text', name: 'actor', label: 'Who', hint: 'a key’s name, or dueday' },
  { kind: 'text', name: 'keyId', label: 'Key', hint: 'the id of a key' },
  { kind: 'text', name: 'type', label: 'Type', hint: 'cycle.collected' },
  { kind: 'text', name: 'subscriptionId', label: 'Subscription' },
  { kind: 'text', name: 'paymentId', label: 'Payment' },
  { kind: 'day', name: 'from', label: 'From' },
  { kind: 'day', name: 'to', label: 'Through' },
];

/** The whole trail, newest first. */
export default function Audit() {
  const { query } = useAddress();
  const { actor, keyId, type, subscriptionId, paymentId, cursor } = query;
  const asked: QueryOf<'listAudit'> = {
    ...{ actor, keyId, type, subscriptionId, paymentId, cursor },
    from: fromDay(query['from']),
    to: throughDay(query['to']),
  };
  const page = useQuery({
    queryKey: ['audit', asked],
    queryFn: ({ signal }) => ask(api.GET('/v1/audit', { params: { query: asked }, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <h1>Audit</h1>
      <Filters of={FILTERS} />
      <TrailPages
        page={page}
        about={({ subscriptionId: subscription, paymentId: payment }) => {
          if (typeof subscription === 'string') return <a href={`/subscriptions/${subscription}`}>{subscription}</a>;
          return typeof payment === 'string' ? <a href={`/payments/${payment}`}>{payment}</a> : null;
        }}
      />
    </>
  );
}
