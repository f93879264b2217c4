import type { Activities } from '../src/contract/activities';
import { applyChange, deleteDraft } from '../src/ledger';
import type { Dependencies } from './dependencies';

/** The workflow's own decisions, into the ledger. */
export function recordActivities({ ledger }: Dependencies): Pick<Activities, 'record' | 'discardDraft'> {
  return {
    record: (change) => applyChange(ledger, change),
    discardDraft: ({ subscriptionId }) => deleteDraft(ledger, subscriptionId),
  };
}
