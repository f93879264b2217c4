import { closingDetails, plannedFor, retryDetails, whyNow, whyRetryThen } from '../../src/domain/audit/grounds';
import { HOUR, type Instant, MINUTE, toIso } from '../../src/domain/time';
import { nextStep } from '../../src/domain/subscription/next-step';
import type { Closing, ClosingReason } from '../../src/domain/subscription/step';
import type { AuthorizationId, CaptureId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import type { OpenCycle, PendingChange, SubscriptionState } from '../../src/domain/subscription/state';
import { active, FIRST, NO_MARGIN, openCycle, rejectedOnce, rejection } from './subscription-under-test';

const COLLECT_BY = FIRST + 120 * HOUR;
const LIMIT = FIRST + 72 * HOUR;

/** Why the attempt that is the next step at `now` is made. */
function why(state: SubscriptionState, now: Instant) {
  const step = nextStep(state, now);
  if (step.kind !== 'collect') throw new Error(`the next step is ${step.kind}`);
  return whyNow(state, step.plan, now);
}

const told = (noticeAt: Instant, open: Partial<OpenCycle> = {}) =>
  active({}, { open: rejectedOnce(FIRST, { notice: { kind: 'delivered', at: noticeAt }, ...open }) });

it('an attempt is made now because its cycle is due', () => {
  expect(why(active(), FIRST)).toEqual({ because: 'due' });
});

it('an attempt is made now because the time that the spread gave it has come', () => {
  expect(why(active({ spread: HOUR }), FIRST + HOUR)).toEqual({ because: 'spread' });
});

it('an attempt is made now because the increase is allowed from now on, six months after the last', () => {
  const due = Date.UTC(2027, 6, 31, 10);
  const pendingChange: PendingChange = {
    requestedAt: FIRST,
    amount: euros(4000),
    previousAmount: euros(3000),
    fromCycle: 6,
    effectiveAt: due,
    kind: 'increase',
    countsAsIncrease: true,
    announceAt: FIRST,
    announcement: { kind: 'delivered', at: FIRST },
  };
  const raised = { collectedOnce: true, current: euros(3000), lastIncreaseAt: FIRST + HOUR, cycle: 6, pendingChange };
  expect(nextStep(active({}, raised), due)).toMatchObject({ kind: 'wait', until: due + HOUR + MINUTE });
  expect(why(active({}, raised), due + HOUR + MINUTE)).toEqual({ because: 'increase_free' });
});

it.each<[string, SubscriptionState, Instant, string, Instant]>([
  ['that was planned', told(FIRST), FIRST + 24 * HOUR, 'planned', FIRST],
  ['whose notice was late', told(FIRST + 30 * HOUR), FIRST + 30 * HOUR + MINUTE, 'after_notice', FIRST + 30 * HOUR],
  ['that was requested', told(FIRST, { retryFrom: FIRST }), FIRST + MINUTE, 'requested', FIRST],
  ['that was requested but is due', told(FIRST, { retryFrom: FIRST }), FIRST + 24 * HOUR, 'planned', FIRST],
  ['as last chance', told(FIRST, { policy: { offsets: [], transit: 0, gap: 0 } }), LIMIT - HOUR, 'last_chance', FIRST],
])('an attempt is made now as a retry %s', (_, state, now, because, noticeAt) => {
  expect(why(state, now)).toEqual({ because, firstFailureAt: toIso(FIRST), noticeAt: toIso(noticeAt) });
});

/** The instant for which the attempt that is the next step at `now` was planned. */
function planned(state: SubscriptionState, now: Instant): Instant {
  const step = nextStep(state, now);
  if (step.kind !== 'collect') throw new Error(`the next step is ${step.kind}`);
  return plannedFor(state, step.plan, now);
}
const pausedUntil = (until: Instant) => active({}, { pauses: [{ since: FIRST + 1, until }] });

it.each<[string, SubscriptionState, Instant, Instant]>([
  ['its due date, however late it is made', active(), FIRST + 30 * HOUR, FIRST],
  ['the time that the spread gave it', active({ spread: HOUR }), FIRST + 2 * HOUR, FIRST + HOUR],
  ['the end of the pause that stopped it', pausedUntil(FIRST + HOUR), FIRST + 3 * HOUR, FIRST + HOUR],
  ['the time of its retry', told(FIRST), FIRST + 25 * HOUR, FIRST + 24 * HOUR],
  ['a minute after a late notice', told(FIRST + 30 * HOUR), FIRST + 31 * HOUR, FIRST + 30 * HOUR + MINUTE],
  ['the time of its request', told(FIRST, { retryFrom: FIRST + 2 * HOUR }), FIRST + 2 * HOUR, FIRST + 2 * HOUR],
  ['the time that was requested', told(FIRST, { retryFrom: FIRST + 30 * HOUR }), FIRST + 31 * HOUR, FIRST + 30 * HOUR],
  ['a minute after its notice, requested at once', told(FIRST, { retryFrom: FIRST }), FIRST + HOUR, FIRST + MINUTE],
])('an attempt is planned for %s', (_, state, now, instant) => {
  expect(planned(state, now)).toBe(instant);
});

it.each([
  ['at its planned time', FIRST + 24 * HOUR, 'planned'],
  ['a millisecond after its planned time', FIRST + 24 * HOUR + 1, 'after_notice'],
  ['at the end of the gap after the previous attempt', FIRST + 6 * HOUR, 'after_gap'],
])('the explanation of a retry %s says which part of the rule sets its time', (_, retryAt, because) => {
  expect(whyRetryThen(rejectedOnce(), rejection(), COLLECT_BY, retryAt)).toEqual({
    because,
    firstFailureAt: toIso(FIRST),
  });
});

it('the explanation of a retry an hour before L, at no planned time, says that it is the last chance', () => {
  const open = rejectedOnce(FIRST, { policy: { offsets: [], transit: 0, gap: 0 } });
  const because = whyRetryThen(open, rejection(), COLLECT_BY, LIMIT - HOUR);
  expect(because).toEqual({ because: 'last_chance', firstFailureAt: toIso(FIRST) });
});

it('the explanation of a requested retry says until when it may be made', () => {
  expect(retryDetails(active(), COLLECT_BY)).toBeNull();
  expect(retryDetails(active({}, { open: rejectedOnce() }), COLLECT_BY)).toEqual({
    attempt: 1,
    detail: rejection().detail,
    firstFailureAt: toIso(FIRST),
    retryUntil: toIso(LIMIT),
  });
});

const closing = (reason: ClosingReason): Closing => ({
  kind: 'close',
  cycle: 0,
  status: 'skipped',
  reason,
  window: { dueAt: FIRST, collectBy: COLLECT_BY },
});

it('the explanation of an uncollected cycle says when its window closed', () => {
  expect(closingDetails(active(), closing('window_closed'))).toEqual({ collectBy: toIso(COLLECT_BY) });
});

it('the explanation of an uncollected cycle names the pause in which it fell due, or which stopped it', () => {
  const before = { since: FIRST - HOUR, until: FIRST + HOUR };
  const later = { since: FIRST + HOUR, until: null };
  const pauseOf = (pauses: SubscriptionState['pauses']) => closingDetails(active({}, { pauses }), closing('paused'));
  expect(pauseOf([before, later])).toMatchObject({
    pause: { since: toIso(FIRST - HOUR), until: toIso(FIRST + HOUR) },
  });
  expect(pauseOf([later])).toMatchObject({ pause: { since: toIso(FIRST + HOUR), until: null } });
  expect(pauseOf([])).toEqual({ collectBy: toIso(COLLECT_BY) });
});

it('the explanation of an uncollected cycle gives the last refusal', () => {
  const state = active({}, { open: openCycle({ rejection: rejection({ attempt: 3 }), policy: NO_MARGIN }) });
  expect(closingDetails(state, closing('retries_used'))).toMatchObject({
    rejection: { attempt: 3, detail: rejection().detail, at: toIso(rejection().at) },
  });
});

const groundsOf = (open: Partial<OpenCycle>) =>
  closingDetails(active({}, { open: rejectedOnce(FIRST, open) }), closing('capture_failed'));

it('the explanation of a cycle whose capture failed names that attempt, and no earlier refusal', () => {
  const named = { authorizationId: 'aut_1' as AuthorizationId, captureId: 'cap_1' as CaptureId };
  const failedCapture = { attempt: 1, detail: 'BANK_SAYS_NO', ...named };
  expect(groundsOf({ captureFailed: true, failedCapture })).toEqual({
    collectBy: toIso(COLLECT_BY),
    ...failedCapture,
  });
});

it('the explanation of a cycle whose capture failed names no attempt if the state has none', () => {
  expect(groundsOf({ captureFailed: true })).toEqual({ collectBy: toIso(COLLECT_BY) });
});
