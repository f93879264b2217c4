import { fromDay, throughDay } from '../common/address';
import { useAnswer } from '../common/answers';
import { Subject } from '../common/facts';
import { Filters, type FiltersOf, usePageQuery } from '../common/filters';
import { AuditPages } from './audit-log';

const FILTERS: FiltersOf<'listAudit'> = [
  { kind: 'text', name: 'actor', label: 'Who', hint: 'a key’s name, or dueday' },
  { kind: 'text', name: 'keyId', label: 'Key', hint: 'the ID of a key' },
  { kind: 'text', name: 'type', label: 'Type', hint: 'cycle.collected' },
  { kind: 'text', name: 'subscriptionId', label: 'Subscription' },
  { kind: 'text', name: 'paymentId', label: 'Payment' },
  { kind: 'day', name: 'from', label: 'From', read: fromDay },
  { kind: 'day', name: 'to', label: 'Through', read: throughDay },
];

/** The whole audit log, newest first. */
export default function Audit() {
  const query = usePageQuery<'listAudit'>(FILTERS);
  const page = useAnswer(['audit'], '/v1/audit', { query }, { keepsPrevious: true });
  return (
    <>
      <h1>Audit log</h1>
      <Filters of={FILTERS} />
      <AuditPages
        page={page}
        about={({ subscriptionId, paymentId }) => <Subject of={{ subscriptionId, paymentId }} />}
      />
    </>
  );
}
