import { dayOf, periodBefore } from '../../src/console/views/common/periods';

test('the previous period is as long as the chosen period, and ends where the chosen period starts', () => {
  expect(periodBefore('2030-12-01T00:00:00.000Z', '2030-12-08T00:00:00.000Z')).toEqual({
    from: '2030-11-24T00:00:00.000Z',
    to: '2030-12-01T00:00:00.000Z',
  });
  expect(periodBefore('nonsense', '2030-12-08')).toEqual({ from: 'nonsense', to: '2030-12-08' });
});

test('a period before the first possible time, and a day after the last, do not exist', () => {
  const far = { from: '-200000-01-01T00:00:00.000Z', to: '2030-12-08T00:00:00.000Z' };
  expect(periodBefore(far.from, far.to)).toEqual(far);
  expect(dayOf('+275760-09-13T00:00:00.000Z', 0)).toBe('+275760-09-13');
  expect(dayOf('+275760-09-13T00:00:00.000Z', 1)).toBeNull();
  expect(dayOf('nonsense', 0)).toBeNull();
});
