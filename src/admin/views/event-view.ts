import { toIso } from '../../domain/instant';
import type { EventRecord } from '../../ledger';

export function viewEvent({ at, actor, type, data }: EventRecord) {
  return { at: toIso(at), actor, type, data: { ...data } };
}

export function viewAuditEntry(event: EventRecord) {
  return { ...viewEvent(event), subscriptionId: event.subscriptionId };
}
