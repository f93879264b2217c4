import { post } from '../../client';
import { instant, money } from '../../format';
import { announce, Field, Instant, StatusBadge } from '../../parts';
import { Action, ReasonField, requiredText, textOf } from '../common/action';
import { pathTo } from '../common/address';
import { Id } from '../common/facts';
import type { Cycle } from '../common/schemas';

interface OfCycle {
  readonly id: string;
  readonly cycle: Pick<Cycle, 'cycle' | 'amount'>;
}

/** Opens a session in which the payer pays a cycle that was not collected. The page of the payment has the session's address. */
export function PayByLink({ id, cycle: { cycle: n, amount } }: OfCycle) {
  return (
    <Action
      label="Payment link"
      title={`Let the payer pay cycle ${n}`}
      action="Create the link"
      needs="createPaymentLink"
      changes={['subscription', 'subscriptions', 'payments']}
      consequences={
        <p>
          The payer can pay {money(amount)} once, within 10 minutes. No later cycle changes. The address for the payer
          is on the page of the payment, which the cycle links to.
        </p>
      }
      run={async (form, key) => {
        const body = { returnURL: requiredText(form, 'returnURL'), reason: textOf(form, 'reason') };
        const link = await post('/v1/subscriptions/{id}/cycles/{n}/payment-link', { id, n }, body, key);
        announce(`The payer can pay until ${instant(link.expiresAt)}, at ${link.redirectURL}`);
      }}
    >
      <Field label="Return address" hint="Where the payer returns after paying: an https address of your shop.">
        <input name="returnURL" type="url" required maxLength={2048} autocomplete="off" />
      </Field>
      <ReasonField />
    </Action>
  );
}

/** The newest link of a cycle, with its payment. */
export function PaymentLink({ of }: { readonly of: NonNullable<Cycle['paymentLink']> }) {
  const { paymentId, state, createdAt, paidAt } = of;
  return (
    <p class="muted">
      Payment link of <Instant at={createdAt} /> <StatusBadge status={state} />{' '}
      {paidAt === undefined ? null : (
        <>
          Paid on <Instant at={paidAt} />.{' '}
        </>
      )}
      <Id of={paymentId} to={pathTo('payments', paymentId)} />
    </p>
  );
}
