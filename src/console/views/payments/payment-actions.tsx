import { useState } from 'preact/hooks';
import { decimalOf } from '../../../domain/money';
import { api, ask, post } from '../../client';
import { instant, money } from '../../format';
import { announce, Field } from '../../parts';
import { session } from '../../session';
import { Action, AmountField, ReasonField, requiredText, textOf } from '../common/action';
import { useStill } from '../common/answers';
import { EditMetadata } from '../metadata/edit-metadata';
import { amountOf } from '../common/typed';
import { captureText, refundingText, refundText, releaseText } from '../dialogs/money';
import { ReversedElsewhere } from '../money/reversed';
import type { Payment } from '../common/schemas';
import { offeredOf, type Refundable } from './offered';

const CHANGES = ['payment', 'payments', 'transactions', 'attention'];

interface OfPayment {
  readonly payment: Payment;
}

/**
 * The actions for a one-time payment. An open dialog keeps the data it was opened with, so that the chosen capture does
 * not change while a refund is being entered. Metadata edits are merged with the latest data.
 */
export function PaymentActions({ payment: latest }: OfPayment) {
  const payment = useStill(latest);
  const { paymentId: id, status } = payment;
  const refundsAll = session.value?.eventDependentRefunds === true;
  const { capture, isReleasable, refundable } = offeredOf(payment, refundsAll);
  return (
    <div class="actions" role="group" aria-label="Actions">
      {capture === null ? null : <Capture payment={payment} isOnly={capture === 'only'} />}
      {isReleasable ? <Release payment={payment} /> : null}
      <Refund id={id} of={refundable} />
      {status === 'pending_consent' ? <CheckConsent payment={payment} /> : null}
      <EditMetadata
        of={latest.metadata}
        needs="changePayment"
        changes={CHANGES}
        save={(pairs) => ask(api.PATCH('/v1/payments/{id}', { params: { path: { id } }, body: { metadata: pairs } }))}
      />
    </div>
  );
}

interface CaptureProps extends OfPayment {
  /** Whether no other capture may follow. */
  readonly isOnly: boolean;
}

function Capture({ payment, isOnly }: CaptureProps) {
  const { paymentId: id, remaining, partialCapture } = payment;
  return (
    <Action
      label="Capture"
      title="Capture this payment"
      needs="capturePayment"
      isGrave
      changes={CHANGES}
      consequences={<p>{captureText(payment, isOnly)}</p>}
      run={(form, key) => {
        const amount = amountOf(requiredText(form, 'amount'));
        const body = { amount, finalCapture: form.get('finalCapture') === 'on' };
        return post('/v1/payments/{id}/captures', { id }, body, key);
      }}
    >
      <AmountField
        label={partialCapture ? 'Amount, in euros' : 'Amount, in euros: the full amount'}
        start={decimalOf(remaining)}
      />
      {isOnly ? null : (
        <Field label="Final capture" hint="Closes the payment and releases the rest.">
          <input type="checkbox" name="finalCapture" />
        </Field>
      )}
    </Action>
  );
}

function Release({ payment: { paymentId: id, remaining } }: OfPayment) {
  return (
    <Action
      label="Release"
      title="Release this payment"
      needs="releasePayment"
      isGrave
      changes={CHANGES}
      consequences={<p>{releaseText({ remaining })}</p>}
      run={(form, key) => post('/v1/payments/{id}/release', { id }, { reason: textOf(form, 'reason') }, key)}
    >
      <ReasonField />
    </Action>
  );
}

interface RefundProps {
  readonly id: string;
  readonly of: readonly Refundable[];
}

/** Refunds one capture; the first is preselected. */
function Refund({ id, of: captures }: RefundProps) {
  const [chosenId, choose] = useState<string | null>(null);
  const chosen = captures.find(({ captureId }) => captureId === chosenId) ?? captures[0];
  if (chosen === undefined) return null;
  return (
    <Action
      label="Refund"
      title="Refund a capture"
      needs="refundPayment"
      isGrave
      changes={CHANGES}
      consequences={
        <>
          <p>{refundText(chosen.left)}</p>
          <ReversedElsewhere of={{ paymentId: id }} captures={[chosen.captureId]} />
        </>
      }
      run={async (form, key) => {
        const body = {
          amount: amountOf(requiredText(form, 'amount')),
          captureId: textOf(form, 'captureId'),
          reason: textOf(form, 'reason'),
        };
        const { warnings = [] } = await post('/v1/payments/{id}/refunds', { id }, body, key);
        announce(refundingText(body.amount), warnings);
      }}
    >
      <Field label="Capture">
        <select name="captureId" value={chosen.captureId} onChange={(event) => choose(event.currentTarget.value)}>
          {captures.map(({ captureId, left, createdAt }) => (
            <option key={captureId} value={captureId}>
              {money(left)} left, {instant(createdAt)}
            </option>
          ))}
        </select>
      </Field>
      <AmountField key={chosen.captureId} label="Amount, in euros" start={decimalOf(chosen.left)} />
      <ReasonField />
    </Action>
  );
}

function CheckConsent({ payment: { paymentId: id } }: OfPayment) {
  return (
    <Action
      label="Check consent"
      title="Check the consent now"
      needs="checkPayment"
      changes={CHANGES}
      consequences={<p>dueday asks the payment service whether the payer has approved.</p>}
      run={(_form, key) => post('/v1/payments/{id}/consent-check', { id }, {}, key)}
    />
  );
}
