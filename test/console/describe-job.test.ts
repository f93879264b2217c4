import { describeJob, describeReplay, failuresOf, progressOf } from '../../src/console/views/jobs/describe';
import type { Job } from '../../src/console/views/common/schemas';

test('a comparison is named by the UTC days that it covers, including the last day', () => {
  const november = { kind: 'reconciliation', from: '2027-11-01T00:00:00.000Z', to: '2027-12-01T00:00:00.000Z' } as Job;
  expect(describeJob(november)).toBe('Comparison with the payment service, Nov 1, 2027 through Nov 30, 2027 (UTC)');
});

test.each([
  ['pause', 'Pause 12 subscriptions'],
  ['cancel', 'Cancel 12 subscriptions'],
  ['consent-check', 'Check consents of 12 subscriptions'],
  ['amount-change', 'Change the amount of 12 subscriptions'],
] as const)('a bulk job with the action %s is named like its button', (action, says) => {
  expect(describeJob({ kind: 'bulk', action, total: 12 } as Job)).toBe(says);
});

test.each([
  [{ state: 'running', done: 3, total: 4, refused: 0 }, 'Replay running: 3 of 4.'],
  [{ state: 'finished', done: 4, total: 4, refused: 1 }, 'Replay finished: 4 of 4, 1 failed.'],
  [{ state: 'running', done: 3, total: null, refused: 0 }, 'Replay running: 3.'],
] as const)('the text about the progress of a replay says how many events failed', (job, says) => {
  expect(describeReplay(job)).toBe(says);
});

test.each([
  ['bulk', 'None was refused.', '2 refused.', '3 of 4, 2 refused'],
  ['replay', 'None failed.', '2 failed.', '3 of 4, 2 failed'],
  ['reconciliation', 'None was unreadable.', '2 unreadable.', '3 of 4, 2 unreadable'],
] as const)('a job of the kind %s names its own failures', (kind, none, some, progress) => {
  expect(failuresOf({ kind, refused: 0 })).toBe(none);
  expect(failuresOf({ kind, refused: 2 })).toBe(some);
  expect(progressOf({ kind, done: 3, total: 4, refused: 2 })).toBe(progress);
});
