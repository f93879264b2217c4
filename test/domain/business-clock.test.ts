import fc from 'fast-check';
import { type ClockSetting, realDelay, toBusiness, DAY } from '../../src/domain/time';
import { at } from './subscription-under-test';

const REAL = at('2026-11-21T09:00:00.000');
const FAST: ClockSetting = { virtualStart: at('2027-01-31T10:00:00.000'), realStart: REAL, speed: 14_400 };

const settings = fc.record({
  virtualStart: fc.integer({ min: at('2020-01-01'), max: at('2060-01-01') }),
  realStart: fc.integer({ min: at('2026-01-01'), max: at('2030-01-01') }),
  speed: fc.oneof(
    fc.constantFrom(1, 60, 3600, 14_400, 86_400, 604_800),
    fc.double({ min: 0.01, max: 1_000_000, noNaN: true }),
  ),
});

it('business time without a test clock is real time', () => {
  expect(toBusiness(null, REAL)).toBe(REAL);
});

it.each([
  [-1, 0],
  [0, 0],
  [1, 1],
])('without a test clock, the wait for an instant %p ms ahead is %p ms', (ahead, wait) => {
  expect(realDelay(null, REAL, REAL + ahead)).toBe(wait);
});

it('business time with a test clock starts at the virtual start', () => {
  expect(toBusiness(FAST, REAL)).toBe(FAST.virtualStart);
});

it('business time with a test clock runs four hours a second at speed 14400', () => {
  expect(toBusiness(FAST, REAL + 1000)).toBe(FAST.virtualStart + 4 * 3_600_000);
});

it('business time with a test clock is also defined before the start of the clock', () => {
  expect(toBusiness(FAST, REAL - 1)).toBe(FAST.virtualStart - 14_400);
});

it('with a test clock, a wait is rounded up to whole real milliseconds', () => {
  expect(realDelay(FAST, REAL, FAST.virtualStart + 1)).toBe(1);
  expect(realDelay(FAST, REAL, FAST.virtualStart + 14_400)).toBe(1);
  expect(realDelay(FAST, REAL, FAST.virtualStart + 14_401)).toBe(2);
});

it('business time with a test clock does not wait for an instant that has passed', () => {
  expect(realDelay(FAST, REAL, FAST.virtualStart)).toBe(0);
  expect(realDelay(FAST, REAL, FAST.virtualStart - DAY)).toBe(0);
});

it('for instants throughout the first ten minutes, business time with a test clock has reached the instant when the wait is over', () => {
  const early = [];
  for (let ahead = 1; ahead <= 600_000; ahead += 7) {
    const until = FAST.virtualStart + ahead;
    if (toBusiness(FAST, REAL + realDelay(FAST, REAL, until)) < until) early.push(ahead);
  }
  expect(early).toEqual([]);
});

const anyWait = fc.tuple(settings, fc.integer({ min: 0, max: 30 * DAY }), fc.integer({ min: -DAY, max: 2000 * DAY }));

it('for any test clock, business time has reached the instant when the wait is over', () => {
  fc.assert(
    fc.property(anyWait, ([setting, elapsed, ahead]) => {
      const real = setting.realStart + elapsed;
      const until = toBusiness(setting, real) + ahead;
      expect(toBusiness(setting, real + realDelay(setting, real, until))).toBeGreaterThanOrEqual(until);
    }),
    { numRuns: 2000 },
  );
});

it('for any test clock a wait is 0 if and only if its instant has come, so that no loop waits for ever', () => {
  fc.assert(
    fc.property(anyWait, ([setting, elapsed, ahead]) => {
      const real = setting.realStart + elapsed;
      const until = toBusiness(setting, real) + ahead;
      expect(realDelay(setting, real, until) === 0).toBe(ahead <= 0);
    }),
    { numRuns: 2000 },
  );
});

it('on any test clock a wait is no longer than necessary, apart from rounding', () => {
  fc.assert(
    fc.property(anyWait, ([setting, elapsed, ahead]) => {
      const real = setting.realStart + elapsed;
      const until = toBusiness(setting, real) + ahead;
      const delay = realDelay(setting, real, until);
      const exact = (until - setting.virtualStart) / setting.speed - elapsed;
      expect(delay).toBeLessThanOrEqual(Math.max(0, Math.ceil(exact)) + 1);
    }),
    { numRuns: 2000 },
  );
});

it('for any test clock business time never runs backwards', () => {
  fc.assert(
    fc.property(settings, fc.nat(DAY), fc.nat(1000), (setting, elapsed, more) => {
      const real = setting.realStart + elapsed;
      expect(toBusiness(setting, real + more)).toBeGreaterThanOrEqual(toBusiness(setting, real));
    }),
  );
});

it('at a whole speed, any test clock maps whole real milliseconds to business time and back', () => {
  const whole = fc.tuple(settings, fc.integer({ min: 1, max: 86_400 }), fc.nat(30 * DAY));
  fc.assert(
    fc.property(whole, ([setting, speed, elapsed]) => {
      const clock = { ...setting, speed };
      const business = toBusiness(clock, clock.realStart + elapsed);
      expect(realDelay(clock, clock.realStart, business)).toBe(elapsed);
    }),
  );
});
