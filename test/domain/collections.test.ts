import { type CollectionSum, collectionsByDay, collectionsOf } from '../../src/domain/reports/forecast';
import { DAY } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { CYCLE_STATUSES } from '../../src/domain/subscription/state';
import { at } from './subscription-under-test';

const MONDAY = at('2027-02-01');

function sum(status: CollectionSum['status'], cents: number, count: number, day = MONDAY): CollectionSum {
  return { day, status, amount: euros(cents), count };
}

it('in the report of collections, due is the sum of the collected, failed, skipped, missed and open amounts; refunds are separate', () => {
  const sums = [...CYCLE_STATUSES.map((status, index) => sum(status, 10 ** index, index + 1)), sum('refunded', 500, 2)];
  const figures = collectionsOf(sums);
  expect(figures).toEqual({
    due: { amount: euros(11_111_111), count: 36 },
    open: { amount: euros(10_000_111), count: 14 },
    collected: { amount: euros(1_000), count: 4 },
    failed: { amount: euros(10_000), count: 5 },
    skipped: { amount: euros(100_000), count: 6 },
    missed: { amount: euros(1_000_000), count: 7 },
    refunded: { amount: euros(500), count: 2 },
  });
});

it('the report of collections has every day of the period, with the sums of that day only', () => {
  const days = collectionsByDay({ from: MONDAY - 1, to: MONDAY + DAY + 1 }, [
    sum('collected', 100, 1),
    sum('missed', 30, 1),
    sum('collected', 7, 1, MONDAY + DAY),
  ]);
  expect(days.map(({ day, due, collected }) => [day - MONDAY, due.amount.value, collected.count])).toEqual([
    [-DAY, 0, 0],
    [0, 130, 1],
    [DAY, 7, 1],
  ]);
});
