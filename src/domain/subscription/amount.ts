import { euros, type Money, sameMoney } from '../money';
import { HOUR, type Instant } from '../time';
import { withAttentionItem } from './pauses';
import { addMonths, collectionWindow, type CollectionWindow, dueAt, INTERVALS, type Repetition } from './schedule';
import type { PendingAttempt, PendingChange, SubscriptionState } from './state';

/** "Amount increase: allowed not more than once every 6 months" (reference, Subscription limits 3). */
const MONTHS_BETWEEN_INCREASES = 6;
/** A cycle may take an increase that becomes free this long after its due date; its first attempt waits (rule 20). */
export const INCREASE_GRACE = 24 * HOUR;

export function increaseCap(repetition: Repetition): Money {
  return euros(INTERVALS[repetition].cap);
}

export type AmountRule = 'first_payment' | 'cap' | 'consent_above_cap' | 'six_months';

/** What a change of amount is judged by. */
export interface AmountQuestion {
  readonly repetition: Repetition;
  readonly consentAmount: Money;
  /** The last collected amount, or the frozen amount of an open cycle (rule 21). */
  readonly current: Money;
  readonly collectedOnce: boolean;
  /** createdAt of the first successful authorization at the last counted increase; null where there was none. */
  readonly lastIncreaseAt: Instant | null;
  readonly amount: Money;
  /** Of the cycle that is to take it. */
  readonly dueAt: Instant;
  /** Nothing of that cycle is sent at or after it. */
  readonly sendBefore: Instant;
}

export type AmountVerdict =
  | {
      readonly kind: 'allowed';
      readonly change: 'increase' | 'reduction' | 'unchanged';
      /** Whether the six-month rule counts it. */
      readonly counts: boolean;
      /** The cycle's first attempt waits for it; null where it need not. */
      readonly notBefore: Instant | null;
    }
  | RefusedAmount;

export interface RefusedAmount {
  readonly kind: 'refused';
  readonly rule: AmountRule;
  /** The highest amount that this cycle may collect. */
  readonly highestAllowed: Money;
  /** From when on time heals it; null where it does not. */
  readonly allowedFrom: Instant | null;
  readonly newConsentRequired: boolean;
}

/** Whether a cycle may collect the amount (rules 9, 19, 20). */
export function judgeAmount(question: AmountQuestion): AmountVerdict {
  const { amount, current, consentAmount, collectedOnce } = question;
  if (amount.value === current.value) return allowed('unchanged', false, null);
  if (!collectedOnce) return refused('first_payment', consentAmount, null, false);
  if (amount.value < current.value) return allowed('reduction', false, null);
  if (amount.value <= consentAmount.value) return allowed('increase', false, null);
  return judgeCountedIncrease(question);
}

/** Beyond the consent amount: cap, consent below the cap, six months since the last one. */
function judgeCountedIncrease(question: AmountQuestion): AmountVerdict {
  const cap = increaseCap(question.repetition);
  if (question.consentAmount.value > cap.value) return refused('consent_above_cap', freeAmount(question), null, true);
  const freeFrom = nextIncreaseAt(question.lastIncreaseAt);
  const inTime = freeFrom === null || isInTime(freeFrom, question);
  const highest = inTime ? higher(cap, freeAmount(question)) : freeAmount(question);
  if (question.amount.value > cap.value) return refused('cap', highest, null, true);
  if (!inTime) return refused('six_months', highest, freeFrom, false);
  const waits = freeFrom !== null && freeFrom > question.dueAt;
  return allowed('increase', true, waits ? freeFrom : null);
}

function isInTime(freeFrom: Instant, { dueAt, sendBefore }: AmountQuestion): boolean {
  return freeFrom <= dueAt || (freeFrom <= dueAt + INCREASE_GRACE && freeFrom < sendBefore);
}

/** Whether the six-month rule counts a cycle collected at `amount` after one at `current` (rule 19). */
export function isCountedIncrease(amount: Money, current: Money, consentAmount: Money): boolean {
  return amount.value > current.value && amount.value > consentAmount.value;
}

/** When the next counted increase is allowed: six calendar months after the last; null where there was none. */
export function nextIncreaseAt(lastIncreaseAt: Instant | null): Instant | null {
  return lastIncreaseAt === null ? null : addMonths(lastIncreaseAt, MONTHS_BETWEEN_INCREASES);
}

/** Up to it, nothing counts. */
function freeAmount({ consentAmount, current }: AmountQuestion): Money {
  return higher(consentAmount, current);
}

function higher(a: Money, b: Money): Money {
  return a.value >= b.value ? a : b;
}

function allowed(
  change: 'increase' | 'reduction' | 'unchanged',
  counts: boolean,
  notBefore: Instant | null,
): AmountVerdict {
  return { kind: 'allowed', change, counts, notBefore };
}

function refused(
  rule: AmountRule,
  highestAllowed: Money,
  allowedFrom: Instant | null,
  newConsentRequired: boolean,
): AmountVerdict {
  return { kind: 'refused', rule, highestAllowed, allowedFrom, newConsentRequired };
}

/** What a change is measured against: the amount of a cycle under way, else what was collected last (rule 21). */
export function currentAmount(state: SubscriptionState): Money {
  return state.open?.amount ?? latestPending(state)?.amount ?? state.current;
}

/** The latest cycle that is pending past its window, unless a later one has been authorized since. */
function latestPending(state: SubscriptionState): PendingAttempt | undefined {
  if (state.currentOf === undefined) return state.pending.at(-1);
  return state.pending
    .filter(({ cycle }) => isCurrentOnceAuthorized(state, cycle))
    .toSorted((one, other) => one.cycle - other.cycle)
    .at(-1);
}

/** Whether no later cycle has been authorized. Where that is not known, one in between counts as such. */
function isCurrentOnceAuthorized({ currentOf, cycle: next, open }: SubscriptionState, cycle: number): boolean {
  if (currentOf === undefined) return cycle === next - 1 && open === null;
  return currentOf === null ? cycle === next - 1 : cycle > currentOf;
}

export function verdictOn(state: SubscriptionState, amount: Money, cycle: number): AmountVerdict {
  const window = collectionWindow(state.terms, cycle);
  return judgeAmount({
    repetition: state.terms.repetition,
    consentAmount: state.terms.consentAmount,
    current: currentAmount(state),
    collectedOnce: state.collectedOnce,
    lastIncreaseAt: lastIncreaseOf(state),
    amount,
    dueAt: window.dueAt,
    sendBefore: window.collectBy - state.policy.transit,
  });
}

/** A cycle under way at a higher amount that counts is taken as the last increase, as of its due date at the earliest. */
export function lastIncreaseOf(state: SubscriptionState): Instant | null {
  return underWay(state)
    .filter((each) => countsOnceAuthorized(state, each))
    .map(({ cycle }) => dueAt(state.terms, cycle))
    .reduce((last: Instant | null, at) => later(last, at), state.lastIncreaseAt);
}

type UnderWay = Pick<PendingAttempt, 'cycle' | 'amount' | 'countsAsIncrease'>;

function underWay({ open, pending, currentOf }: SubscriptionState): readonly UnderWay[] {
  const all: readonly UnderWay[] = open === null ? pending : [...pending, open];
  return currentOf === undefined ? all.slice(-1) : all;
}

/** Whether what is under way counts as an increase, should it go through. Of what is pending that was judged at its window's end. */
function countsOnceAuthorized(state: SubscriptionState, { countsAsIncrease, amount }: UnderWay): boolean {
  return countsAsIncrease ?? isIncreaseNow(state, amount);
}

/** Whether the six-month rule counts the amount after what was collected last. */
export function isIncreaseNow({ current, terms }: SubscriptionState, amount: Money): boolean {
  return isCountedIncrease(amount, current, terms.consentAmount);
}

function later(one: Instant | null, other: Instant): Instant {
  return one === null ? other : Math.max(one, other);
}

/** The change that was asked for last is taken back; what a cycle had frozen by then stands (rule 21). */
export function withdrawChange(state: SubscriptionState): SubscriptionState {
  return { ...state, pendingChange: state.pendingChange?.earlier ?? null };
}

/** The earliest cycle that has not begun, whose amount is therefore not frozen (rule 9). */
export function firstUnfrozen(state: SubscriptionState): number {
  return state.open === null ? state.cycle : state.cycle + 1;
}

/** The pending change that applies to the cycle: of several the one that was asked for last; null where none does. */
export function changeFor({ pendingChange }: SubscriptionState, cycle: number): PendingChange | null {
  let change = pendingChange;
  while (change !== null && change.fromCycle > cycle) change = change.earlier ?? null;
  return change;
}

/** What stays pending where of the change that applies to the cycle only `left` does. */
function leaving(
  change: PendingChange | null,
  cycle: number,
  left: (change: PendingChange) => PendingChange | null,
): PendingChange | null {
  if (change === null) return null;
  if (change.fromCycle <= cycle) return left(change);
  const { earlier = null, ...later } = change;
  const rest = leaving(earlier, cycle, left);
  return rest === null ? later : { ...later, earlier: rest };
}

/** Whether a cycle about to be tried may collect the change, judged again at that moment (rule 21). */
export type Freezing =
  /** The first attempt waits until then. */
  { readonly kind: 'allowed'; readonly notBefore: Instant } | { readonly kind: 'drop'; readonly reason: DropReason };

/** Why a change that was accepted is not collected. */
export type DropReason = 'not_announced' | AmountRule;

export function freeze(state: SubscriptionState, window: CollectionWindow): Freezing {
  const change = changeFor(state, state.cycle);
  if (change === null) return { kind: 'allowed', notBefore: window.dueAt };
  const verdict = verdictOn(state, change.amount, state.cycle);
  if (verdict.kind === 'refused') return { kind: 'drop', reason: verdict.rule };
  return { kind: 'allowed', notBefore: verdict.notBefore ?? window.dueAt };
}

/** Whether the payer has been notified of the increase that the cycle would collect, or need not be. */
export function isAnnounced(state: SubscriptionState): boolean {
  const change = changeFor(state, state.cycle);
  if (change === null) return true;
  const { kind } = change.announcement;
  return kind === 'delivered' || kind === 'not_needed';
}

export function startAnnouncing(state: SubscriptionState): SubscriptionState {
  return withAnnouncement(state, { kind: 'sending' });
}

/** That the payer is being notified is known to its run alone: whoever goes on begins that anew, and it is done once. */
export function announcedAnew(state: SubscriptionState): SubscriptionState {
  return state.pendingChange?.announcement.kind === 'sending' ? withAnnouncement(state, { kind: 'due' }) : state;
}

/** The result of notifying the payer; nothing where the change has been taken back by then. */
export function afterAnnouncing(
  state: SubscriptionState,
  change: PendingChange,
  result: PendingChange['announcement'],
): SubscriptionState {
  return isPending(state, change) ? withAnnouncement(state, result) : state;
}

/** Whether this very change still stands. */
export function isPending({ pendingChange }: SubscriptionState, change: PendingChange): boolean {
  if (pendingChange === null || pendingChange.requestedAt !== change.requestedAt) return false;
  return pendingChange.fromCycle === change.fromCycle && sameMoney(pendingChange.amount, change.amount);
}

/** How far notifying the payer has come. */
export function withAnnouncement(
  state: SubscriptionState,
  announcement: PendingChange['announcement'],
): SubscriptionState {
  const { pendingChange } = state;
  return pendingChange === null ? state : { ...state, pendingChange: { ...pendingChange, announcement } };
}

export const DROPPED = 'amount_change_dropped';

/** The old amount is collected, or what a cycle before had frozen, and people are alerted. */
export function dropChange(state: SubscriptionState): SubscriptionState {
  const pendingChange = leaving(state.pendingChange, state.cycle, ({ earlier = null }) => earlier);
  return withAttentionItem({ ...state, pendingChange }, DROPPED);
}

/**
 * What was pending past its window went through: the current amount, unless a later cycle has been authorized, and an increase
 * that counts in any case (rules 20, 21).
 */
export function afterLateAuthorized(state: SubscriptionState, attempt: PendingAttempt, at: Instant): SubscriptionState {
  const taken = isCurrentOnceAuthorized(state, attempt.cycle) ? afterAuthorized(state, attempt, at) : state;
  if (state.currentOf === undefined || !countsOnceAuthorized(state, attempt)) return taken;
  return { ...taken, lastIncreaseAt: later(state.lastIncreaseAt, at) };
}

/** The service has authorized the cycle's amount: it is the current one, and the change has been made. */
export function afterAuthorized(
  state: SubscriptionState,
  taken: { readonly cycle: number; readonly amount: Money },
  at: Instant,
): SubscriptionState {
  const counts = isIncreaseNow(state, taken.amount);
  const left = (change: PendingChange) => (sameMoney(change.amount, taken.amount) ? null : change);
  return {
    ...state,
    current: taken.amount,
    ...(state.currentOf === undefined ? {} : { currentOf: taken.cycle }),
    lastIncreaseAt: counts ? at : state.lastIncreaseAt,
    pendingChange: leaving(state.pendingChange, taken.cycle, left),
  };
}

/** What the cycle collects, or will by the current state, before the change is judged again. */
export function amountOfCycle(state: SubscriptionState, cycle: number): Money {
  const { open } = state;
  if (open?.cycle === cycle) return open.amount;
  return changeFor(state, cycle)?.amount ?? currentAmount(state);
}
