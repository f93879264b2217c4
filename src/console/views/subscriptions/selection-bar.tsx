import { useState } from 'preact/hooks';
import { may } from '../../session';
import { bulkActions } from '../bulk/actions';
import { BULK_CHOICES } from '../bulk/choices';
import { BulkPanel } from '../bulk/panel';
import { nameOf } from '../common/subscription';
import type { BulkAction, BulkFilter, Subscription } from '../common/schemas';
import type { Selection } from '../common/selection';
import { clearSelection, describeSum, select, selected, sumOf, useSum } from './selected';

/** Selects a row for an action on several subscriptions. */
export function SelectBox({ of }: { readonly of: Subscription }) {
  const chosen = selected.value;
  return (
    <input
      type="checkbox"
      aria-label={`Select ${nameOf(of.payer) ?? of.subscriptionId}`}
      checked={chosen === 'all' || chosen.has(of.subscriptionId)}
      disabled={chosen === 'all'}
      onChange={({ currentTarget }) => select(of, currentTarget.checked)}
    />
  );
}

interface Opened {
  readonly action: BulkAction;
  readonly filter: BulkFilter;
}

/** Actions for the selected rows, or for the whole list; shown if anything is selected. @param list the filter of the list */
export function SelectionBar({ list }: { readonly list: Selection }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const chosen = selected.value;
  const isAny = chosen === 'all' || chosen.size > 0;
  const offered = may('runBulk') ? bulkActions() : [];
  const filter = chosen === 'all' ? list : { subscriptionIds: [...chosen.keys()] };
  return (
    <>
      {isAny ? (
        <div class="selection" role="group" aria-label="Selected subscriptions">
          <strong role="status">{chosen === 'all' ? <WholeList list={list} /> : sumOf([...chosen.values()])}</strong>
          {offered
            .filter((action) => !isGrave(action))
            .map((action) => (
              <BulkButton key={action} action={action} onClick={() => setOpened({ action, filter })} />
            ))}
          <button type="button" class="quiet" onClick={clearSelection}>
            Clear selection
          </button>
          {offered.filter(isGrave).map((action) => (
            <BulkButton key={action} action={action} onClick={() => setOpened({ action, filter })} />
          ))}
        </div>
      ) : null}
      {opened === null ? null : <BulkPanel {...opened} onStarted={clearSelection} onClose={() => setOpened(null)} />}
    </>
  );
}

function isGrave(action: BulkAction): boolean {
  return BULK_CHOICES[action].isGrave === true;
}

interface BulkButtonProps {
  readonly action: BulkAction;
  readonly onClick: () => void;
}

function BulkButton({ action, onClick }: BulkButtonProps) {
  return (
    <button type="button" class={isGrave(action) ? 'apart' : undefined} onClick={onClick}>
      {BULK_CHOICES[action].name}
    </button>
  );
}

function WholeList({ list }: { readonly list: Selection }) {
  const sum = useSum(list).data;
  return <>{sum === undefined ? 'The whole list selected' : `The whole list selected: ${describeSum(sum)}`}</>;
}
