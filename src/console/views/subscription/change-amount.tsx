import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { api, ApiError, ask, post } from '../../client';
import { instant, money, type MoneyValue } from '../../format';
import { Confirm, Empty, ErrorNote, Field, offerUndo } from '../../parts';
import { may } from '../../session';
import { useInvalidation } from '../../stream';
import { Action } from '../common/action';
import { AMOUNT_EXPECTED, centsOf, typedCents } from '../common/typed';
import { Shown } from '../common/answers';
import type { AmountChange, Subscription } from '../common/schemas';

const CHANGES = ['subscription', 'subscriptions'];

interface OfSubscription {
  readonly subscription: Subscription;
}

/** Says what a change would be before it is made, and which rule forbids it. */
export function ChangeAmount({ subscription }: OfSubscription) {
  const [isOpen, setOpen] = useState(false);
  if (!may('changeAmount')) return null;
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Change amount
      </button>
      {isOpen ? <ChangeDialog subscription={subscription} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** The change that is ordered, but for its reason, as it is judged. */
interface Wanted {
  readonly cents: number | null;
  /** The next one where it is undefined. */
  readonly fromCycle: number | undefined;
}

function ChangeDialog({ subscription, onClose }: OfSubscription & { readonly onClose: () => void }) {
  const { subscriptionId: id, amount: current } = subscription;
  const [amount, setAmount] = useState('');
  const [fromCycle, setFromCycle] = useState('');
  const [reason, setReason] = useState('');
  const wanted = { cents: centsOf(amount), fromCycle: fromCycle === '' ? undefined : Number(fromCycle) };
  const verdict = useVerdict(id, wanted);
  const invalidate = useInvalidation(CHANGES);
  const change = async () => {
    const ordered = await order(id, wanted, {
      dryRun: false,
      reason: reason.trim() === '' ? undefined : reason.trim(),
    });
    // One that took the place of another cannot be undone: that one would not come back.
    if (ordered.kind !== 'unchanged' && subscription.pendingAmountChange === undefined) offerWithdrawal(id, ordered);
    await invalidate();
  };
  return (
    <Confirm
      title="Change the amount"
      action="Change amount"
      onClose={onClose}
      run={change}
      isUnready={verdict.data === undefined || verdict.isWaiting}
      consequences={<Verdict of={verdict} isAsked={wanted.cents !== null} />}
    >
      <p>
        The next cycle collects {money(current)}; the consent is over {money(subscription.consentAmount)}.
      </p>
      <Field
        label="New amount, in euros"
        hint={`Such as ${typedCents(current.value)}.`}
        error={amount !== '' && wanted.cents === null ? AMOUNT_EXPECTED : undefined}
      >
        <input
          inputMode="decimal"
          name="amount"
          autocomplete="off"
          value={amount}
          onInput={(event) => setAmount(event.currentTarget.value)}
        />
      </Field>
      <Field label="From cycle" hint="Left empty, from the next one on.">
        <input
          type="number"
          min={0}
          max={100_000}
          value={fromCycle}
          onInput={(event) => setFromCycle(event.currentTarget.value)}
        />
      </Field>
      <Field label="Reason" hint="Optional. Kept in the audit log, with your name.">
        <input
          autocomplete="off"
          maxLength={500}
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </Field>
    </Confirm>
  );
}

function offerWithdrawal(id: string, { amount, fromCycle }: AmountChange) {
  const params = { path: { id } };
  offerUndo({
    says: `${id} collects ${money(amount)} from cycle ${fromCycle} on.`,
    changes: CHANGES,
    undo: async () => {
      const { pendingAmountChange: pending } = await ask(api.GET('/v1/subscriptions/{id}', { params }));
      if (pending?.fromCycle !== fromCycle || pending.amount.value !== amount.value)
        throw new Error('It can no longer be undone: another change stands by now, or none.');
      await ask(api.DELETE('/v1/subscriptions/{id}/amount-changes/pending', { params }));
    },
  });
}

/** Ms without a keystroke after which the change is judged. */
const SETTLED_AFTER = 300;

/** A dry run of what is typed. */
function useVerdict(id: string, wanted: Wanted) {
  const { cents, fromCycle } = wanted;
  const [settled, settle] = useState<Wanted>(wanted);
  useEffect(() => {
    const timer = setTimeout(() => settle({ cents, fromCycle }), SETTLED_AFTER);
    return () => clearTimeout(timer);
  }, [cents, fromCycle]);
  const isWaiting = settled.cents !== cents || settled.fromCycle !== fromCycle;
  const { data, error } = useQuery({
    queryKey: ['subscription', id, 'verdict', settled.cents, settled.fromCycle],
    queryFn: () => order(id, settled, { dryRun: true, reason: undefined }),
    enabled: settled.cents !== null,
    retry: false,
    staleTime: 0,
  });
  return isWaiting ? { data: undefined, error: null, isWaiting } : { data, error, isWaiting };
}

async function order(id: string, { cents, fromCycle }: Wanted, how: { dryRun: boolean; reason: string | undefined }) {
  const body = { amount: { value: cents ?? 0, currency: 'EUR' as const }, fromCycle, ...how };
  return post('/v1/subscriptions/{id}/amount-changes', { id }, body);
}

interface VerdictProps {
  readonly of: { readonly data: AmountChange | undefined; readonly error: unknown };
  readonly isAsked: boolean;
}

function Verdict({ of: verdict, isAsked }: VerdictProps) {
  if (!isAsked) return <Empty>What the change leads to is said here before it is made.</Empty>;
  if (verdict.error instanceof ApiError) return <Refused fault={verdict.error} />;
  return (
    <Shown what="what it would be" of={verdict}>
      {(change) => <Allowed change={change} />}
    </Shown>
  );
}

function Allowed({ change }: { readonly change: AmountChange }) {
  const { kind, amount, previousAmount, fromCycle, effectiveAt, countsAsIncrease, nextIncreaseAllowedFrom } = change;
  if (kind === 'unchanged')
    return <p>This is the amount of today. A pending change that no cycle has begun with is taken back by it.</p>;
  return (
    <>
      <p>
        {kind === 'increase' ? 'An increase' : 'A reduction'} from {money(previousAmount)} to {money(amount)}, from
        cycle {fromCycle} on, due {instant(effectiveAt)}. Until that cycle is tried it can be taken back.
      </p>
      {countsAsIncrease ? (
        <p>
          It counts as the one increase in six months
          {nextIncreaseAllowedFrom === undefined
            ? ''
            : `; the next one is allowed from ${instant(nextIncreaseAllowedFrom)}`}
          . The payer is notified before it.
        </p>
      ) : null}
    </>
  );
}

/** The refusal, and what would be allowed, from when. */
function Refused({ fault }: { readonly fault: ApiError }) {
  const { rule, highestAllowed, allowedFrom, newConsentRequired } = fault.more;
  return (
    <>
      <ErrorNote error={fault} />
      {rule === undefined ? null : (
        <ul>
          {isMoney(highestAllowed) ? <li>At most {money(highestAllowed)} is allowed for this cycle.</li> : null}
          {typeof allowedFrom === 'string' ? <li>More is allowed from {instant(allowedFrom)}.</li> : null}
          {newConsentRequired === true ? <li>For this amount the payer has to approve a new subscription.</li> : null}
        </ul>
      )}
    </>
  );
}

function isMoney(value: unknown): value is MoneyValue {
  return typeof value === 'object' && value !== null && 'value' in value && 'currency' in value;
}

/** Takes back what no cycle has frozen yet. */
export function WithdrawChange({ subscription: { subscriptionId: id, pendingAmountChange } }: OfSubscription) {
  if (pendingAmountChange === undefined) return null;
  const { amount, previousAmount, fromCycle } = pendingAmountChange;
  return (
    <Action
      label="Take change back"
      title="Take the change of amount back"
      needs="withdrawAmountChange"
      changes={CHANGES}
      consequences={
        <p>
          Cycle {fromCycle} collects {money(previousAmount)} again, in place of {money(amount)}.
        </p>
      }
      run={() => ask(api.DELETE('/v1/subscriptions/{id}/amount-changes/pending', { params: { path: { id } } }))}
    />
  );
}
