import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { decimalOf } from '../../../domain/money';
import { api, ApiError, ask, post } from '../../client';
import { money, type MoneyValue } from '../../format';
import { Confirm, Empty, ErrorNote, Field, offerUndo } from '../../parts';
import { may } from '../../session';
import { useInvalidation } from '../../stream';
import { Action } from '../common/action';
import { allowedTexts } from '../dialogs/subscription';
import { AMOUNT_EXPECTED, centsOf } from '../common/typed';
import { Shown } from '../common/answers';
import { type RepeatKey, useRepeatKey } from '../../repeat-key';
import type { AmountChange, Subscription } from '../common/schemas';
import { amountsOf, beforeFirst, effectsOf } from './next';

const CHANGES = ['subscription', 'subscriptions'];

interface OfSubscription {
  readonly subscription: Subscription;
}

/** Shows the effect of a change before it is made, or the rule that forbids it. */
export function ChangeAmount({ subscription }: OfSubscription) {
  const [isOpen, setOpen] = useState(false);
  const repeatKey = useRepeatKey();
  if (!may('changeAmount')) return null;
  const close = () => {
    setOpen(false);
    repeatKey.leave();
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Change amount
      </button>
      {isOpen ? <ChangeDialog subscription={subscription} repeatKey={repeatKey} onClose={close} /> : null}
    </>
  );
}

/** The requested change, without its reason. */
interface RequestedChange {
  readonly cents: number | null;
  /** Undefined for the next cycle. */
  readonly fromCycle: number | undefined;
}

interface ChangeDialogProps extends OfSubscription {
  /** The Idempotency-Key. It survives the dialog, so that a repetition after a lost answer is not another change. */
  readonly repeatKey: RepeatKey;
  readonly onClose: () => void;
}

function ChangeDialog({ subscription, repeatKey, onClose }: ChangeDialogProps) {
  const { subscriptionId: id, amount: current } = subscription;
  const [amount, setAmount] = useState('');
  const [fromCycle, setFromCycle] = useState('');
  const [reason, setReason] = useState('');
  const cents = centsOf(amount);
  // A cycle cannot collect 0.
  const requested = { cents: cents === 0 ? null : cents, fromCycle: fromCycle === '' ? undefined : Number(fromCycle) };
  const dryRun = useDryRun(id, requested);
  const invalidate = useInvalidation(CHANGES);
  const change = async () => {
    const how = { dryRun: false, reason: reason.trim() === '' ? undefined : reason.trim() };
    const made = await repeatKey.use((key) => requestChange(id, requested, how, key));
    // A change that replaced another cannot be undone: the other one would not come back.
    if (made.kind !== 'unchanged' && subscription.pendingAmountChange === undefined) offerWithdrawal(id, made);
    await invalidate();
  };
  return (
    <Confirm
      title="Change the amount"
      action="Change amount"
      onClose={onClose}
      run={change}
      isUnready={dryRun.data === undefined || dryRun.isWaiting}
      consequences={
        <DryRunResult
          of={dryRun}
          hasAmount={requested.cents !== null}
          hasPending={subscription.pendingAmountChange !== undefined}
          consentAmount={subscription.consentAmount}
        />
      }
    >
      <p>
        {amountsOf(subscription)} The payer’s consent is for {money(subscription.consentAmount)}.
      </p>
      <Field label="New amount, in euros" hint={`Such as ${decimalOf(current)}.`} error={faultOf(amount)}>
        <input
          inputMode="decimal"
          name="amount"
          autocomplete="off"
          value={amount}
          onInput={(event) => setAmount(event.currentTarget.value)}
        />
      </Field>
      <Field label="From cycle" hint="If empty, from the next cycle.">
        <input
          type="number"
          min={0}
          max={100_000}
          value={fromCycle}
          onInput={(event) => setFromCycle(event.currentTarget.value)}
        />
      </Field>
      <Field label="Reason" hint="Optional. Recorded in the audit log with your name.">
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
        throw new Error('It can no longer be undone: the pending change was replaced, withdrawn or applied meanwhile.');
      await ask(api.DELETE('/v1/subscriptions/{id}/amount-changes/pending', { params }));
    },
  });
}

/** Ms without a keystroke after which the dry run is made. */
const TYPING_ENDED_AFTER = 300;

/** A dry run of the typed change. */
function useDryRun(id: string, requested: RequestedChange) {
  const { cents, fromCycle } = requested;
  const [typed, setTyped] = useState<RequestedChange>(requested);
  useEffect(() => {
    const timer = setTimeout(() => setTyped({ cents, fromCycle }), TYPING_ENDED_AFTER);
    return () => clearTimeout(timer);
  }, [cents, fromCycle]);
  const isWaiting = typed.cents !== cents || typed.fromCycle !== fromCycle;
  const { data, error } = useQuery({
    queryKey: ['subscription', id, 'verdict', typed.cents, typed.fromCycle],
    queryFn: () => requestChange(id, typed, { dryRun: true, reason: undefined }),
    enabled: typed.cents !== null,
    retry: false,
    staleTime: 0,
  });
  return isWaiting ? { data: undefined, error: null, isWaiting } : { data, error, isWaiting };
}

async function requestChange(
  id: string,
  { cents, fromCycle }: RequestedChange,
  how: { dryRun: boolean; reason: string | undefined },
  key?: string,
) {
  const body = { amount: { value: cents ?? 0, currency: 'EUR' as const }, fromCycle, ...how };
  return post('/v1/subscriptions/{id}/amount-changes', { id }, body, key);
}

interface DryRunResultProps {
  readonly of: { readonly data: AmountChange | undefined; readonly error: unknown };
  readonly hasAmount: boolean;
  /** Whether another change is pending. */
  readonly hasPending: boolean;
  readonly consentAmount: MoneyValue;
}

function DryRunResult({ of: dryRun, hasAmount, hasPending, consentAmount }: DryRunResultProps) {
  if (!hasAmount) return <Empty>Enter an amount to see the effect of the change.</Empty>;
  if (dryRun.error instanceof ApiError) return <Refused error={dryRun.error} consentAmount={consentAmount} />;
  return (
    <Shown what="the effect of the change" of={dryRun}>
      {(change) => effectsOf(change, hasPending).map((each) => <p key={each}>{each}</p>)}
    </Shown>
  );
}

/** What is wrong with the typed amount. */
function faultOf(amount: string): string | undefined {
  const cents = centsOf(amount);
  if (cents === 0) return 'Enter an amount above 0. To collect nothing, pause or cancel the subscription.';
  return amount !== '' && cents === null ? AMOUNT_EXPECTED : undefined;
}

/** Why the change is not accepted, and what would be allowed, and from what time. */
function Refused({ error, consentAmount }: { readonly error: ApiError; readonly consentAmount: MoneyValue }) {
  if (error.more['rule'] === 'first_payment') return <ErrorNote error={beforeFirst(consentAmount)} />;
  const allowed = allowedTexts(error.more);
  return (
    <>
      <ErrorNote error={error} />
      {allowed.length === 0 ? null : (
        <ul>
          {allowed.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Withdraws a pending change that has not taken effect yet. */
export function WithdrawChange({ subscription: { subscriptionId: id, pendingAmountChange } }: OfSubscription) {
  if (pendingAmountChange === undefined) return null;
  const { amount, previousAmount, fromCycle } = pendingAmountChange;
  return (
    <Action
      label="Withdraw change"
      title="Withdraw the amount change"
      needs="withdrawAmountChange"
      changes={CHANGES}
      consequences={
        <p>
          Cycle {fromCycle} collects {money(previousAmount)} instead of {money(amount)}.
        </p>
      }
      run={() => ask(api.DELETE('/v1/subscriptions/{id}/amount-changes/pending', { params: { path: { id } } }))}
    />
  );
}
