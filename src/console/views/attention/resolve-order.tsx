import { useState } from 'preact/hooks';
import { post } from '../../client';
import { money } from '../../format';
import { Field } from '../../parts';
import { Action, EvidenceField, requiredText } from '../common/action';
import type { Attention } from '../common/schemas';

const CHANGES = ['attention', 'payment', 'payments', 'subscription', 'transactions'];

/** A person's word on a capture or a refund of which the service does not tell whether it was made. */
export function ResolveOrder({ item: { kind, orderId, amount } }: { readonly item: Attention }) {
  const [outcome, setOutcome] = useState<'successful' | 'failed'>('successful');
  if (orderId === undefined || amount === null) return null;
  const isCapture = kind === 'capture_unresolved';
  const what = isCapture ? 'capture' : 'refund';
  const isMade = outcome === 'successful';
  return (
    <Action
      label="Resolve"
      title={`Resolve the ${what}`}
      action={`Resolve as ${outcome}`}
      needs={isCapture ? 'resolveCapture' : 'resolveRefund'}
      isGrave
      changes={CHANGES}
      consequences={
        <p>
          {isMade
            ? `The ${what} of ${money(amount)} counts as made everywhere.`
            : `The ${what} of ${money(amount)} counts as never made, and is not tried again.`}{' '}
          Other orders of the payment go on. Decide it by the service’s own records.
        </p>
      }
      run={(form) => {
        const word = { outcome, evidence: requiredText(form, 'evidence') };
        const id = isMade ? requiredText(form, 'id') : undefined;
        return isCapture
          ? post('/v1/captures/{orderId}/resolve', { orderId }, { ...word, captureId: id })
          : post('/v1/refunds/{refundId}/resolve', { refundId: orderId }, { ...word, serviceRefundId: id });
      }}
    >
      <Field label="Outcome">
        <select value={outcome} onChange={(event) => setOutcome(event.currentTarget.value as typeof outcome)}>
          <option value="successful">successful: it was made</option>
          <option value="failed">failed: it was never made</option>
        </select>
      </Field>
      <EvidenceField />
      {isMade ? (
        <Field label="Id at the service" hint={`By which the service knows the ${what}.`}>
          <input name="id" required autocomplete="off" />
        </Field>
      ) : null}
    </Action>
  );
}
