import { useState } from 'preact/hooks';
import { post } from '../../client';
import { money } from '../../format';
import { Field } from '../../parts';
import { Action, EvidenceField, requiredText } from '../common/action';
import type { Attention } from '../common/schemas';

const CHANGES = ['attention', 'payment', 'payments', 'subscription', 'transactions'];

const CONSEQUENCES: Readonly<Record<'successful' | 'failed' | '', (order: string) => string>> = {
  '': (order) => `Whether the ${order} was made is decided by what you choose.`,
  successful: (order) => `The ${order} counts as made everywhere.`,
  failed: (order) => `The ${order} counts as never made, and is not tried again.`,
};

/** An operator's finding on a capture or a refund of which the service does not show whether it was made. Nothing is preselected. */
export function ResolveOrder({ item: { kind, orderId, amount } }: { readonly item: Attention }) {
  const [outcome, setOutcome] = useState<'successful' | 'failed' | ''>('');
  if (orderId === undefined || amount === null) return null;
  const isCapture = kind === 'capture_unresolved';
  const what = isCapture ? 'capture' : 'refund';
  const isMade = outcome === 'successful';
  return (
    <Action
      label="Resolve"
      title={`Resolve the ${what}`}
      action={outcome === '' ? 'Resolve' : `Resolve as ${outcome}`}
      needs={isCapture ? 'resolveCapture' : 'resolveRefund'}
      isGrave
      changes={CHANGES}
      consequences={
        <p>
          {CONSEQUENCES[outcome](`${what} of ${money(amount)}`)} Other orders of the payment go on. Decide it by the
          service’s own records.
        </p>
      }
      run={(form) => {
        if (outcome === '') throw new Error('an outcome is required');
        const word = { outcome, evidence: requiredText(form, 'evidence') };
        const id = isMade ? requiredText(form, 'id') : undefined;
        return isCapture
          ? post('/v1/captures/{orderId}/resolve', { orderId }, { ...word, captureId: id })
          : post('/v1/refunds/{refundId}/resolve', { refundId: orderId }, { ...word, serviceRefundId: id });
      }}
    >
      <Field label="Outcome">
        <select
          name="outcome"
          required
          value={outcome}
          onChange={(event) => setOutcome(event.currentTarget.value as typeof outcome)}
        >
          <option value="">choose what you have found</option>
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
