import {
  acceptChange,
  announceAheadOf,
  type ChangeRequest,
  frozenChange,
  judgeChange,
  refuseChange,
  refuseWithdrawal,
} from '../../src/domain/subscription/amount-request';
import { collectionWindow, dueAt } from '../../src/domain/subscription/schedule';
import type { AuthorizationId } from '../../src/domain/ids';
import { DAY, HOUR, type Instant, MINUTE } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { nextStep } from '../../src/domain/subscription/next-step';
import {
  amountOfCycle,
  dropChange,
  judgeFreeze,
  withAnnouncement,
  withdrawChange,
} from '../../src/domain/subscription/pending-change';
import type { SubscriptionState } from '../../src/domain/subscription/state';
import { afterClosing, afterCollect, endConsent } from '../../src/domain/subscription/transitions';
import { begin, collect, fail, land, park, planAt, refuseLate } from './cycles-of-a-life';
import { active, at, openCycle, rejection } from './subscription-under-test';
import { startAttempt } from './steps-of-a-life';

/** Terms of a monthly subscription from 31 January 2027, 10:00, with a consent to 50.00 EUR; cycle 0 is collected. */
const TERMS = { consentAmount: euros(5000) };
const NOW = at('2027-02-10');

function collecting50(more: Partial<SubscriptionState> = {}): SubscriptionState {
  return active({ terms: TERMS }, { cycle: 1, collectedOnce: true, ...more });
}

function ask(cents: number, more: Partial<ChangeRequest> = {}): ChangeRequest {
  return { amount: euros(cents), fromCycle: null, announceAhead: 14 * DAY, ...more };
}

function change(
  state: SubscriptionState,
  cents: number,
  more: Partial<ChangeRequest> = {},
  now = NOW,
): SubscriptionState {
  const judgement = judgeChange(state, ask(cents, more));
  if (judgement.kind !== 'allowed') throw new Error(`refused: ${JSON.stringify(judgement)}`);
  return acceptChange(state, judgement.change, more.announceAhead ?? 14 * DAY, now, frozenChange(state));
}

function announced(state: SubscriptionState): SubscriptionState {
  return withAnnouncement(state, { kind: 'delivered', at: NOW });
}

test.each([
  [0, HOUR],
  [0.04, HOUR],
  [1 / 24, HOUR],
  [0.05, 1.2 * HOUR],
  [14, 14 * DAY],
])('with %d days configured, an increase is announced %d ms ahead', (days, ms) => {
  expect(announceAheadOf(days)).toBe(ms);
});

const [JUNE, LATE] = [at('2027-06-10'), at('2027-07-10')];

it.each([
  ['a lower amount', 4000],
  ['a higher amount', 6000],
])('a cycle that collects %s while an earlier one is pending sets the next amount', (_, cents) => {
  const changed = collect(announced(change(park(collecting50()), cents)));
  expect([changed.pending.length, changed.pendingChange]).toEqual([1, null]);
  expect(planAt(changed, dueAt(changed.terms, 3)).amount).toEqual(euros(cents));
  expect(judgeChange(changed, ask(4500))).toMatchObject({ change: { previousAmount: euros(cents) } });
});

it('a cycle repeats the amount of the last collected cycle after an earlier pending debit has succeeded, and after a missed cycle', () => {
  const reduced = collect(announced(change(park(collecting50()), 4000)));
  expect(amountOfCycle(land(reduced, LATE), 3)).toEqual(euros(4000));
  const [window, missed] = [collectionWindow(reduced.terms, 3), { status: 'missed', reason: 'window_closed' } as const];
  const closed = afterClosing(reduced, { kind: 'close', cycle: 3, window, ...missed });
  expect(amountOfCycle(closed, 4)).toEqual(euros(4000));
});

it('the amount of a cycle that is pending past its window applies to later cycles until one of them is collected', () => {
  const raised = park(announced(change(collecting50(), 6000)));
  expect(amountOfCycle(withdrawChange(raised), 2)).toEqual(euros(6000));
});

it('a pending increase counts as the last increase from the moment in which its debit succeeds, even after later cycles (rule 20)', () => {
  const raised = park(announced(change(collecting50(), 6000)));
  const reduced = collect(announced(change(raised, 4000)));
  expect(judgeChange(reduced, ask(6000))).toMatchObject({ kind: 'forbidden', verdict: { rule: 'six_months' } });
  expect(land(reduced, JUNE)).toMatchObject({ lastIncreaseAt: JUNE, current: euros(4000), pending: [] });
});

it('if the debit of a pending change succeeds while a later cycle is open, its amount is the current one and the change is made (rule 21)', () => {
  const raised = park(announced(change(collecting50(), 6000)));
  const plan = planAt(raised, dueAt(raised.terms, 2));
  const landed = land(startAttempt(raised, plan), JUNE);
  expect(landed).toMatchObject({ current: euros(6000), currentOf: 1, lastIncreaseAt: JUNE, pendingChange: null });
  const [window, failed] = [collectionWindow(raised.terms, 2), { status: 'failed', reason: 'rejected' } as const];
  const closed = afterClosing(landed, { kind: 'close', cycle: 2, window, ...failed });
  expect(planAt(closed, dueAt(closed.terms, 3)).amount).toEqual(euros(6000));
});

it('a pending debit of an amount that was collected before does not count as an increase when it succeeds', () => {
  const repeated = collect(announced(change(park(collecting50()), 4000)));
  expect(land(repeated, LATE).lastIncreaseAt).toBeNull();
});

it('a request for a change of amount without a cycle means the next cycle, or the cycle after the open one', () => {
  expect(judgeChange(collecting50(), ask(4000))).toMatchObject({ change: { fromCycle: 1 } });
  const open = collecting50({ open: openCycle({ cycle: 1, amount: euros(5000) }) });
  expect(judgeChange(open, ask(4000))).toMatchObject({ change: { fromCycle: 2, previousAmount: euros(5000) } });
});

it('a request for a change of amount is refused for a cycle that has started, and for a cycle after the end', () => {
  const open = collecting50({ open: openCycle({ cycle: 1, amount: euros(5000) }) });
  expect(refuseChange(open, ask(4000, { fromCycle: 1 }))).toEqual({
    code: 'state_conflict',
    message: 'the amount of cycle 1 is frozen: the cycle has started',
  });
  const ending = { ...collecting50(), terms: { ...collecting50().terms, endAt: dueAt(collecting50().terms, 3) } };
  expect(refuseChange(ending, ask(4000, { fromCycle: 3 }))).toEqual({
    code: 'state_conflict',
    message: 'cycle 3 does not exist: the subscription ends before it',
  });
  expect(refuseChange(ending, ask(4000, { fromCycle: 2 }))).toBeNull();
});

it('a request for a change of amount may name one of the next 60 due dates, and no later one', () => {
  expect(refuseChange(collecting50(), ask(4000, { fromCycle: 60 }))).toBeNull();
  expect(refuseChange(collecting50(), ask(4000, { fromCycle: 61 }))).toEqual({
    code: 'state_conflict',
    message: expect.stringContaining('cycle 61 is too far ahead'),
  });
  const open = collecting50({ open: openCycle({ cycle: 1, amount: euros(5000) }) });
  expect(refuseChange(open, ask(4000, { fromCycle: 61 }))).toBeNull();
  expect(refuseChange(open, ask(4000, { fromCycle: 62 }))?.code).toBe('state_conflict');
});

it('a change of amount of an ended cycle is refused, even before its due date', () => {
  const skipped = { ...collecting50(), cycle: 2 };
  expect(refuseChange(skipped, ask(4000, { fromCycle: 1 }))).toEqual({
    code: 'state_conflict',
    message: 'cycle 1 has ended',
  });
  expect(refuseChange(skipped, ask(4000, { fromCycle: 2 }))).toBeNull();
});

it.each<[Partial<SubscriptionState>, string]>([
  [{ status: 'cancelled' }, 'the subscription is cancelled'],
  [{ status: 'completed' }, 'the subscription is completed'],
  [{ cancellation: { at: NOW, actor: 'a', reason: null } }, 'the subscription is being cancelled'],
])('a change of amount of an ended subscription is refused: %j', (more, message) => {
  expect(refuseChange(collecting50(more), ask(4000))).toEqual({ code: 'state_conflict', message });
});

it('the refusal of a change of amount names the rule, the highest allowed amount and the time from which more is allowed', () => {
  const state = collecting50({ lastIncreaseAt: at('2027-01-31T10:00:00.000'), current: euros(6000) });
  const refusal = refuseChange(state, ask(7000, { fromCycle: 5 }));
  expect(refusal?.message).toBe(
    '70.00 EUR is not allowed: an increase is allowed at most once every 6 months; the highest amount allowed for ' +
      'that cycle is 60.00 EUR; more is allowed from 2027-07-31T10:00:00.000Z on',
  );
  expect(refusal?.code).toBe('amount_change_not_allowed');
  expect(refusal?.verdict).toMatchObject({ rule: 'six_months', highestAllowed: euros(6000) });
  expect(refuseChange(state, ask(7000, { fromCycle: 6 }))).toBeNull();
});

it('a change of amount above the cap needs a new consent', () => {
  expect(refuseChange(collecting50(), ask(50_001))?.message).toMatch(/50,?0?.*more needs a new consent$/);
});

it('a request for a change of amount takes an increase that the open cycle is collecting as the last increase', () => {
  const open = collecting50({ open: openCycle({ cycle: 1, amount: euros(6000) }) });
  expect(judgeChange(open, ask(7000))).toMatchObject({
    verdict: { rule: 'six_months', allowedFrom: at('2027-08-28T10:00:00.000') },
  });
});

it('the answer to a change of amount says when the next increase that counts is allowed', () => {
  expect(judgeChange(collecting50(), ask(6000))).toMatchObject({
    change: {
      kind: 'increase',
      countsAsIncrease: true,
      effectiveAt: at('2027-02-28T10:00:00.000'),
      nextIncreaseAllowedFrom: at('2027-08-28T10:00:00.000'),
    },
  });
  expect(judgeChange(collecting50(), ask(4000))).toMatchObject({ change: { nextIncreaseAllowedFrom: null } });
});

it('a change to the current amount withdraws a pending change', () => {
  const state = change(change(collecting50(), 4000), 5000);
  expect(state.pendingChange).toBeNull();
});

it('a pending change of amount is replaced by the next change, because it is not the current amount yet', () => {
  const state = change(change(collecting50(), 4000), 4500);
  expect(state.pendingChange).toMatchObject({ amount: euros(4500), previousAmount: euros(5000), kind: 'reduction' });
});

it('an accepted change of amount is collected from its cycle on, and is then no longer pending', () => {
  const state = change(collecting50(), 4000, { fromCycle: 2 });
  expect([amountOfCycle(state, 1), amountOfCycle(state, 2)]).toEqual([euros(5000), euros(4000)]);
  const one = collect(state);
  expect([one.current, one.pendingChange?.fromCycle]).toEqual([euros(5000), 2]);
  const two = collect(one);
  expect([two.current, two.pendingChange]).toEqual([euros(4000), null]);
});

it('an accepted change of amount stays pending if its cycle fails, and is collected by the next cycle', () => {
  const state = change(collecting50(), 4000);
  const open = startAttempt(state, planAt(state, dueAt(state.terms, 1)));
  expect(refuseWithdrawal(open)?.code).toBe('state_conflict');
  const failed = { ...open, open: null, cycle: 2 };
  expect(refuseWithdrawal(failed)).toBeNull();
  expect(collect(failed).current).toEqual(euros(4000));
});

it('an accepted change of amount can be withdrawn until a cycle has collected it, after which no change is pending', () => {
  const state = change(collecting50(), 4000);
  expect(refuseWithdrawal(state)).toBeNull();
  expect(collect(withdrawChange(state)).current).toEqual(euros(5000));
  expect(refuseWithdrawal(collect(state))?.message).toBe('no amount change is pending');
});

it('an accepted change of amount can be withdrawn while an earlier cycle is open, but not after the end or while its own cycle is open', () => {
  const state = change(collecting50(), 4000, { fromCycle: 2 });
  expect(refuseWithdrawal({ ...state, status: 'completed' })?.message).toBe('the subscription is completed');
  const before = { ...state, open: openCycle({ cycle: 1, amount: euros(5000) }) };
  expect(refuseWithdrawal(before)).toBeNull();
  const frozen = { ...state, cycle: 2, open: openCycle({ cycle: 2, amount: euros(4000) }) };
  expect(refuseWithdrawal(frozen)?.message).toBe('cycle 2 has frozen the change: its first attempt has started');
});

it('an accepted change of amount ends with the consent', () => {
  expect(endConsent(change(collecting50(), 4000), 'payer').pendingChange).toBeNull();
});

const frozen = begin(change(collecting50(), 4000));
const amountsOf = (state: SubscriptionState, ...cycles: number[]) =>
  cycles.map((cycle) => amountOfCycle(state, cycle).value);

it.each([
  ['a lower amount', 4000],
  ['a higher amount', 6000],
])(
  'a frozen change to %s does not change if it is requested again, and the next cycle collects it if its own cycle fails',
  (_, cents) => {
    const open = begin(announced(change(collecting50(), cents)));
    const again = change(open, cents);
    expect(again.pendingChange).toEqual(open.pendingChange);
    expect(planAt(fail(again), dueAt(again.terms, 2)).amount).toEqual(euros(cents));
  },
);

it('a change that an open cycle has frozen applies until the cycle of a later change if its own cycle fails', () => {
  const failed = fail(change(frozen, 3000, { fromCycle: 4 }));
  expect(amountsOf(failed, 2, 3, 4)).toEqual([4000, 4000, 3000]);
  const lived = collect(collect(failed));
  expect([lived.current, lived.pendingChange?.amount]).toEqual([euros(4000), euros(3000)]);
  expect(collect(lived)).toMatchObject({ current: euros(3000), pendingChange: null });
});

it('a change that an open cycle has frozen is made when its cycle collects, and the later change remains pending', () => {
  const collected = collect(change(frozen, 3000, { fromCycle: 4 }));
  expect(collected).toMatchObject({ current: euros(4000), pendingChange: { amount: euros(3000), fromCycle: 4 } });
  expect(collected.pendingChange).not.toHaveProperty('earlier');
});

it('a change that an open cycle has frozen is replaced by a change from the very next cycle, whether its own cycle collects or fails', () => {
  const next = announced(change(frozen, 4500));
  expect(next.pendingChange).toMatchObject({ kind: 'increase', fromCycle: 2, previousAmount: euros(4000) });
  for (const over of [collect(next), fail(next)])
    expect(collect(over)).toMatchObject({ current: euros(4500), pendingChange: null });
});

it('a change that an open cycle has frozen is collected by the next cycle if its own fails and the later change is dropped', () => {
  const untold = fail(change(frozen, 4500));
  const due = dueAt(untold.terms, 2);
  const dropped = { kind: 'drop_change', cycle: 2, change: { amount: euros(4500) }, reason: 'not_announced' };
  expect(nextStep(untold, due)).toMatchObject(dropped);
  expect(planAt(dropChange(untold), due).amount).toEqual(euros(4000));
  expect(dropChange(untold).standing.attention).toEqual(['amount_change_dropped']);
});

it('a change that an open cycle has frozen is dropped without the later change if its cycle fails and a rule then forbids it', () => {
  const raised = begin(announced(change(collecting50(), 6000)));
  const failed = { ...fail(change(raised, 3000, { fromCycle: 4 })), lastIncreaseAt: at('2027-02-20') };
  const dropped = { kind: 'drop_change', change: { amount: euros(6000) }, reason: 'six_months' };
  expect(nextStep(failed, dueAt(failed.terms, 2))).toMatchObject(dropped);
  expect(amountsOf(dropChange(failed), 2, 3, 4)).toEqual([5000, 5000, 3000]);
});

it('a change that an open cycle has frozen remains if the later change is withdrawn, or replaced by a change to the current amount', () => {
  const beside = change(frozen, 3000, { fromCycle: 4 });
  expect(refuseWithdrawal(beside)).toBeNull();
  for (const left of [withdrawChange(beside), change(beside, 4000)])
    expect(left.pendingChange).toEqual(frozen.pendingChange);
  expect(refuseWithdrawal(frozen)?.code).toBe('state_conflict');
});

it('a change that an open cycle has frozen remains, together with only the last of several later changes', () => {
  const last = change(change(frozen, 3000, { fromCycle: 3 }), 3500, { fromCycle: 4 });
  expect(amountsOf(fail(last), 2, 3, 4)).toEqual([4000, 4000, 3500]);
});

it('after a frozen change a second one, which is frozen too, applies to the cycles before a third change', () => {
  const second = begin(fail(announced(change(frozen, 4500))));
  expect(amountsOf(fail(change(second, 3000, { fromCycle: 5 })), 3, 4, 5)).toEqual([4500, 4500, 3000]);
});

it('a change that a cycle has frozen remains while the cycle is pending past its window, and after the cycle has failed', () => {
  const parked = park(change(collecting50(), 4000));
  const late = at('2027-03-20');
  expect(amountsOf(refuseLate(change(parked, 4000), late), 2, 3)).toEqual([4000, 4000]);
  expect(amountsOf(refuseLate(change(parked, 3000, { fromCycle: 4 }), late), 2, 3, 4)).toEqual([4000, 4000, 3000]);
  expect(land(change(parked, 3000, { fromCycle: 4 }), late).pendingChange).not.toHaveProperty('earlier');
});

it('a change that a cycle has frozen may be replaced once its cycle has failed', () => {
  const replaced = change(fail(frozen), 4500, { fromCycle: 4 });
  expect(replaced.pendingChange).not.toHaveProperty('earlier');
  expect(amountsOf(replaced, 2, 3, 4)).toEqual([5000, 5000, 4500]);
});

it('the six months between increases run from the first successful authorization at the higher amount', () => {
  const late = at('2027-03-02T08:00:00.000');
  const state = collect(announced(change(collecting50(), 6000)), late);
  expect([state.current, state.lastIncreaseAt]).toEqual([euros(6000), late]);
  const again = collect(state);
  expect(again.lastIncreaseAt).toBe(late);
});

it('the six months between increases also run after a failed capture, because the service has authorized the higher amount', () => {
  const state = announced(change(collecting50(), 6000));
  const when = dueAt(state.terms, 1);
  const plan = planAt(state, when);
  const result = {
    kind: 'capture_failed',
    authorizationId: 'aut' as AuthorizationId,
    captureId: null,
    detail: 'X',
    at: when,
  } as const;
  const after = afterCollect(startAttempt(state, plan), plan, result);
  expect([after.current, after.lastIncreaseAt, after.collectedOnce]).toEqual([euros(6000), when, true]);
});

it('an increase up to the consent amount does not start the six months between increases', () => {
  const state = collect(announced(change(collecting50({ current: euros(4000) }), 5000)));
  expect([state.current, state.lastIncreaseAt]).toEqual([euros(5000), null]);
});

/** A subscription whose next cycle is due on 31 August, and whose increase is allowed from `lateBy` after this due date on. */
const freeAfter = (lateBy: number) =>
  collecting50({
    cycle: 7,
    current: euros(6000),
    lastIncreaseAt: at('2027-03-01T10:00:00.000') + lateBy - 24 * HOUR,
  });

it('a cycle waits for the instant from which its increase is allowed if that is at most 24 h after its due date', () => {
  const due = at('2027-08-31T10:00:00.000');
  const state = announced(change(freeAfter(24 * HOUR), 7000));
  expect(judgeChange(freeAfter(24 * HOUR), ask(7000))).toMatchObject({
    change: { effectiveAt: due, nextIncreaseAllowedFrom: at('2028-02-29T10:01:00.000') + 24 * HOUR },
  });
  const until = due + 24 * HOUR + MINUTE;
  expect(nextStep(state, due)).toEqual({ kind: 'wait', until, why: 'due' });
  expect(planAt(state, until).amount).toEqual(euros(7000));
});

it('a cycle may not take an increase that is allowed only more than 24 h after its due date', () => {
  expect(refuseChange(freeAfter(24 * HOUR + 1), ask(7000))?.verdict?.rule).toBe('six_months');
});

it('an increase is refused if the window of its cycle is cut within a minute after the increase is allowed', () => {
  const lastIncreaseAt = at('2027-03-03T20:00:00.000');
  const state = collecting50({ cycle: 7, current: euros(6000), lastIncreaseAt });
  const free = at('2027-09-03T20:00:00.000');
  const cut = (endAt: Instant) => ({
    ...state,
    terms: { ...state.terms, firstPaymentAt: at('2027-02-03T10:00:00.000'), endAt },
  });
  expect(refuseChange(cut(free + MINUTE), ask(7000))?.verdict?.rule).toBe('six_months');
  expect(refuseChange(cut(free + MINUTE + 1), ask(7000))).toBeNull();
});

const asked = change(collecting50(), 6000, { fromCycle: 2 });
const announceAt = at('2027-03-17T10:00:00.000');

it('the payer is notified of an increase the configured number of days before its due date, and not a millisecond earlier', () => {
  const state = collect(asked);
  expect(nextStep(state, announceAt - 1)).toMatchObject({ kind: 'wait', until: announceAt });
  expect(nextStep(state, announceAt)).toMatchObject({ kind: 'announce', change: { fromCycle: 2 } });
});

it('the payer is notified of an increase at once if fewer days are left', () => {
  const now = at('2027-02-27');
  const state = change(collecting50(), 6000, {}, now);
  expect(nextStep(state, now)).toMatchObject({ kind: 'announce', change: { announceAt: now } });
});

it('the payer is notified of an increase during a pause too, but not while the subscription is being cancelled', () => {
  const state = { ...collect(asked), status: 'paused' } as const;
  expect(nextStep(state, announceAt)).toMatchObject({ kind: 'announce' });
  const cancelling = { ...state, cancellation: { at: announceAt, actor: 'a', reason: null } };
  expect(nextStep(cancelling, announceAt).kind).not.toBe('announce');
  expect(nextStep({ ...state, status: 'consent_failed' }, announceAt).kind).not.toBe('announce');
});

it('the payer is notified of an increase once, and cycles continue meanwhile', () => {
  const state = announcing(collect(asked), { kind: 'sending' });
  expect(nextStep(state, announceAt)).toMatchObject({ kind: 'wait', until: dueAt(state.terms, 2) });
});

it('no increase is announced if no change is pending', () => {
  expect(withAnnouncement(collecting50(), { kind: 'sending' })).toEqual(collecting50());
});

it.each([{ kind: 'due' }, { kind: 'sending' }, { kind: 'undeliverable', reason: 'x' }] as const)(
  'a cycle collects the old amount if the payer was not notified of an increase before the first attempt (%j)',
  (announcement) => {
    const state = announcing(collect(asked), announcement);
    const due = dueAt(state.terms, 2);
    expect(nextStep(state, due)).toMatchObject({ kind: 'drop_change', cycle: 2, reason: 'not_announced' });
    const dropped = dropChange(state);
    expect(dropped.standing.attention).toEqual(['amount_change_dropped']);
    expect(planAt(dropped, due).amount).toEqual(euros(5000));
  },
);

it('a reduction needs no notice to the payer', () => {
  const state = change(collecting50(), 4000);
  expect(nextStep(state, NOW)).toMatchObject({ kind: 'wait' });
  expect(planAt(state, dueAt(state.terms, 1)).amount).toEqual(euros(4000));
});

it('a newly accepted change of amount closes the item about a dropped change', () => {
  expect(change(dropChange(asked), 4000).standing.attention).toEqual([]);
});

const windowOf = (state: SubscriptionState) => collectionWindow(state.terms, state.cycle);

it('a cycle without a change, or before the one that is pending, is tried at its due date', () => {
  const later = change(collecting50(), 6000, { fromCycle: 2 });
  const notBefore = dueAt(later.terms, 1);
  expect(judgeFreeze(collecting50(), windowOf(later))).toEqual({ kind: 'allowed', notBefore });
  // Six months have not passed yet, but that is judged only by the cycle of the increase.
  expect(judgeFreeze({ ...later, lastIncreaseAt: notBefore }, windowOf(later))).toEqual({ kind: 'allowed', notBefore });
});

it('a cycle collects its frozen amount, even if a change from this cycle on is requested', () => {
  const open = openCycle({ cycle: 1, amount: euros(5000) });
  const state = { ...change(collecting50(), 4000), open };
  expect(amountOfCycle(state, 1)).toEqual(euros(5000));
  expect(amountOfCycle(state, 2)).toEqual(euros(4000));
});

it('an increase that is no longer allowed is dropped, and the old amount is collected', () => {
  const state = announced(change(collecting50(), 6000, { fromCycle: 3 }));
  const late = { ...collect(collect(state)), lastIncreaseAt: at('2027-03-01') };
  const due = dueAt(state.terms, 3);
  expect(nextStep(late, due)).toMatchObject({ kind: 'drop_change', reason: 'six_months' });
  expect(planAt(dropChange(late), due).amount).toEqual(euros(5000));
});

it('a retry collects the frozen amount, even if a change is requested meanwhile', () => {
  const due = dueAt(collecting50().terms, 1);
  const failed = openCycle({
    cycle: 1,
    amount: euros(5000),
    attempt: 1,
    firstFailureAt: due,
    rejection: rejection({ at: due }),
    notice: { kind: 'delivered', at: due },
  });
  const state = change(collecting50({ open: failed }), 4000);
  const retryAt = collectionWindow(state.terms, 1).dueAt + 24 * HOUR;
  expect(planAt(state, retryAt)).toMatchObject({ attempt: 1, amount: euros(5000) });
});

function announcing(
  state: SubscriptionState,
  announcement: NonNullable<SubscriptionState['pendingChange']>['announcement'],
): SubscriptionState {
  const { pendingChange } = state;
  return pendingChange === null ? state : { ...state, pendingChange: { ...pendingChange, announcement } };
}
