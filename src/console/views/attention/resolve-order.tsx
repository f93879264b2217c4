import { useState } from 'preact/hooks';
import { post } from '../../client';
import { announce, Field } from '../../parts';
import { Action, EvidenceField, requiredText } from '../common/action';
import { nameOf } from '../common/subscription';
import { orderFollows, orderOf } from '../dialogs/money';
import type { Attention } from '../common/schemas';

const CHANGES = ['attention', 'payment', 'payments', 'subscription', 'transactions'];

/** An operator's decision on a capture or refund with an unknown outcome. Nothing is preselected. */
export function ResolveOrder({ item: { kind, orderId, amount, payer } }: { readonly item: Attention }) {
  const [outcome, setOutcome] = useState<'' | 'successful' | 'failed'>('');
  if (orderId === undefined || amount === null) return null;
  const what = orderOf({ kind });
  const who = nameOf(payer);
  const isMade = outcome === 'successful';
  const follows = orderFollows(what, amount);
  return (
    <Action
      label="Resolve"
      title={`Resolve the ${what}${who === undefined ? '' : ` of ${who}`}`}
      action={outcome === '' ? 'Resolve' : `Resolve as ${outcome}`}
      needs={what === 'capture' ? 'resolveCapture' : 'resolveRefund'}
      isMain
      isGrave
      isUnready={outcome === ''}
      changes={CHANGES}
      consequences={<p>{follows[outcome]}</p>}
      run={async (form, key) => {
        if (outcome === '') throw new Error('Choose an outcome.');
        const decision = { outcome, evidence: requiredText(form, 'evidence') };
        const id = isMade ? requiredText(form, 'id') : undefined;
        await (what === 'capture'
          ? post('/v1/captures/{orderId}/resolve', { orderId }, { ...decision, captureId: id }, key)
          : post('/v1/refunds/{refundId}/resolve', { refundId: orderId }, { ...decision, serviceRefundId: id }, key));
        announce(who === undefined ? follows[outcome] : `${who}: ${follows[outcome]}`);
      }}
    >
      <Field label="Outcome">
        <select required value={outcome} onChange={(event) => setOutcome(event.currentTarget.value as typeof outcome)}>
          <option value="">Choose an outcome</option>
          <option value="successful">successful: it was made</option>
          <option value="failed">failed: it was never made</option>
        </select>
      </Field>
      <EvidenceField />
      {isMade ? (
        <Field label="Payment service’s ID" hint={`The payment service’s own ID of the ${what}.`}>
          <input name="id" required autocomplete="off" />
        </Field>
      ) : null}
    </Action>
  );
}
