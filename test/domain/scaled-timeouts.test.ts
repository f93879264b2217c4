import { scaledTimeout } from '../../src/domain/time';

const clock = (speed: number) => ({ virtualStart: 0, realStart: 0, speed });

test('without a test clock a time-out is not scaled', () => {
  expect(scaledTimeout(null, 20_000)).toBe(20_000);
});

test('a time-out is not scaled on a clock at normal speed, or up to 12 hours of business time', () => {
  expect(scaledTimeout(clock(1), 20_000)).toBe(20_000);
  expect(scaledTimeout(clock(2160), 20_000)).toBe(20_000);
  expect(scaledTimeout(clock(2161), 20_000)).toBeLessThan(20_000);
});

test('at four hours a second a time-out of twenty seconds becomes three seconds, which are 12 hours of business time', () => {
  expect(scaledTimeout(clock(14_400), 20_000)).toBe(3000);
  expect(scaledTimeout(clock(14_399), 20_000)).toBeGreaterThan(3000);
});

test('scaling makes no time-out shorter than three seconds, and none longer than it was', () => {
  expect(scaledTimeout(clock(1_000_000), 20_000)).toBe(3000);
  expect(scaledTimeout(clock(1_000_000), 1000)).toBe(1000);
});
