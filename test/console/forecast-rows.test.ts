import { overdueText, retriesOf, weeksOf } from '../../src/console/views/forecast/rows';
import { euros } from './lives';

const day = (on: string, cycles: number, hoursToCollect: number | null = null) => ({
  day: on,
  due: { count: cycles, amount: euros(cycles * 1000) },
  openRetries: 1,
  hoursToCollect,
});

test('the days of a forecast are summed by week, from Monday to Sunday', () => {
  expect(weeksOf([day('2027-01-03', 1), day('2027-01-04', 2), day('2027-01-10', 3), day('2027-01-11', 4)])).toEqual([
    { ...day('2026-12-28', 1) },
    { ...day('2027-01-04', 5), openRetries: 2 },
    { ...day('2027-01-11', 4) },
  ]);
});

test('the hours to collect of a week are those of its busiest day', () => {
  const [week] = weeksOf([day('2027-01-04', 1, 3), day('2027-01-05', 9, 30), day('2027-01-06', 1, 4)]);
  expect(week?.hoursToCollect).toBe(30);
});

test('a week without a cap on calls has no hours to collect', () => {
  expect(weeksOf([day('2027-01-04', 1), day('2027-01-05', 1)])).toMatchObject([{ hoursToCollect: null }]);
});

test('the forecast marks overdue retries, also in the row of a week', () => {
  const [week] = weeksOf([{ ...day('2027-01-04', 1), overdueRetries: 1 }, day('2027-01-05', 1)]);
  expect(week).toMatchObject({ openRetries: 2, overdueRetries: 1 });
  expect(retriesOf({ openRetries: 1204, overdueRetries: 3 })).toBe('1,204, of which 3 overdue');
  expect(retriesOf({ openRetries: 2 })).toBe('2');
});

test.each([
  [1, '1 retry is overdue: it was planned for before now and has not been made.'],
  [3, '3 retries are overdue: they were planned for before now and have not been made.'],
])('the text for %i overdue retries distinguishes them from planned ones', (overdueRetries, says) => {
  expect(overdueText({ due: { count: 0, amount: euros(0) }, overdueRetries })).toContain(says);
  expect(overdueText({ due: { count: 0, amount: euros(0) } })).toBeNull();
});
