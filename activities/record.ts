import type { Activities } from '../src/contract/activities';
import { applyChange, deleteDraft, readLedgerWord } from '../src/ledger';
import type { Dependencies } from './dependencies';

/** The workflow's own decisions, into the ledger. */
export function recordActivities({
  ledger,
  clock,
}: Dependencies): Pick<Activities, 'record' | 'readLedger' | 'discardDraft'> {
  return {
    record: (change) => applyChange(ledger, change),
    readLedger: ({ subscriptionId, policy, spread }) =>
      readLedgerWord(ledger, subscriptionId, { policy, spread }, clock.now()),
    discardDraft: ({ subscriptionId }) => deleteDraft(ledger, subscriptionId),
  };
}
