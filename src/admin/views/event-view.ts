import { explain } from '../../domain/trail/explain';
import { toIso } from '../../domain/time';
import type { EventRecord } from '../../ledger';
import { named } from './fields';

export function viewEvent(event: EventRecord) {
  const { at, actor, type, rule, data } = event;
  return { at: toIso(at), actor, type, text: explain(event), rule, data: { ...data } };
}

export function viewAuditEntry(event: EventRecord) {
  return {
    ...viewEvent(event),
    subscriptionId: event.subscriptionId,
    ...named('paymentId', event.paymentId),
  };
}
