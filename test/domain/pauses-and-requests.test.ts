import {
  acknowledge,
  afterConsent,
  isPausedAsAsked,
  refuseAcknowledge,
  refuseCancel,
  refusePause,
  refuseResume,
  startCancelling,
} from '../../src/domain/subscription/requests';
import { DAY, HOUR, LAST_INSTANT } from '../../src/domain/time';
import { currentPause, isPaused, pausesFrom, pause, resume } from '../../src/domain/subscription/pauses';
import { takesOver } from '../../src/domain/subscription/replacements';
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from '../../src/domain/subscription/state';
import { active, at, FIRST } from './subscription-under-test';

const SINCE = at('2027-02-01');
const UNTIL = at('2027-03-01');
const cancellation = { at: SINCE, actor: 'merchant', reason: null };

function only(...allowed: SubscriptionStatus[]): [SubscriptionStatus, boolean][] {
  return SUBSCRIPTION_STATUSES.map((status) => [status, allowed.includes(status)]);
}

it.each([
  ['a millisecond before its start', SINCE - 1, false],
  ['at its start', SINCE, true],
  ['a millisecond before its end', UNTIL - 1, true],
  ['at its end', UNTIL, false],
])('a pause covers its start but not its end: an instant %s (rule 23)', (_, instant, paused) => {
  expect(isPaused([{ since: SINCE, until: UNTIL }], instant)).toBe(paused);
});

it('a pause without an end covers every later instant', () => {
  expect(isPaused([{ since: SINCE, until: null }], SINCE + 10_000 * DAY)).toBe(true);
});

it('a pause that was resumed in the instant of its start covers nothing', () => {
  const state = resume(pause(active(), SINCE, null), SINCE);
  expect(isPaused(state.pauses, SINCE)).toBe(false);
});

it.each([
  [-1, 0],
  [0, 0],
  [1, 1],
])('for a due date %p ms before the end of a past pause, %p past pauses are kept', (offset, kept) => {
  expect(pausesFrom([{ since: SINCE, until: UNTIL }], UNTIL - offset)).toHaveLength(kept);
});

it.each([
  ['a millisecond ago is refused', -1, 'invalid_request'],
  ['now is refused', 0, 'invalid_request'],
  ['a millisecond from now is allowed', 1, undefined],
])('a request for a pause until %s', (_, offset, code) => {
  expect(refusePause(active(), SINCE + offset, SINCE)?.code).toBe(code);
});

it.each(only('active'))('whether pausing a subscription that is %s is allowed: %p', (status, allowed) => {
  expect(refusePause(active({}, { status }), null, SINCE)?.code).toBe(allowed ? undefined : 'state_conflict');
});

it('a request for a pause is refused during a cancellation', () => {
  expect(refusePause(active({}, { cancellation }), null, SINCE)?.code).toBe('state_conflict');
});

it('the refusal of a pause that ends in the past names both instants', () => {
  expect(refusePause(active(), SINCE - 1, SINCE)?.message).toBe(
    'until must be in the future; got 2027-01-31T23:59:59.999Z, now is 2027-02-01T00:00:00.000Z',
  );
});

it.each(only('paused'))('whether resuming a subscription that is %s is allowed: %p', (status, allowed) => {
  expect(refuseResume(active({}, { status }))?.code).toBe(allowed ? undefined : 'state_conflict');
});

it('resuming is refused during a cancellation', () => {
  expect(refuseResume(active({}, { status: 'paused', cancellation }))?.code).toBe('state_conflict');
});

it('resuming ends the pause at the time of the request, and keeps it while the current due date may lie in it', () => {
  const resumed = resume(pause(active(), FIRST - HOUR, null), FIRST + HOUR);
  expect(resumed.status).toBe('active');
  expect(resumed.pauses).toEqual([{ since: FIRST - HOUR, until: FIRST + HOUR }]);
});

it('resuming at the due date of the current cycle forgets the pause, so that the cycle is collected', () => {
  expect(resume(pause(active(), FIRST - HOUR, null), FIRST).pauses).toEqual([]);
});

it.each([
  ['before the planned end', UNTIL - 1, UNTIL - 1],
  ['at the planned end', UNTIL, UNTIL],
  ['after the planned end, which an outage delayed', UNTIL + 1, UNTIL],
])('resuming %s never makes a pause longer', (_, resumedAt, until) => {
  const resumed = resume(pause(active(), FIRST - HOUR, UNTIL), resumedAt);
  expect(resumed.pauses).toEqual([{ since: FIRST - HOUR, until }]);
});

it('resuming changes no earlier pause', () => {
  const twice = pause(resume(pause(active(), FIRST - DAY, null), FIRST + 1), FIRST + HOUR, null);
  expect(resume(twice, FIRST + DAY).pauses).toEqual([
    { since: FIRST - DAY, until: FIRST + 1 },
    { since: FIRST + HOUR, until: FIRST + DAY },
  ]);
});

it('the pause in force is the last one, while the subscription is paused', () => {
  const state = pause(active(), SINCE, UNTIL);
  expect(currentPause(state)).toEqual({ since: SINCE, until: UNTIL });
  expect(currentPause(resume(state, SINCE + 1))).toBeNull();
});

it.each(only('pending_consent', 'active', 'paused', 'cancelled'))(
  'whether cancelling a subscription that is %s is allowed: %p',
  (status, allowed) => {
    expect(refuseCancel(active({}, { status }))?.code).toBe(allowed ? undefined : 'state_conflict');
  },
);

it('a cancellation may be requested twice', () => {
  expect(refuseCancel(active({}, { cancellation }))).toBeNull();
});

it('a request to cancel does not change the status before the service confirms', () => {
  const state = startCancelling(active(), cancellation);
  expect([state.status, state.cancellation]).toEqual(['active', cancellation]);
});

it('acknowledging is refused if nothing needs attention', () => {
  expect(refuseAcknowledge(active())?.code).toBe('state_conflict');
});

it('acknowledging clears every attention item and leaves the rest of the standing unchanged', () => {
  const state = active(
    {},
    { standing: { attention: ['unresolved:1', 'capture_failed:2'], dunning: true, pastDue: true } },
  );
  expect(refuseAcknowledge(state)).toBeNull();
  expect(acknowledge(state).standing).toEqual({ attention: [], dunning: true, pastDue: true });
});

const asked = active({}, { status: 'pending_consent' });

it('only a granted consent makes the subscription active', () => {
  expect(afterConsent(asked, { kind: 'granted' }).status).toBe('active');
  expect(afterConsent(asked, { kind: 'failed', reason: 'declined' }).status).toBe('consent_failed');
});

it.each(['payer', 'merchant'] as const)('a consent cancelled by the %s cancels the subscription', (by) => {
  const state = afterConsent(asked, { kind: 'cancelled', by, reason: null });
  expect([state.status, state.cancelledBy]).toEqual(['cancelled', by]);
});

it.each(SUBSCRIPTION_STATUSES.filter((status) => status !== 'pending_consent'))(
  'the answer to the consent request changes nothing of a subscription that is %s',
  (status) => {
    const state = active({}, { status });
    expect(afterConsent(state, { kind: 'failed', reason: 'timeout' })).toBe(state);
  },
);

describe('replacing a subscription (rule 22)', () => {
  it.each(only('active', 'paused'))('whether a subscription that is %s may be replaced: %p', (status, takes) => {
    expect(takesOver(active({}, { status }))).toBe(takes);
  });

  it('a subscription is never replaced while it is being cancelled', () => {
    expect(takesOver(active({}, { cancellation }))).toBe(false);
  });
});

it.each([
  ['until it is resumed', null, 'the subscription is paused until it is resumed; resume it first'],
  ['until an instant', UNTIL, 'the subscription is paused until 2027-03-01T00:00:00.000Z; resume it first'],
])('a second pause is refused, and says how long the first one lasts: %s', (_, until, message) => {
  const state = pause(active(), SINCE, until);
  expect(refusePause(state, UNTIL + DAY, SINCE)).toEqual({ code: 'state_conflict', message });
});

it('the refusal of a request that the state does not allow names the state', () => {
  const cancelled = { ...active(), status: 'cancelled' as const };
  const cancelling = startCancelling(active(), cancellation);
  const messageOf = (refusal: { readonly message: string } | null) => refusal?.message;
  expect(messageOf(refusePause(cancelled, null, SINCE))).toBe(
    'only an active subscription can be paused; it is cancelled',
  );
  expect(messageOf(refusePause(cancelling, null, SINCE))).toBe('the subscription is being cancelled');
  expect(messageOf(refuseResume(cancelling))).toBe('the subscription is being cancelled');
  expect(messageOf(refuseResume(active()))).toBe('only a paused subscription can be resumed; it is active');
  expect(messageOf(refuseCancel({ ...active(), status: 'completed' }))).toBe(
    'the subscription is completed; nothing is left to cancel',
  );
  expect(messageOf(refuseAcknowledge(active()))).toBe('nothing of this subscription needs attention');
});

it.each([
  ['the requested end', UNTIL, UNTIL, true],
  ['another end than requested', UNTIL, UNTIL + 1, false],
  ['an end, but none requested', UNTIL, LAST_INSTANT, false],
  ['no end, and none requested', null, LAST_INSTANT, true],
  ['no end, but one requested', null, UNTIL, false],
])('a pause with %s (until %p, requested until %p) is as requested: %p', (_, until, requested, expected) => {
  expect(isPausedAsAsked(pause(active(), SINCE, until), requested)).toBe(expected);
});

it('a subscription that is active or being cancelled does not count as paused as requested', () => {
  const paused = pause(active(), SINCE, UNTIL);
  expect(isPausedAsAsked({ ...paused, status: 'active' }, UNTIL)).toBe(false);
  expect(isPausedAsAsked(startCancelling(paused, cancellation), UNTIL)).toBe(false);
});

it('resuming ends the last pause, and leaves earlier ones as they were', () => {
  const [first, second] = [FIRST + DAY, FIRST + 3 * DAY];
  const once = resume(pause(active(), FIRST + HOUR, null), first);
  const twice = resume(pause(once, FIRST + 2 * DAY, null), second);
  expect(twice.pauses.map(({ until }) => until)).toEqual([first, second]);
});
