import { stateFromLedger } from '../../src/domain/subscription/state-from-ledger';
import { isOpenStep, type Step } from '../../src/domain/subscription/step';
import { euros } from '../../src/domain/money';
import { HOUR } from '../../src/domain/time';
import { attempt, CLOSED, facts, NOW, REFUSED, startedCycle } from './ledger-facts';
import { FIRST } from './subscription-under-test';

/** Which facts from single rows of the ledger are in the state of a subscription. */

it('the state has the postponements, the hold and the noticed end of consent of the ledger, and omits fields that the ledger lacks', () => {
  const postponements = [{ cycle: 0, until: FIRST + HOUR }];
  const wanted = { postponements, heldUntil: FIRST + 2 * HOUR, endSeenAt: FIRST + 3 * HOUR };
  expect(stateFromLedger(facts(wanted), NOW)).toMatchObject(wanted);
  const without = stateFromLedger(facts(), NOW);
  for (const name of Object.keys(wanted)) expect(without).not.toHaveProperty(name);
});

it('a pause that stops a subscription which is already paused changes neither status nor pauses', () => {
  const pauses = [{ since: FIRST - HOUR, until: null }];
  const state = stateFromLedger(facts({ status: 'paused', pauses, stoppedBy: 'pause' }), NOW);
  expect(state).toMatchObject({ status: 'paused', pauses, cancellation: null });
});

const openOf = (...attempts: ReturnType<typeof attempt>[]) =>
  stateFromLedger(facts({ startedCycles: [startedCycle({ attempts })] }), NOW).open;

it('a rejection has the time of its send if that is known', () => {
  expect(openOf({ ...REFUSED, sentAt: FIRST + 5 })?.rejection).toEqual({
    attempt: 0,
    at: FIRST,
    sentAt: FIRST + 5,
    detail: 'NO_MONEY',
    description: 'ask again',
    retryable: true,
  });
  expect(openOf(REFUSED)?.rejection).not.toHaveProperty('sentAt');
});

it('an open cycle has its failed capture with the ids, and no such field without a failed capture', () => {
  const failed = attempt('capture_failed', { authorizationId: 'aut_1' as never, captureId: 'cap_1' as never });
  expect(openOf(failed)).toMatchObject({
    captureFailed: true,
    failedCapture: { attempt: 0, authorizationId: 'aut_1', captureId: 'cap_1', detail: 'CAPTURE_FAILED' },
  });
  expect(openOf(REFUSED)).toMatchObject({ captureFailed: false });
  expect(openOf(REFUSED)).not.toHaveProperty('failedCapture');
});

it('the last of three attempts is followed while it is pending past its window', () => {
  const attempts = [REFUSED, { ...REFUSED, attempt: 1 }, attempt('pending', { attempt: 2 })];
  const state = stateFromLedger(facts({ startedCycles: [startedCycle({ attempts })] }), CLOSED);
  expect(state.pending).toMatchObject([{ cycle: 0, attempt: 2, amount: euros(1500) }]);
});

it.each([
  ['pending', 'its outcome is awaited', 1],
  ['successful', 'its answer is stored', 1],
  ['rejected', 'its answer is stored', 1],
  ['not_sent', 'nothing was sent', 0],
  ['unknown', 'it is settled by its own cycle', 0],
] as const)('an attempt that is %s in a cycle that is over (%s): %p attempts are followed', (state, _, followed) => {
  const cycle = startedCycle({ attempts: [attempt(state)] });
  expect(stateFromLedger(facts({ lastOver: 0, startedCycles: [cycle] }), NOW).pending).toHaveLength(followed);
});

it.each([
  ['wait', true],
  ['await_consent', true],
  ['cancel_consent', true],
  ['collect', true],
  ['follow', true],
  ['finish', true],
  ['close', false],
  ['notify', false],
  ['resume', false],
  ['complete', false],
  ['announce', false],
  ['drop_change', false],
])('whether a step %s needs more than a write to the ledger: %p', (kind, isOpen) => {
  expect(isOpenStep({ kind } as Step)).toBe(isOpen);
});
