import { formatMoney, type Money } from '../money';
import { DAY, HOUR, type Instant, toIso } from '../time';
import {
  type AmountRule,
  type AmountVerdict,
  nextIncreaseAt,
  type RefusedAmount,
  currentAmount,
  lastIncreaseOf,
  verdictOn,
} from './amount';
import { changeFor, DROPPED, firstUnfrozen } from './pending-change';
import { withoutAttentionItem } from './attention-items';
import { conflict, type Refusal, refuseFarAhead, refuseEndedCycle } from './requests';
import { dueAt } from './schedule';
import { isTerminal, type OpenCycle, type PendingAttempt, type PendingChange, type SubscriptionState } from './state';

/**
 * The minimum time to deliver the notice of an increase: the old amount is collected if it is not delivered by then
 * (rule 21).
 */
const MIN_NOTICE = HOUR;

/** How long before its collection an increase is announced, in ms: the configured days, but at least an hour. */
export function announceAheadOf(days: number): number {
  return Math.max(MIN_NOTICE, days * DAY);
}

/** A requested change of the amount. */
export interface ChangeRequest {
  readonly amount: Money;
  /** Null: from the next cycle. */
  readonly fromCycle: number | null;
  /** How long before its collection an increase is announced to the payer, ms. */
  readonly announceAhead: number;
}

/** An accepted change, as the API returns it. */
export interface AmountChange extends Omit<PendingChange, 'requestedAt' | 'announceAt' | 'announcement' | 'earlier'> {
  /** When the next increase that counts is expected to be allowed; null if no earlier increase restricts it. */
  readonly nextIncreaseAllowedFrom: Instant | null;
}

export type ChangeJudgement =
  | { readonly kind: 'allowed'; readonly change: AmountChange }
  | { readonly kind: 'forbidden'; readonly verdict: RefusedAmount; readonly amount: Money }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Judges whether the change is allowed, and what would change (rules 19 to 21). */
export function judgeChange(state: SubscriptionState, request: ChangeRequest): ChangeJudgement {
  const fromCycle = request.fromCycle ?? firstUnfrozen(state);
  const refusal = refuseFrom(state, fromCycle);
  if (refusal !== null) return { kind: 'refused', refusal };
  const verdict = verdictOn(state, request.amount, fromCycle);
  if (verdict.kind === 'refused') return { kind: 'forbidden', verdict, amount: request.amount };
  return { kind: 'allowed', change: changeOf(state, request.amount, fromCycle, verdict) };
}

function refuseFrom(state: SubscriptionState, fromCycle: number): Refusal | null {
  const ended = refuseEndedCycle(state, fromCycle);
  if (ended !== null) return ended;
  if (fromCycle < firstUnfrozen(state))
    return conflict(`the amount of cycle ${fromCycle} is frozen: the cycle has started`);
  return refuseFarAhead(state, fromCycle);
}

/** The accepted change that is pending, as the API returns it; null if there is none. */
export function acceptedChange(state: SubscriptionState): AmountChange | null {
  const { pendingChange } = state;
  if (pendingChange === null) return null;
  const { amount, previousAmount, fromCycle, effectiveAt, kind, countsAsIncrease } = pendingChange;
  const increasedAt = countsAsIncrease ? effectiveAt : lastIncreaseOf(state);
  const nextIncreaseAllowedFrom = nextIncreaseAt(increasedAt);
  return { amount, previousAmount, fromCycle, effectiveAt, kind, countsAsIncrease, nextIncreaseAllowedFrom };
}

function changeOf(
  state: SubscriptionState,
  amount: Money,
  fromCycle: number,
  verdict: AmountVerdict & { kind: 'allowed' },
): AmountChange {
  const effectiveAt = dueAt(state.terms, fromCycle);
  const increasedAt = verdict.counts ? Math.max(effectiveAt, verdict.notBefore ?? effectiveAt) : lastIncreaseOf(state);
  return {
    amount,
    previousAmount: currentAmount(state),
    fromCycle,
    effectiveAt,
    kind: verdict.change,
    countsAsIncrease: verdict.counts,
    nextIncreaseAllowedFrom: nextIncreaseAt(increasedAt),
  };
}

/**
 * Stores a change until a cycle has collected it. A change to the current amount only withdraws a pending one.
 * @param frozen a pending change that remains and is not withdrawn, see {@link frozenChange}; null if there is none
 */
export function acceptChange(
  state: SubscriptionState,
  change: AmountChange,
  announceAhead: number,
  now: Instant,
  frozen: PendingChange | null,
): SubscriptionState {
  const settled = withoutAttentionItem(state, DROPPED);
  if (change.kind === 'unchanged') return { ...settled, pendingChange: frozen };
  const { amount, previousAmount, fromCycle, effectiveAt, kind, countsAsIncrease } = change;
  const pendingChange: PendingChange = {
    requestedAt: now,
    amount,
    previousAmount,
    fromCycle,
    effectiveAt,
    kind,
    countsAsIncrease,
    announceAt: Math.max(now, effectiveAt - announceAhead),
    announcement: kind === 'increase' ? { kind: 'due' } : { kind: 'not_needed' },
    ...(frozen === null ? {} : { earlier: frozen }),
  };
  return { ...settled, pendingChange };
}

/** The pending change that a cycle in progress has frozen: if that cycle fails, the change remains for the next one (rule 21). */
export function frozenChange(state: SubscriptionState): PendingChange | null {
  const underWay = latestUnderWay(state);
  return underWay === undefined ? null : changeFor(state, underWay.cycle);
}

function latestUnderWay({ open, pending }: SubscriptionState): OpenCycle | PendingAttempt | undefined {
  return open ?? pending.at(-1);
}

/** Why the pending change cannot be withdrawn; null if it can, because no cycle has frozen it (rule 21). */
export function refuseWithdrawal(state: SubscriptionState): Refusal | null {
  const { pendingChange } = state;
  if (pendingChange === null) return conflict('no amount change is pending');
  if (isTerminal(state.status)) return conflict(`the subscription is ${state.status}`);
  if (state.cancellation !== null) return conflict('the subscription is being cancelled');
  const underWay = latestUnderWay(state);
  if (underWay !== undefined && underWay.cycle >= pendingChange.fromCycle) {
    return conflict(`cycle ${underWay.cycle} has frozen the change: its first attempt has started`);
  }
  return null;
}

/** Why the change is refused; null if it is allowed. */
export function refuseChange(state: SubscriptionState, request: ChangeRequest): Refusal | null {
  const judgement = judgeChange(state, request);
  return judgement.kind === 'allowed' ? null : refusalOf(judgement);
}

export function refusalOf(judgement: Exclude<ChangeJudgement, { kind: 'allowed' }>): Refusal {
  if (judgement.kind === 'refused') return judgement.refusal;
  const { amount, verdict } = judgement;
  return { code: 'amount_change_not_allowed', message: describeVerdict(amount, verdict), verdict };
}

/** A refusal as text, with what would be allowed instead. */
function describeVerdict(amount: Money, verdict: RefusedAmount): string {
  const instead = `the highest amount allowed for that cycle is ${formatMoney(verdict.highestAllowed)}`;
  return `${formatMoney(amount)} is not allowed: ${RULES[verdict.rule]}; ${instead}${remedyOf(verdict)}`;
}

function remedyOf({ allowedFrom, newConsentRequired }: RefusedAmount): string {
  if (newConsentRequired) return '; more needs a new consent';
  return allowedFrom === null ? '' : `; more is allowed from ${toIso(allowedFrom)} on`;
}

const RULES: Readonly<Record<AmountRule, string>> = {
  first_payment: 'the first payment must equal the consent amount exactly, and none has been collected yet',
  cap: 'it exceeds the maximum amount for an increase with this repetition',
  consent_above_cap: 'the consent amount exceeds the maximum amount for an increase with this repetition',
  six_months: 'an increase is allowed at most once every 6 months',
};
