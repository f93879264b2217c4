import { useState } from 'preact/hooks';
import { decimalOf } from '../../../domain/money';
import { post } from '../../client';
import { instant, money } from '../../format';
import { announce, Consequences, Field } from '../../parts';
import { Action, AmountField, EvidenceField, instantOf, ReasonField, requiredText, textOf } from '../common/action';
import { useToday } from '../common/answers';
import { leftToRefund, refundingText, refundText } from '../dialogs/money';
import { retryTexts, skipText } from '../dialogs/subscription';
import { ReversedElsewhere } from '../money/reversed';
import { amountOf } from '../common/typed';
import type { Attention, Cycle, ScheduledCycle } from '../common/schemas';
import { resolutionsOf } from './offered';

const CHANGES = ['subscription', 'subscriptions', 'attention', 'transactions'];

interface OfCycle<C> {
  readonly id: string;
  readonly cycle: C;
}

export function Skip({
  id,
  cycle: { cycle: n, dueAt, amount },
}: OfCycle<Pick<ScheduledCycle, 'cycle' | 'dueAt' | 'amount'>>) {
  return (
    <Action
      label="Skip"
      title={`Skip cycle ${n}`}
      action={`Skip cycle ${n}`}
      needs="skipCycle"
      isGrave
      changes={CHANGES}
      consequences={<p>{skipText({ dueAt, amount })}</p>}
      run={(form, key) =>
        post('/v1/subscriptions/{id}/cycles/{n}/skip', { id, n }, { reason: textOf(form, 'reason') }, key)
      }
    >
      <ReasonField />
    </Action>
  );
}

/** Moves the first attempt within the collection window, for a payer who has asked for another day. */
export function Postpone({
  id,
  cycle: { cycle: n, dueAt, collectBy, amount, postponedUntil },
}: OfCycle<Pick<ScheduledCycle, 'cycle' | 'dueAt' | 'collectBy' | 'amount' | 'postponedUntil'>>) {
  return (
    <Action
      label="Postpone"
      title={`Postpone cycle ${n}`}
      needs="postponeCycle"
      changes={CHANGES}
      consequences={
        <p>
          The first attempt to collect {money(amount)}, due {instant(dueAt)}, is made at the time you choose, before{' '}
          {instant(collectBy)}
          {postponedUntil === undefined ? '' : `, instead of at ${instant(postponedUntil)}`}. The due date and all other
          cycles stay as they are.
        </p>
      }
      run={async (form, key) => {
        const until = instantOf(form, 'until') ?? dueAt;
        const body = { until, reason: textOf(form, 'reason') };
        await post('/v1/subscriptions/{id}/cycles/{n}/postpone', { id, n }, body, key);
        announce(
          until === dueAt
            ? `Cycle ${n} is collected at its due date.`
            : `The first attempt is made at ${instant(until)}.`,
        );
      }}
    >
      <Field label="Until" hint="In your local time. If empty, it is collected at its due date again.">
        <input type="datetime-local" name="until" />
      </Field>
      <ReasonField />
    </Action>
  );
}

interface RetryProps extends OfCycle<Cycle> {
  /** An open item that suggests that the payer has already paid the cycle; undefined if there is none. */
  readonly warning: Pick<Attention, 'title'> | undefined;
}

function PossiblyPaid({ by }: { readonly by: RetryProps['warning'] }) {
  if (by === undefined) return null;
  return (
    <p class="note note-error">
      The payer may already have paid this cycle, and a retry could debit twice. Check the open item first: {by.title}.
    </p>
  );
}

export function Retry({ id, cycle, warning }: RetryProps) {
  const { cycle: n } = cycle;
  const isHalted = useToday().data?.halted != null;
  return (
    <Action
      label="Retry"
      title={`Retry cycle ${n}`}
      isMain={warning === undefined}
      isGrave={warning !== undefined}
      needs="retryCycle"
      changes={CHANGES}
      consequences={
        <>
          <PossiblyPaid by={warning} />
          <Consequences of={retryTexts(cycle, isHalted)} />
        </>
      }
      run={(form, key) => {
        const body = { at: instantOf(form, 'at'), reason: requiredText(form, 'reason') };
        return post('/v1/subscriptions/{id}/cycles/{n}/retry', { id, n }, body, key);
      }}
    >
      <Field label="At" hint="In your local time. If empty, it is retried now.">
        <input type="datetime-local" name="at" />
      </Field>
      <ReasonField isRequired />
    </Action>
  );
}

interface ResolveProps extends OfCycle<Pick<Cycle, 'cycle' | 'amount'>> {
  /** The payer's name; the subscription's id by default. */
  readonly who: string | undefined;
  /** The previous cycle, if a debit that this cycle has adopted may have paid the previous one instead (rule 40). */
  readonly previous?: number | null;
}

/** An operator's decision on an attempt with an unknown outcome, or on an adopted debit. Nothing is preselected. */
export function Resolve({ id, who = id, cycle: { cycle: n, amount }, previous = null }: ResolveProps) {
  const [outcome, setOutcome] = useState<'' | 'collected' | 'failed'>('');
  // The ids of an adopted debit are known.
  const hasIds = outcome === 'collected' && previous === null;
  const { follows, collected, failed } = resolutionsOf({ cycle: n, amount }, previous);
  return (
    <Action
      label="Resolve"
      title={`Resolve cycle ${n} of ${who}`}
      action={outcome === '' ? 'Resolve' : `Resolve as ${outcome}`}
      needs="resolveCycle"
      isMain
      isGrave
      isUnready={outcome === ''}
      changes={CHANGES}
      consequences={<p>{follows[outcome]}</p>}
      run={async (form, key) => {
        if (outcome === '') throw new Error('Choose an outcome.');
        const ids = hasIds
          ? { authorizationId: textOf(form, 'authorizationId'), captureId: textOf(form, 'captureId') }
          : {};
        const paid = outcome === 'failed' && previous !== null ? { paidCycle: previous } : {};
        const body = { outcome, evidence: requiredText(form, 'evidence'), ...ids, ...paid };
        await post('/v1/subscriptions/{id}/cycles/{n}/resolve', { id, n }, body, key);
        announce(`${who}, cycle ${n}: ${follows[outcome]}`);
      }}
    >
      <Field label="Outcome">
        <select required value={outcome} onChange={(event) => setOutcome(event.currentTarget.value as typeof outcome)}>
          <option value="">Choose an outcome</option>
          <option value="collected">collected: {collected}</option>
          <option value="failed">failed: {failed}</option>
        </select>
      </Field>
      <EvidenceField />
      {hasIds ? (
        <>
          <Field label="Authorization ID" hint="The payment service’s ID, if you found it.">
            <input name="authorizationId" autocomplete="off" />
          </Field>
          <Field label="Capture ID" hint="The payment service’s ID. A refund needs it.">
            <input name="captureId" autocomplete="off" />
          </Field>
        </>
      ) : null}
    </Action>
  );
}

/** Refunds a cycle that was collected or paid by a link, at most what earlier refunds have left. */
export function Refund({ id, cycle }: OfCycle<Cycle>) {
  const { cycle: n, attempts, paymentLink } = cycle;
  const left = leftToRefund(cycle);
  if (left.value <= 0) return null;
  return (
    <Action
      label="Refund"
      title={`Refund cycle ${n}`}
      needs="refundCycle"
      isGrave
      changes={CHANGES}
      consequences={
        <>
          <p>{refundText(left)}</p>
          {/* A cycle paid by a link is refunded through the one-time payment of that link. */}
          {paymentLink?.state === 'paid' ? (
            <ReversedElsewhere of={{ paymentId: paymentLink.paymentId }} captures={null} />
          ) : (
            <ReversedElsewhere of={{ subscriptionId: id }} captures={attempts.map(({ captureId }) => captureId)} />
          )}
        </>
      }
      run={async (form, key) => {
        const body = { amount: amountOf(requiredText(form, 'amount')), reason: textOf(form, 'reason') };
        const { warnings = [] } = await post('/v1/subscriptions/{id}/cycles/{n}/refunds', { id, n }, body, key);
        announce(`${refundingText(body.amount)} The cycle shows when the refund is complete.`, warnings);
      }}
    >
      <AmountField label="Amount, in euros" start={decimalOf(left)} />
      <ReasonField />
    </Action>
  );
}
