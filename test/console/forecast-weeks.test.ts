import { weeksOf } from '../../src/console/views/forecast/weeks';
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

test('the busiest day of a week decides its hours to collect', () => {
  const [week] = weeksOf([day('2027-01-04', 1, 3), day('2027-01-05', 9, 30), day('2027-01-06', 1, 4)]);
  expect(week?.hoursToCollect).toBe(30);
});

test('a week without a cap on calls has no hours to collect', () => {
  expect(weeksOf([day('2027-01-04', 1), day('2027-01-05', 1)])).toMatchObject([{ hoursToCollect: null }]);
});
