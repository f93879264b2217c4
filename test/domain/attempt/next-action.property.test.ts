import fc from 'fast-check';
import type { Attempt, Facts } from '../../../src/domain/attempt/attempt';
import { nextAction } from '../../../src/domain/attempt/next-action';
import { HOUR } from '../../../src/domain/time';
import { anyAttempt, anyFacts, STATES } from './any-facts';
import { AttemptModel, type Fate } from './attempt-model';
import { debit, DUE, END, NOW, sent, SETTLE, TRANSIT } from './facts-under-test';

/** What the state machine guarantees for any input. */

/** An independent statement of all rules that must hold before a POST. */
function maySend(
  attempt: Attempt,
  { now, send, ledger, consent, list, own: records, captures, ...rest }: Facts,
): boolean {
  const isDebit = attempt.recordKind === 'authorization';
  const isUnsent =
    send === null ||
    send.state === 'not_sent' ||
    (send.adopted && (send.state === 'rejected' || send.state === 'rejected_retryable'));
  const isInTime = !isDebit || (now >= DUE && now < END - TRANSIT);
  const isWhole = list?.kind === 'listed' && list.incomplete === undefined && Math.abs(list.clockLead ?? 0) <= 60_000;
  const ids =
    list?.kind === 'listed' ? list.records.filter(({ status }) => status !== 'failed').map(({ id }) => id) : [];
  const hasStranger = ids.length > 0;
  const lacksOne = records?.known.some(({ state, id }) => state === 'successful' && !ids.includes(id)) === true;
  const asksCaptures =
    isDebit && (attempt.isRetry || records?.known.some(({ state }) => state !== 'successful') === true);
  const isUncaptured =
    captures?.kind === 'listed' &&
    captures.records.length === 0 &&
    (captures as { incomplete?: string }).incomplete === undefined;
  return (
    isUnsent &&
    rest.reopened === null &&
    !attempt.settleOnly &&
    isInTime &&
    ledger !== null &&
    !ledger.isStopped &&
    !ledger.isHalted &&
    (!isDebit || consent?.kind === 'granted') &&
    isWhole &&
    records !== null &&
    !records.isOtherUnknown &&
    !hasStranger &&
    !lacksOne &&
    (!asksCaptures || isUncaptured)
  );
}

it('an attempt is sent only if every rule before a POST permits it', () => {
  let runs = 0;
  let sends = 0;
  fc.assert(
    fc.property(anyAttempt, anyFacts, (attempt, facts) => {
      runs += 1;
      if (nextAction(attempt, facts).kind !== 'send') return;
      sends += 1;
      expect(maySend(attempt, facts)).toBe(true);
    }),
    { numRuns: 5_000 },
  );
  // A share of all runs, because mutation tests limit the time of a property, and so the number of runs.
  expect(sends).toBeGreaterThan(runs / 50);
});

it('the next action never sends an attempt whose send has an open or a final outcome', () => {
  const states = STATES.filter((state) => state !== 'not_sent');
  fc.assert(
    fc.property(fc.constantFrom(...states), anyAttempt, anyFacts, (state, attempt, facts) => {
      expect(nextAction(attempt, { ...facts, send: sent({ state, id: 'aut_1' }) }).kind).not.toBe('send');
    }),
    { numRuns: 2_000 },
  );
});

it('an attempt is never tried again without a wait', () => {
  fc.assert(
    fc.property(anyAttempt, anyFacts, fc.integer({ min: 0, max: 1e8 }), (attempt, facts, age) => {
      const action = nextAction(attempt, { ...facts, age });
      if (action.kind === 'retry_later') expect(action.wait).toBeGreaterThan(0);
    }),
    { numRuns: 5_000 },
  );
});

const FATES: readonly Fate[] = ['accepted', 'not_sent', 'lost', 'late', 'never', 'refused', 'dies', 'dies_before'];

/** A window that `endAt` cuts short, so that only three sends fit and a run has few passes. */
const SHORT = { sendBefore: NOW + 8 * HOUR - TRANSIT, endsAt: NOW + 8 * HOUR };

const anyScript = fc.record({
  fates: fc.array(fc.constantFrom(...FATES), { maxLength: 6 }),
  unreadable: fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 20 }),
  lag: fc.integer({ min: 0, max: SETTLE - 1 }),
});

it('an attempt makes at most one debit, within its window, with no other send open, whatever happens to its POSTs', () => {
  fc.assert(
    fc.property(anyScript, (script) => {
      const model = new AttemptModel(debit(SHORT), script);
      const result = model.run();
      expect(model.made.length).toBeLessThanOrEqual(1);
      expect(model.openAtSend).toBe(0);
      expect(model.posts.every((at) => at >= DUE && at < SHORT.sendBefore)).toBe(true);
      const hasEnded = result?.kind === 'stored' || result?.kind === 'window_closed' || result?.kind === 'unknown';
      expect(hasEnded).toBe(true);
      if (model.made.length === 1) expect(model.sends.at(-1)).toMatchObject({ state: 'successful', id: 'aut_1' });
    }),
    { numRuns: 60, endOnFailure: true },
  );
}, 60_000);

it('an attempt settles at most two sends as never made, and sends no more after a third', () => {
  const model = new AttemptModel(debit(SHORT), { fates: Array<Fate>(9).fill('never'), unreadable: [], lag: 0 });
  expect(model.run()).toEqual({ kind: 'unknown' });
  expect(model.posts).toHaveLength(3);
  expect(model.sends.map(({ state }) => state)).toEqual(['not_sent', 'not_sent', 'unknown']);
});
