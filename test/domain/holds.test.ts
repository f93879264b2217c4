import { plannedFor, whyNow } from '../../src/domain/audit/grounds';
import { euros } from '../../src/domain/money';
import { type HeldSubscription, lostByHour, windowsLost } from '../../src/domain/reports/forecast';
import { nextStep } from '../../src/domain/subscription/next-step';
import { pause } from '../../src/domain/subscription/pauses';
import type { CollectPlan, SubscriptionState } from '../../src/domain/subscription/state';
import { DAY, HOUR, type Instant, MINUTE } from '../../src/domain/time';
import { close, collect, COLLECT_BY, LIMIT, wait } from './expected-steps';
import { active, at, FIRST, rejectedOnce } from './subscription-under-test';

const heldUntil = (until: Instant, more: Partial<SubscriptionState> = {}) => active({}, { heldUntil: until, ...more });

describe('nextStep (rule 16)', () => {
  const END = FIRST + 2 * DAY;

  it.each([
    ['a millisecond before the due date waits for the due date', FIRST - 1, wait(FIRST, 'due')],
    ['at the due date waits for the end of the hold', FIRST, wait(END, 'on_hold')],
    ['a millisecond before the end of the hold waits', END - 1, wait(END, 'on_hold')],
    ['at the end of the hold is made', END, collect(0, COLLECT_BY)],
  ])('a first attempt on hold: %s', (_, now, step) => {
    expect(nextStep(heldUntil(END), now)).toEqual(step);
  });

  it.each([
    ['a millisecond before its window closes waits until it closes', COLLECT_BY - 1, wait(COLLECT_BY, 'on_hold')],
    ['when its window closes is missed, not skipped', COLLECT_BY, close('missed', 'window_closed')],
  ])('a first attempt on hold beyond its window %s', (_, now, step) => {
    expect(nextStep(heldUntil(COLLECT_BY + DAY), now)).toEqual(step);
  });

  it('a first attempt on hold is made at the end of the hold if this is a millisecond before the window closes', () => {
    expect(nextStep(heldUntil(COLLECT_BY - 1), COLLECT_BY - 1)).toEqual(collect(0, COLLECT_BY));
  });

  it('a first attempt that is both on hold and paused waits for the end of the pause first', () => {
    const paused = pause(heldUntil(END), FIRST - HOUR, FIRST);
    expect(nextStep(paused, FIRST - 1)).toEqual(wait(FIRST, 'paused'));
  });

  it('a first attempt that a hold has delayed is planned for the end of the hold, which is also its reason', () => {
    const state = heldUntil(END);
    const { plan } = nextStep(state, END + MINUTE) as { readonly plan: CollectPlan };
    expect(plannedFor(state, plan, END + MINUTE)).toBe(END);
    expect(whyNow(state, plan, END + MINUTE)).toEqual({ because: 'hold_ended' });
  });

  it('a first attempt whose hold ended before the due date is planned for the due date', () => {
    const state = heldUntil(FIRST - 1);
    const { plan } = nextStep(state, FIRST) as { readonly plan: CollectPlan };
    expect(plannedFor(state, plan, FIRST)).toBe(FIRST);
    expect(whyNow(state, plan, FIRST)).toEqual({ because: 'due' });
  });
});

const RETRY_AT = FIRST + 24 * HOUR;
const open = rejectedOnce(FIRST, { notice: { kind: 'delivered', at: FIRST + MINUTE } });

it.each([
  ['a millisecond before its planned time waits until then', RETRY_AT - 1, RETRY_AT + HOUR, wait(RETRY_AT, 'retry')],
  ['at its planned time waits for the end of the hold', RETRY_AT, RETRY_AT + HOUR, wait(RETRY_AT + HOUR, 'on_hold')],
  ['at the end of the hold is made', RETRY_AT + HOUR, RETRY_AT + HOUR, collect(1, LIMIT)],
  ['waits no longer than its limit', LIMIT - 1, LIMIT + HOUR, wait(LIMIT, 'on_hold')],
  ['at its limit fails its cycle as out of time', LIMIT, LIMIT + HOUR, close('failed', 'out_of_time')],
])('a retry on hold: %s (rule 16)', (_, now, until, step) => {
  expect(nextStep(heldUntil(until, { open }), now)).toEqual(step);
});

describe('windowsLost', () => {
  const NOW = FIRST - DAY;
  const held = (changes: Partial<HeldSubscription> = {}): HeldSubscription => ({
    ...{ firstPaymentAt: FIRST, repetition: 'MONTHLY', endAt: null, status: 'active', nextDueAt: FIRST },
    ...{ pausedUntil: null, amount: euros(1999), pendingChange: null, skipped: [], transit: MINUTE, open: null },
    ...changes,
  });
  const lost = (each: HeldSubscription, until: Instant, now = NOW) => [...windowsLost(each, now, until)];
  const END = COLLECT_BY - MINUTE;

  it.each([
    ['a millisecond before the end of the time to send loses none', END - 1, 0],
    ['at the end of the time to send loses one', END, 1],
  ])('the windows that a hold loses: a hold that ends %s', (_, until, count) => {
    expect(lost(held(), until)).toHaveLength(count);
  });

  it.each([
    [END - 1, 1],
    [END, 0],
  ])('a hold that is judged at %p does not count a window whose time to send has passed: %i windows', (now, count) => {
    expect(lost(held(), END + DAY, now)).toHaveLength(count);
  });

  it('the windows that a hold loses are counted for every due date, with the amount that would be collected', () => {
    const due = at('2027-02-28T10:00:00.000');
    const pendingChange = { amount: euros(2999), effectiveAt: due };
    expect(lost(held({ pendingChange }), due + 5 * DAY)).toEqual([
      { at: END, amount: euros(1999) },
      { at: due + 5 * DAY - MINUTE, amount: euros(2999) },
    ]);
  });

  it('the windows that a hold loses exclude skipped cycles and cycles in a pause', () => {
    expect(lost(held({ skipped: [FIRST] }), END)).toEqual([]);
    expect(lost(held({ status: 'paused', pausedUntil: FIRST + 1 }), END)).toEqual([]);
    expect(lost(held({ status: 'paused', pausedUntil: FIRST }), END)).toHaveLength(1);
  });

  it('the windows that a hold loses include that of the cycle in progress', () => {
    const open = { sendBefore: FIRST + HOUR, amount: euros(500) };
    expect(lost(held({ open, nextDueAt: null }), FIRST + HOUR)).toEqual([{ at: FIRST + HOUR, amount: euros(500) }]);
    expect(lost(held({ open, nextDueAt: null }), FIRST + HOUR - 1)).toEqual([]);
  });

  it('the windows that a hold loses are counted by the hour, UTC', () => {
    const windows = [FIRST + HOUR, FIRST, FIRST + HOUR - 1].map((each) => ({ at: each, amount: euros(1) }));
    expect(lostByHour(windows)).toEqual([
      { hour: FIRST, count: 2, amount: euros(2) },
      { hour: FIRST + HOUR, count: 1, amount: euros(1) },
    ]);
  });

  it('the windows that a hold loses exclude those after the end of the subscription', () => {
    expect(lost(held({ endAt: FIRST + HOUR }), END + DAY)).toEqual([
      { at: FIRST + HOUR - MINUTE, amount: euros(1999) },
    ]);
  });
});
