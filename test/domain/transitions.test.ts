import type { AuthorizationId, CaptureId } from '../../src/domain/ids';
import { DAY, HOUR } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { nextStep } from '../../src/domain/subscription/next-step';
import { pause } from '../../src/domain/subscription/pauses';
import {
  type AttemptResult,
  type CollectPlan,
  type PendingAttempt,
  type SubscriptionState,
} from '../../src/domain/subscription/state';
import {
  afterClosing,
  afterCollect,
  afterPending,
  endConsent,
  nextDueAt,
  startDunning,
} from '../../src/domain/subscription/transitions';
import { active, at, FIRST, openCycle, rejectedOnce, rejection, type Wanted } from './subscription-under-test';
import { afterNotice, startAttempt } from './steps-of-a-life';

const authorizationId = 'aut_1' as AuthorizationId;
const COLLECTED: AttemptResult = { kind: 'collected', authorizationId, captureId: 'cap_1' as CaptureId, at: FIRST };
const refusedFinally: AttemptResult = { kind: 'rejected', at: FIRST, detail: 'X', description: '', retryable: false };
const captureFailed = { kind: 'capture_failed', authorizationId, captureId: null, detail: 'X', at: FIRST } as const;
const REFUSED: AttemptResult = { kind: 'rejected', at: FIRST + 5, detail: 'X', description: 'x', retryable: true };
const GOOD = { attention: [], dunning: false, pastDue: false };
const CANCELLATION = { at: FIRST + HOUR, actor: 'merchant', reason: null };

function planned(wanted: Partial<CollectPlan> = {}): CollectPlan {
  const step = nextStep(active(), FIRST);
  if (step.kind !== 'collect') throw new Error('cycle 0 must be collected at its due date');
  return { ...step.plan, ...wanted };
}

function after(result: AttemptResult, state: Partial<SubscriptionState> = {}, plan: Partial<CollectPlan> = {}) {
  return afterCollect(active({}, { open: openCycle(), ...state }), planned(plan), result);
}

const closed = (status: 'failed' | 'missed' | 'skipped', state: SubscriptionState = active()) =>
  afterClosing(state, { kind: 'close', cycle: 0, window: planned(), status, reason: 'window_closed' });

it('the first attempt of a cycle opens it with a frozen amount, and with the policy of the subscription', () => {
  const state = startAttempt(active(), planned());
  expect(state.open).toEqual(openCycle());
});

it("a later attempt does not open the cycle again, and consumes the operator's request to retry", () => {
  const open = rejectedOnce(FIRST, { retryFrom: FIRST });
  expect(startAttempt(active({}, { open }), planned({ amount: euros(1) })).open).toEqual({
    ...open,
    retryFrom: null,
  });
});

it('after a collected cycle the next one follows, and nothing is past due', () => {
  const state = after(COLLECTED, { standing: { attention: [], dunning: true, pastDue: true } });
  expect([state.cycle, state.open, state.collectedOnce]).toEqual([1, null, true]);
  expect(state.standing).toEqual(GOOD);
});

it('a collected cycle closes the attention item of its own cycle and of no other', () => {
  const attention = ['unresolved:0', 'capture_failed:10'];
  expect(after(COLLECTED, { standing: { attention, dunning: false, pastDue: false } }).standing.attention).toEqual([
    'capture_failed:10',
  ]);
});

it.each<[string, Partial<SubscriptionState>]>([
  ['cancelled', { status: 'cancelled' }],
  ['being cancelled', { cancellation: CANCELLATION }],
])('a collected cycle of a subscription that is %s opens an attention item, for a refund', (_, state) => {
  expect(after(COLLECTED, state).standing.attention).toEqual(['debit_after_cancel:0']);
});

it("a rejection uses up the attempt, and sets the time of the cycle's first failure", () => {
  expect(after(REFUSED).open).toMatchObject({ attempt: 1, firstFailureAt: FIRST + 5, notice: { kind: 'due' } });
});

it('the rejection of a retry needs its own notice, and does not change the time of the first failure', () => {
  const open = rejectedOnce(FIRST, { notice: { kind: 'delivered', at: FIRST + HOUR } });
  const state = after({ ...REFUSED, at: FIRST + DAY }, { open }, { attempt: 1 });
  expect(state.open).toMatchObject({ attempt: 2, firstFailureAt: FIRST, notice: { kind: 'due' } });
  expect(state.open?.rejection).toMatchObject({ attempt: 1, at: FIRST + DAY });
});

it('an unknown result leaves the cycle with an unknown outcome, without an attention item while it may still be settled', () => {
  const state = after({ kind: 'unknown' });
  expect([state.open?.unsettled, state.standing]).toEqual(['unknown', GOOD]);
});

it('an unknown outcome needs attention if it cannot be settled', () => {
  const state = after({ kind: 'unresolved', reason: 'x' });
  expect([state.open?.unsettled, state.standing.attention]).toEqual(['unresolved', ['unresolved:0']]);
});

it('an unknown outcome whose debit is not found is settled, and does not use up the attempt', () => {
  const doubtful = after({ kind: 'unresolved', reason: 'x' });
  const state = afterCollect(doubtful, planned({ settleOnly: true }), { kind: 'absent' });
  expect([state.open, state.standing.attention]).toEqual([openCycle(), []]);
});

const refused: AttemptResult = {
  kind: 'rejected',
  at: FIRST,
  detail: 'CONSENT_NOT_VALID',
  description: '',
  retryable: false,
};

it('if the consent has ended before anything was sent, the open cycle is skipped', () => {
  const state = endConsent(active({}, { open: openCycle() }), 'payer');
  expect([state.status, state.cancelledBy]).toEqual(['cancelled', 'payer']);
  expect(nextStep(state, FIRST)).toMatchObject({ kind: 'close', status: 'skipped', reason: 'consent_ended' });
});

it('if a sent debit is refused because the consent has ended, the open cycle fails', () => {
  const state = endConsent(after(refused), 'payer');
  expect(nextStep(state, FIRST)).toMatchObject({ kind: 'close', status: 'failed', reason: 'consent_ended' });
});

it.each(['unknown', 'unresolved'] as const)('an ended consent settles an attempt that was %s', (unsettled) => {
  const standing = { attention: ['unresolved:0'], dunning: false, pastDue: false };
  const state = endConsent(after(refused, { open: openCycle({ unsettled }), standing }, { settleOnly: true }), 'payer');
  expect(nextStep(state, FIRST)).toMatchObject({ kind: 'close', status: 'failed' });
  expect(state.standing.attention).toEqual([]);
});

it('a consent that no longer exists does not change an ended subscription', () => {
  const state = active({}, { status: 'completed' });
  expect(endConsent(state, 'payer')).toBe(state);
});

const parked = after({ kind: 'pending', authorizationId });
const [attempt] = parked.pending as [PendingAttempt];

it('an authorization that is pending past its window permits the next cycle, needs attention, and is only polled', () => {
  expect([parked.cycle, parked.open, parked.standing.attention]).toEqual([1, null, ['pending_past_window:0']]);
  expect(attempt).toEqual({ ...planned(), settleOnly: true, parked: true, countsAsIncrease: false });
});

it('an authorization that is pending past its window and is then collected leaves a good standing', () => {
  const state = afterPending(parked, attempt, COLLECTED, true);
  expect([state.pending, state.collectedOnce, state.standing]).toEqual([[], true, GOOD]);
});

it('an authorization that is pending past its window and is then refused makes the subscription past due', () => {
  expect(afterPending(parked, attempt, refusedFinally, true).standing).toEqual({ ...GOOD, pastDue: true });
});

it('an authorization pending past its window whose capture failed needs attention', () => {
  expect(afterPending(parked, attempt, captureFailed, true).standing).toEqual({
    attention: ['capture_failed:0'],
    dunning: false,
    pastDue: true,
  });
});

it('an authorization that is pending past its window and is then refused does not change the standing if a later cycle has ended', () => {
  const later = { ...parked, cycle: 2 };
  expect(afterPending(later, attempt, refusedFinally, false).standing).toEqual(GOOD);
});

it('an authorization that is pending past its window and is collected after a cancellation opens an attention item', () => {
  const state = afterPending({ ...parked, status: 'cancelled' }, attempt, COLLECTED, true);
  expect(state.standing.attention).toEqual(['debit_after_cancel:0']);
});

it('a failed capture needs attention until an operator has acknowledged it (rule 11)', () => {
  const state = after(captureFailed);
  expect(state.open?.captureFailed).toBe(true);
  expect(closed('failed', state).standing.attention).toEqual(['capture_failed:0']);
});

it('a failed capture is stored with its attempt, beside the refusal of an earlier attempt', () => {
  const open = rejectedOnce(FIRST, { notice: { kind: 'delivered', at: FIRST + HOUR } });
  const captureId = 'cap_1' as CaptureId;
  expect(after({ ...captureFailed, captureId }, { open }, { attempt: 1 }).open).toMatchObject({
    failedCapture: { attempt: 1, authorizationId, captureId, detail: 'X' },
    rejection: { attempt: 0 },
  });
});

it('a failed capture without a known id is stored without an id', () => {
  expect(after(captureFailed).open?.failedCapture).toEqual({
    attempt: 0,
    authorizationId,
    captureId: null,
    detail: 'X',
  });
});

it.each<['failed' | 'missed' | 'skipped', boolean, boolean]>([
  ['failed', false, true],
  ['missed', false, true],
  ['skipped', false, false],
  ['skipped', true, true],
])('a cycle that ended %s, with past due %p before, leaves past due %p', (status, pastDue, isPastDue) => {
  const state = active({}, { standing: { attention: [], dunning: true, pastDue } });
  expect(closed(status, state).standing).toEqual({ ...GOOD, pastDue: isPastDue });
});

it('a cycle that fails because its notice could not be delivered needs attention', () => {
  const step = { kind: 'close', cycle: 0, window: planned(), status: 'failed' } as const;
  const state = afterClosing(active(), { ...step, reason: 'notice_undeliverable' });
  expect(state.standing.attention).toEqual(['notice_undeliverable:0']);
});

const weekly: Wanted = { terms: { repetition: 'WEEKLY' } };

it.each([
  ['a millisecond before the next due date', -1],
  ['at the next due date', 0],
  ['a millisecond after the next due date', 1],
])('a pause that ends %s is kept when the current cycle is closed', (_, offset) => {
  const until = FIRST + 7 * DAY + offset;
  const paused = pause(active(weekly), FIRST - DAY, until);
  const skipped = closed('skipped', paused);
  expect(skipped.pauses).toEqual([{ since: FIRST - DAY, until }]);
  const dueInside = offset > 0;
  expect(nextStep(skipped, until)).toMatchObject(
    dueInside ? { kind: 'close', cycle: 1 } : { kind: 'resume', at: until },
  );
});

it('a past pause is forgotten once no future due date lies in it', () => {
  const pauses = [{ since: FIRST - DAY, until: FIRST + DAY }];
  expect(closed('skipped', active(weekly, { pauses })).pauses).toEqual([]);
});

it('a past pause is kept while the next due date lies in it', () => {
  const pauses = [{ since: FIRST - DAY, until: FIRST + 7 * DAY + 1 }];
  expect(closed('skipped', active(weekly, { pauses })).pauses).toEqual(pauses);
});

describe('results and notices', () => {
  it('a result or a notice without an open cycle changes nothing', () => {
    const state = active();
    expect(afterCollect(state, planned(), COLLECTED)).toBe(state);
    expect(afterNotice(state, { kind: 'due' })).toBe(state);
  });

  it('a notice is stored with the open cycle, and the standing is dunning', () => {
    const state = startDunning(active({}, { open: rejectedOnce() }));
    expect(state.standing).toEqual({ ...GOOD, dunning: true });
    const notice = { kind: 'delivered', at: FIRST } as const;
    expect(afterNotice(state, notice).open?.notice).toEqual(notice);
  });
});

it.each<[string, SubscriptionState, number | null]>([
  ['of a new subscription is the first due date', active(), FIRST],
  [
    'while the first cycle is in dunning is the second due date',
    active({}, { open: rejectedOnce() }),
    at('2027-02-28T10:00:00'),
  ],
  [
    'while the outcome of the first cycle is unknown is the second due date',
    active({}, { open: openCycle({ unsettled: 'unknown' }) }),
    at('2027-02-28T10:00:00'),
  ],
  ['while the first cycle has only started is the first due date', active({}, { open: openCycle() }), FIRST],
  ['of an ended subscription is null', active({}, { status: 'cancelled' }), null],
  ['after the last cycle is null', active({ terms: { endAt: FIRST + 1 } }, { cycle: 1 }), null],
  ['in a pause is the first one after the pause', pause(active(), FIRST - 1, FIRST + 1), at('2027-02-28T10:00:00')],
  ['in a pause that ends at a due date is that due date', pause(active(), FIRST - 1, FIRST), FIRST],
  ['before a pause is not changed by the pause', pause(active(), FIRST + 1, FIRST + 2), FIRST],
  ['in a pause without an end is the one without the pause', pause(active(), FIRST - 1, null), FIRST],
])('the next due date %s', (_, state, due) => {
  expect(nextDueAt(state)).toBe(due);
});

it('a final rejection is stored with the cycle', () => {
  const state = after({ ...REFUSED, retryable: false });
  expect(state.open?.rejection).toEqual(rejection({ at: FIRST + 5, detail: 'X', description: 'x', retryable: false }));
});
