import { useState } from 'preact/hooks';
import { api, ask, post } from '../../client';
import { instant, money } from '../../format';
import { Field } from '../../parts';
import { session } from '../../session';
import { Action, AmountField, ReasonField, requiredText, textOf } from '../common/action';
import { useStill } from '../common/answers';
import { EditMetadata } from '../common/edit-metadata';
import { amountOf, typedCents } from '../common/typed';
import type { Payment } from '../common/schemas';
import { offeredOf, type Refundable } from './offered';

const CHANGES = ['payment', 'payments', 'transactions', 'attention'];

interface OfPayment {
  readonly payment: Payment;
}

/**
 * What can be done with a one-time payment in its state, by those who may. An open dialog goes on from what it was opened
 * from: no other capture takes the place of the one whose refund is being written. Metadata is changed as it stands.
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
  /** No other may follow it. */
  readonly isOnly: boolean;
}

function Capture({ payment: { paymentId: id, remaining, captureBy, partialCapture }, isOnly }: CaptureProps) {
  return (
    <Action
      label="Capture"
      title="Capture what was authorized"
      needs="capturePayment"
      isGrave
      changes={CHANGES}
      consequences={
        <p>
          The payer’s account is debited; {money(remaining)} is left
          {captureBy === undefined ? '' : `, until ${instant(captureBy)}`}.{' '}
          {isOnly
            ? 'It is the only capture: what it leaves is not debited.'
            : 'More can be captured after it, unless it is the final one.'}
        </p>
      }
      run={(form, key) => {
        const amount = amountOf(requiredText(form, 'amount'));
        const body = { amount, finalCapture: form.get('finalCapture') === 'on' };
        return post('/v1/payments/{id}/captures', { id }, body, key);
      }}
    >
      <AmountField
        label={partialCapture ? 'Amount, in euros' : 'Amount, in euros: the whole'}
        start={typedCents(remaining.value)}
      />
      {isOnly ? null : (
        <Field label="Final capture" hint="Closes the payment, and releases what is left.">
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
      title="Release what was authorized"
      needs="releasePayment"
      isGrave
      changes={CHANGES}
      consequences={
        <p>
          {money(remaining)} is given back to the payer’s account uncaptured. From now on nothing of it can be captured.
          This cannot be undone.
        </p>
      }
      run={(form) => post('/v1/payments/{id}/release', { id }, { reason: textOf(form, 'reason') })}
    >
      <ReasonField />
    </Action>
  );
}

interface RefundProps {
  readonly id: string;
  readonly of: readonly Refundable[];
}

/** The capture that it gives back is named; where there is one only, it is chosen already. */
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
      consequences={<p>Money goes back to the payer, at most {money(chosen.left)}. It cannot be undone.</p>}
      run={(form, key) => {
        const body = {
          amount: amountOf(requiredText(form, 'amount')),
          captureId: textOf(form, 'captureId'),
          reason: textOf(form, 'reason'),
        };
        return post('/v1/payments/{id}/refunds', { id }, body, key);
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
      <AmountField key={chosen.captureId} label="Amount, in euros" start={typedCents(chosen.left.value)} />
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
      consequences={<p>The payment service is asked whether the payer has approved.</p>}
      run={() => post('/v1/payments/{id}/consent-check', { id }, {})}
    />
  );
}
