import fc from 'fast-check';
import {
  checksHoldFor,
  isAlertDue,
  longestOnWire,
  probeInterval,
  sendDeadline,
  unknownSince,
  untilFreshSend,
  untilNextCheck,
} from '../../../src/domain/attempt/limits';
import { HOUR } from '../../../src/domain/time';

const SETTINGS = { settle: 900_000, requestTimeout: 30_000 };
/** How many real ms after its row a POST may be on the wire: it leaves within 10 s, and is answered or given up 30 s later. */
const ON_WIRE = 40_000;
const SENT = 1_000_000_000;

it.each([
  ['once the POST cannot be on the wire any more', SENT, SENT + ON_WIRE],
  ['at the end of the time on the wire, seen a millisecond before', SENT + ON_WIRE - 1, SENT + ON_WIRE],
  ['at the end of the time on the wire, seen at that millisecond', SENT + ON_WIRE, SENT + ON_WIRE],
  ['now, if the time on the wire ended a millisecond ago', SENT + ON_WIRE + 1, SENT + ON_WIRE + 1],
  ['as if sent now, if the clock has been set back since', SENT - 1, SENT - 1 + ON_WIRE],
  ['as if sent now, if the clock has been set back by a day', SENT - 86_400_000, SENT - 86_400_000 + ON_WIRE],
])('the outcome of a row "sending" becomes unknown: %s', (_when, now, begins) => {
  expect(unknownSince(SENT, now, SETTINGS)).toBe(begins);
});

it('the outcome of a row "sending" becomes unknown no later than a settle time after it was sent, however long a request may take', () => {
  expect(unknownSince(SENT, SENT, { ...SETTINGS, settle: 39_999 })).toBe(SENT + 39_999);
  expect(unknownSince(SENT, SENT, { ...SETTINGS, settle: 40_001 })).toBe(SENT + ON_WIRE);
});

it('the outcome of a row "sending" never becomes unknown in the past, nor later than the time on the wire from now', () => {
  const instant = fc.integer({ min: 0, max: 4e12 });
  fc.assert(
    fc.property(instant, instant, (sent, now) => {
      const begins = unknownSince(sent, now, SETTINGS);
      return begins >= now && begins <= now + ON_WIRE;
    }),
  );
});

it.each([
  ['after the wait, long before the send is settled', 5_000, 0, 900_000, 5_000],
  ['when the send is settled, if the wait would end later', 5_000, 895_001, 900_000, 4_999],
  ['when the send is settled, a millisecond later', 5_000, 899_999, 900_000, 1],
  ['after the whole wait at the moment of settling', 5_000, 900_000, 900_000, 5_000],
  ['after the whole wait if the moment of settling has passed', 60_000, 900_001, 900_000, 60_000],
])('the next check of an absent send comes %s', (_when, wait, now, settledAt, next) => {
  expect(untilNextCheck(wait, now, settledAt)).toBe(next);
});

const clock = (realNow: number, speed = 1) => {
  return { realNow, clock: { virtualStart: 0, realStart: 0, speed } };
};
const until = (sends: number, waited: number, more: { isAnswered?: boolean; sendBefore?: number } = {}, speed = 1) => {
  const asked = { sends, lastUnknownReal: SENT, isAnswered: false, sendBefore: null, ...more };
  return untilFreshSend(asked, clock(SENT + waited, speed), SETTINGS);
};

it.each([
  ['the first new send is made at once', 1, 900_000, 0],
  ['the second waits four hours from the unknown outcome of the first', 2, 900_000, 4 * HOUR - 900_000],
  ['the second waits until a millisecond before the four hours', 2, 4 * HOUR - 1, 1],
  ['the second is made after four hours', 2, 4 * HOUR, 0],
  ['the second is made at once if the clock was set back since', 2, -1, 0],
])('when an attempt is sent again after a send that was never made: %s (rule 39)', (_when, sends, waited, expected) => {
  expect(until(sends, waited)).toBe(expected);
});

it('after a send that was never made, a new send is made at once if the service has answered any POST readably since', () => {
  expect(until(2, 900_000, { isAnswered: true })).toBe(0);
});

it('after a send that was never made, a new send is made while its outcome can still be settled before the limit', () => {
  const { settle } = SETTINGS;
  const sendBefore = SENT + 2 * HOUR;
  expect(until(2, HOUR, { sendBefore })).toBe(HOUR - settle);
  expect(until(2, 2 * HOUR - settle - 1, { sendBefore })).toBe(1);
  expect(until(2, 2 * HOUR - settle, { sendBefore })).toBe(0);
});

it('after a send that was never made, a new send waits four hours of business time on a fast test clock', () => {
  expect(until(2, 0, {}, 14_400)).toBe(1_000);
});

it.each([0, 2])('a new send after %i others is made at once if none of them had an unknown outcome', (sends) => {
  const asked = { sends, lastUnknownReal: null, isAnswered: false, sendBefore: null };
  expect(untilFreshSend(asked, clock(HOUR), SETTINGS)).toBe(0);
});

it.each([
  ['a minute', 900_000, 60_000],
  ['the settle time if that is less', 2_000, 2_000],
])('the next probe of a silent service is sent after %s', (_what, settle, expected) => {
  expect(probeInterval({ settle })).toBe(expected);
});

it.each([
  ['ten seconds after its row, if the settle time is long', 900_000, 10_000],
  ['ten seconds after its row, if that is exactly four fifths of the settle time', 12_500, 10_000],
  ['four fifths of a shorter settle time after its row', 12_495, 9_996],
  ['four fifths of a settle time of one second after its row', 1_000, 800],
  ['a quarter of a second after its row, for a connection, if the settle time is hardly longer', 312, 250],
  ['a quarter of a second after its row, for a connection, if there is no settle time', 0, 250],
])('a POST leaves at the latest %s', (_when, settle, ms) => {
  expect(sendDeadline({ ...SETTINGS, settle })).toBe(ms);
});

it('a POST is on the wire until it has left and was answered or given up', () => {
  expect(longestOnWire(SETTINGS)).toBe(10_000 + 30_000);
});

it('a POST is permitted by consent and list for as long as both calls and the send deadline may take', () => {
  expect(checksHoldFor(SETTINGS)).toBe(10_000 + 30_000 + 30_000);
});

it.each([
  ['is not alerted a millisecond before two thirds of the settle time', 599_999, false, false],
  ['is alerted after two thirds of the settle time', 600_000, false, true],
  ['is never alerted while it may lag', 900_000, true, false],
])('an incomplete list %s', (_when, age, isLagging, expected) => {
  expect(isAlertDue(age, { isLagging }, SETTINGS)).toBe(expected);
});
