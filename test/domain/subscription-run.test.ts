import type { Step } from '../../src/contract/steps';
import { SubscriptionRun } from '../../src/contract/subscription-run';
import type { SubscriptionId } from '../../src/domain/ids';

/** What a subscription’s workflow remembers besides the ledger, and which steps it drops. */

const ID = 'sub-1' as SubscriptionId;
const START = Date.parse('2027-01-29T08:00:00.000Z');
const first = { cycle: 0, attempt: 0 };
const second = { cycle: 1, attempt: 0 };

const runOf = () => new SubscriptionRun({ subscriptionId: ID, clock: null });
const stepOf = (more: Partial<Step> = {}): Step => ({ kind: 'wait', revision: 0, summary: '', details: '', ...more });

test('a step that was decided before a signalled change is dropped, and a step of the signalled revision is accepted', () => {
  const run = runOf();
  run.beginActivity();
  run.handleChanged(5);
  expect(run.take(stepOf({ revision: 4 }))).toBeNull();
  expect(run.isChanged).toBe(true);
  const current = stepOf({ revision: 5 });
  expect(run.take(current)).toBe(current);
  expect(run.isChanged).toBe(false);
});

test('a step of an older revision is accepted if no change was signalled since its activity began', () => {
  const run = runOf();
  run.handleChanged(5);
  run.beginActivity();
  expect(run.take(stepOf({ revision: 4 }))).not.toBeNull();
});

test('an activity that ended without a step changes nothing', () => {
  const run = runOf();
  run.follow(first);
  expect(run.take(null)).toBeNull();
  expect(run.reference()).toEqual({ subscriptionId: ID, revision: 0, followed: [first] });
});

test.each([-1, 0.5, NaN, Infinity, 2 ** 53, '7' as unknown as number])(
  'a signal with %p, which is not a revision, is ignored',
  (revision) => {
    const run = runOf();
    run.handleChanged(revision);
    expect([run.isChanged, run.reference().revision]).toEqual([false, 0]);
  },
);

test('the newest revision is passed on, even if an older one arrives after it', () => {
  const run = runOf();
  run.handleChanged(7);
  run.handleChanged(3);
  expect(run.reference().revision).toBe(7);
});

test('an attempt is no longer followed once a step no longer names it as beside the current cycle', () => {
  const run = runOf();
  run.follow(first);
  run.follow(second);
  run.take(stepOf({ beside: [second] }));
  expect(run.reference().followed).toEqual([second]);
});

test('a step without a position of the audit log keeps the last known position', () => {
  const run = runOf();
  const mark = { epoch: 1, entry: 7, mac: 'signed' };
  run.take(stepOf({ mark }));
  run.take(stepOf());
  expect(run.reference().mark).toEqual(mark);
});

test('eight steps are made without a wait, and each further step waits twice as long as the previous one, up to a minute', () => {
  const run = runOf();
  const waits = Array.from({ length: 16 }, () => run.countStep() / 1000);
  expect(waits).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60]);
});

test.each([
  [999, 1000],
  [1000, 0],
])('after a wait of %i ms between two steps, the ninth step waits %i ms', (waited, wait) => {
  const run = runOf();
  for (let step = 0; step < 8; step += 1) run.countStep();
  run.noteWait(waited);
  expect(run.countStep()).toBe(wait);
});

test('a wait whose end has passed before it starts, as on a busy machine, does not delay the next steps', () => {
  const run = runOf();
  run.countStep();
  run.noteEarlyWait(START);
  const waits = Array.from({ length: 3 }, () => run.countStep());
  expect(waits).toEqual([0, 0, 0]);
  run.noteEarlyWait(START + 1);
  expect(run.countStep()).toBe(0);
});

test('if two waits have the same end, which has passed, the next steps wait', () => {
  const run = runOf();
  run.noteEarlyWait(START);
  expect(run.countStep()).toBe(0);
  run.noteEarlyWait(START);
  expect(run.countStep()).toBe(1000);
});

test('the next run gets all that the run remembers, but no step if a change was signalled after the step was decided', () => {
  const run = runOf();
  run.countStep();
  run.follow(first);
  const step = stepOf();
  const known = { subscriptionId: ID, clock: null, revision: 0, followed: [first], stepsAtOnce: 1 };
  expect(run.handOver(step)).toEqual({ ...known, step });
  run.handleChanged(2);
  expect(run.handOver(step)).toEqual({ ...known, revision: 2 });
});
