import { instant } from '../../src/console/format';
import { effectOfPause, sentCycles, skippable, waitingCycles } from '../../src/console/views/subscription/waiting';
import { at, attempt, cycle, life, noon, toCome } from './lives';

const numbersOf = (cycles: readonly { readonly cycle: number }[]) => cycles.map((each) => each.cycle);

test('a pause skips only due dates from now on; a cycle whose due date has passed waits (rule 23)', () => {
  const schedule = [toCome(1), toCome(2)];
  expect(numbersOf(skippable(schedule, noon(8)))).toEqual([2]);
  expect(numbersOf(skippable(schedule, Date.parse(at(8))))).toEqual([1, 2]);
});

test('a due cycle without any attempt waits, whether or not the ledger has it', () => {
  expect(numbersOf(waitingCycles(life(), noon(8)))).toEqual([1]);
  expect(numbersOf(waitingCycles(life(), noon(2)))).toEqual([]);
  const postponed = { cycles: [cycle(1, { status: 'scheduled', postponedUntil: at(10) })], coming: [toCome(2)] };
  expect(numbersOf(waitingCycles(life(postponed), noon(8)))).toEqual([1]);
});

const SENT = 'one that may still be debited';

test.each([
  ['whose attempt was refused', 'waiting', { status: 'dunning', attempts: [attempt('rejected_retryable')] }],
  ['whose attempt did not reach the service', 'waiting', { status: 'collecting', attempts: [attempt('not_sent')] }],
  ['that is pending', SENT, { status: 'collecting', attempts: [attempt('pending')] }],
  ['that has an unknown outcome', SENT, { status: 'collecting', attempts: [attempt('unknown')] }],
  ['that is unresolved', SENT, { status: 'unresolved', attempts: [] }],
] as const)('a cycle %s counts as %s', (_, countsAs, { status, attempts }) => {
  const shown = life({ cycles: [cycle(1, { status, attempts: [...attempts] })], coming: [] });
  expect([waitingCycles(shown, noon(8)).length, sentCycles(shown).length]).toEqual(countsAs === SENT ? [0, 1] : [1, 0]);
});

test('a refused attempt that is listed again may still be debited, although a later one was refused (rule 36)', () => {
  const attempts = [attempt('pending'), attempt('rejected_retryable', { attempt: 1 })];
  for (const status of ['dunning', 'failed', 'collected'] as const)
    expect(numbersOf(sentCycles(life({ cycles: [cycle(1, { status, attempts })] })))).toEqual([1]);
});

test('the text about a pause says until when a waiting cycle can still be collected or retried, and how it ends otherwise', () => {
  const untried = `It waits. If the pause ends before ${instant(at(13))}, it is collected. Otherwise it is skipped.`;
  expect(effectOfPause(toCome(1))).toBe(untried);
  expect(effectOfPause(cycle(1, { status: 'collecting', attempts: [attempt('not_sent')] }))).toBe(untried);
  const attempts = [attempt('rejected_retryable')];
  expect(effectOfPause(cycle(1, { status: 'dunning', attempts, retryUntil: at(11) }))).toBe(
    `Its retries wait. If the pause ends before ${instant(at(11))}, it can be retried. Otherwise it fails.`,
  );
});
