import fc from 'fast-check';
import { doubtBegins, untilFreshSend, untilNextLook } from '../../activities/send-limits';
import { HOUR } from '../../src/domain/time';

const SETTINGS = {
  settle: 900_000,
  requestTimeout: 30_000,
  noticeBackoff: [],
  reconcileEveryDays: 7,
  owner: 'worker-1',
};
/** Real ms after its row within which a POST leaves (10 s) and is answered or given up (30 s). */
const ON_WIRE = 40_000;
const SENT = 1_000_000_000;

describe('doubt about a row without an outcome begins', () => {
  it.each([
    ['once its POST cannot be on the wire any more', SENT, SENT + ON_WIRE],
    ['then, a millisecond before it', SENT + ON_WIRE - 1, SENT + ON_WIRE],
    ['then, at that very millisecond', SENT + ON_WIRE, SENT + ON_WIRE],
    ['now, where that has passed by a millisecond', SENT + ON_WIRE + 1, SENT + ON_WIRE + 1],
    ['as if sent now, where the clock was set back since', SENT - 1, SENT - 1 + ON_WIRE],
    ['as if sent now, where it was set back by a day', SENT - 86_400_000, SENT - 86_400_000 + ON_WIRE],
  ])('%s', (_when, now, begins) => {
    expect(doubtBegins(SENT, now, SETTINGS)).toBe(begins);
  });

  it('no later than a settle time after it was sent, however long a request may take', () => {
    expect(doubtBegins(SENT, SENT, { ...SETTINGS, settle: 39_999 })).toBe(SENT + 39_999);
    expect(doubtBegins(SENT, SENT, { ...SETTINGS, settle: 40_001 })).toBe(SENT + ON_WIRE);
  });

  it('never in the past, nor later than the time on the wire from now', () => {
    const instant = fc.integer({ min: 0, max: 4e12 });
    fc.assert(
      fc.property(instant, instant, (sent, now) => {
        const begins = doubtBegins(sent, now, SETTINGS);
        return begins >= now && begins <= now + ON_WIRE;
      }),
    );
  });
});

describe('the next look at what is absent comes', () => {
  it.each([
    ['after the pause, long before it is settled', 5_000, 0, 900_000, 5_000],
    ['when it is settled, where the pause were longer', 5_000, 895_001, 900_000, 4_999],
    ['a millisecond before it is settled: then', 5_000, 899_999, 900_000, 1],
    ['at the moment of settling: after the whole pause', 5_000, 900_000, 900_000, 5_000],
    ['past it: after the whole pause', 60_000, 900_001, 900_000, 60_000],
  ])('%s', (_when, pause, now, settledAt, next) => {
    expect(untilNextLook(pause, now, settledAt)).toBe(next);
  });
});

describe('something sent in vain is sent afresh', () => {
  const clock = (realNow: number, speed = 1) => {
    return { realNow: () => realNow, setting: { virtualStart: 0, realStart: 0, speed } };
  };
  const until = (sends: number, waited: number, settings = SETTINGS, speed = 1) =>
    untilFreshSend({ sends, lastInDoubtReal: SENT }, clock(SENT + waited, speed), settings);

  it.each([
    ['at once after the first', 1, 900_000, 0],
    ['after twice the settle time after the second', 2, 900_000, 900_000],
    ['a millisecond before that: in a millisecond', 2, 1_799_999, 1],
    ['then', 2, 1_800_000, 0],
    ['after four times the settle time after the third', 3, 900_000, 2_700_000],
    ['after four hours after the fifth', 5, 900_000, 4 * HOUR - 900_000],
    ['after four hours after the hundredth', 100, 900_000, 4 * HOUR - 900_000],
    ['after four hours after the ten thousandth', 10_000, 4 * HOUR - 1, 1],
    ['at once where the clock was set back since', 9, -1, 0],
  ])('%s', (_when, sends, waited, expected) => {
    expect(until(sends, waited)).toBe(expected);
  });

  it('after four hours of business time on a fast test clock, or the settle time where that is more', () => {
    expect(until(9, 0, { ...SETTINGS, settle: 100 }, 14_400)).toBe(1_000);
    expect(until(9, 0, { ...SETTINGS, settle: 2_000 }, 14_400)).toBe(2_000);
  });

  it('at once where nothing was', () => {
    expect(untilFreshSend({ sends: 0, lastInDoubtReal: null }, clock(SENT), SETTINGS)).toBe(0);
  });
});
