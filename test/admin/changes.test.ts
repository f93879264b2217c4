import { Changes } from '../../src/admin/webhooks/changes';
import type { Change } from '../../src/ledger';

const entry = (id: number): Change => ({ id, subscriptionId: `sub-${id}` as never, paymentId: null });
const reported = (...ids: readonly number[]) =>
  ids.map((id) => ({ event: 'change', data: { subscriptionId: `sub-${id}` } }));
const read = (endedBefore: number, startedBefore: number, ...ids: readonly number[]) => ({
  changes: ids.map(entry),
  endedBefore,
  startedBefore,
});
const changesAfter = (end: number) => new Changes({ mandateOf: null }, end);

test('an audit entry is reported as a change once, however often it is read', () => {
  const changes = changesAfter(1_000);
  expect(changes.takeDue(read(5, 6, 1_001), 0)).toEqual(reported(1_001));
  expect(changes.takeDue(read(6, 6, 1_001), 5_000)).toEqual([]);
});

test('the entries of a transaction that commits after hundreds of later ones are reported', () => {
  const changes = changesAfter(1_000);
  // Transaction 5 has reserved the ids 1,001 to 1,050, and has not committed.
  const later = Array.from({ length: 500 }, (_, at) => 1_051 + at);
  expect(changes.takeDue(read(5, 600, ...later), 0)).toHaveLength(500);
  expect(changes.takeDue(read(5, 700, ...later), 2_000)).toEqual([]);
  expect(changes.after).toBeLessThanOrEqual(1_000);
  expect(changes.takeDue(read(700, 700, 1_001, 1_050, ...later), 4_000)).toEqual(reported(1_001, 1_050));
});

test('entries are no longer read again once every transaction that could write before them has ended', () => {
  const changes = changesAfter(1_000);
  changes.takeDue(read(5, 6, 1_001), 0);
  changes.takeDue(read(6, 8, 1_001, 1_002), 0);
  expect(changes.after).toBe(1_000);
  changes.takeDue(read(8, 9, 1_001, 1_002, 1_003), 0);
  expect(changes.after).toBe(1_001);
  changes.takeDue(read(9, 9, 1_002, 1_003), 0);
  expect(changes.after).toBe(1_002);
});

test('an entry committed after the start of a stream is reported even if its id is lower than the last one before the start; entries before the start are not', () => {
  const changes = changesAfter(1_000);
  changes.skip(read(5, 6, 998, 1_000));
  expect(changes.takeDue(read(6, 6, 998, 999, 1_000), 0)).toEqual(reported(999));
});
