import type { OperationId } from '../../../client/operations';
import { post } from '../../client';
import { announce } from '../../parts';
import { Action, ReasonField, textOf } from '../common/action';
import { nameOf } from '../common/payer';
import type { Subscription } from '../common/schemas';
import { callForEach, clearSelection, sayOutcome, select, selected, sumOf } from './selected';

const CHANGES = ['subscriptions', 'subscription', 'attention', 'reports'];

/** Selects a row for an action on several subscriptions. */
export function SelectBox({ of }: { readonly of: Subscription }) {
  return (
    <input
      type="checkbox"
      aria-label={`Select ${nameOf(of.payer) ?? of.subscriptionId}`}
      checked={selected.value.has(of.subscriptionId)}
      onChange={({ currentTarget }) => select(of, currentTarget.checked)}
    />
  );
}

/** Actions for the selected rows; shown if there are any. */
export function SelectionBar() {
  const rows = [...selected.value.values()];
  if (rows.length === 0) return null;
  return (
    <div class="selection" role="group" aria-label="Selected subscriptions">
      <strong role="status">{sumOf(rows)}</strong>
      <ForEach
        label="Pause selected"
        done="paused"
        needs="pauseSubscription"
        rows={rows}
        says="Until the subscriptions are resumed, their due dates are skipped for good. Payments already sent may still be collected."
        call={(id, reason) => post('/v1/subscriptions/{id}/pause', { id }, { reason })}
      />
      <ForEach
        label="Resume selected"
        done="resumed"
        needs="resumeSubscription"
        rows={rows}
        says="Due dates from now on are collected again. Due dates during the pause stay skipped."
        call={(id, reason) => post('/v1/subscriptions/{id}/resume', { id }, { reason })}
      />
      <ForEach
        label="Check consents"
        done="checked"
        needs="checkConsent"
        rows={rows}
        says="dueday asks the payment service for each consent. If a consent has ended, its subscription is cancelled."
        call={(id) => post('/v1/subscriptions/{id}/consent-check', { id }, {})}
      />
      <button type="button" class="quiet" onClick={clearSelection}>
        Clear selection
      </button>
    </div>
  );
}

interface ForEachProps {
  readonly label: string;
  readonly done: string;
  readonly needs: OperationId;
  readonly rows: readonly Subscription[];
  readonly says: string;
  readonly call: (id: string, reason: string | undefined) => Promise<unknown>;
}

function ForEach({ label, done, needs, rows, says, call }: ForEachProps) {
  return (
    <Action
      label={label}
      title={label}
      needs={needs}
      changes={CHANGES}
      consequences={
        <>
          <p>
            <strong>{sumOf(rows)}.</strong> If one is refused, the others continue.
          </p>
          <p>{says}</p>
        </>
      }
      run={async (form) => {
        const reason = textOf(form, 'reason');
        const ids = rows.map(({ subscriptionId }) => subscriptionId);
        announce(sayOutcome(done, await callForEach(ids, (id) => call(id, reason))));
        clearSelection();
      }}
    >
      <ReasonField />
    </Action>
  );
}
