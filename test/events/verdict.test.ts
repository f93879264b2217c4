import { DAY, HOUR, MINUTE, SECOND } from '../../src/domain/time';
import { loadConfig } from '../../src/config';
import { judgeTry, readRetryAfter } from '../../src/webhooks/verdict';

const WAITS = loadConfig({}).EVENT_BACKOFF_SECONDS;

const failed = { status: 500, retryAfter: null };

test('a delivery is tried ten times, at once and then after growing waits, over 75.6 hours', () => {
  expect(WAITS).toHaveLength(9);
  expect(WAITS.reduce((sum, each) => sum + each, 0) / 3600).toBeCloseTo(75.6, 1);
  expect(judgeTry(failed, 9, WAITS).state).toBe('pending');
  expect(judgeTry(failed, 10, WAITS)).toEqual({ state: 'dead' });
});

test.each([200, 204, 299])('an event answered with %i is delivered', (status) => {
  expect(judgeTry({ status, retryAfter: null }, 1, WAITS)).toEqual({ state: 'delivered' });
});

test.each([null, 199, 300, 301, 307, 400, 410, 429, 500])(
  'an event is tried again if its answer has the status %p (null: no answer)',
  (status) => {
    expect(judgeTry({ status, retryAfter: null }, 1, WAITS).state).toBe('pending');
  },
);

test('the wait before the next delivery attempt varies by up to a tenth', () => {
  const waits = Array.from({ length: 200 }, () => judgeTry(failed, 2, WAITS)).map((each) =>
    each.state === 'pending' ? each.wait : 0,
  );
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(4.5 * MINUTE);
  expect(Math.max(...waits)).toBeLessThanOrEqual(5.5 * MINUTE);
  expect(new Set(waits).size).toBeGreaterThan(10);
});

test("an endpoint's Retry-After replaces the wait before the next attempt if it is longer, up to a day", () => {
  expect(judgeTry({ status: 503, retryAfter: HOUR }, 1, WAITS)).toEqual({ state: 'pending', wait: HOUR });
  expect(judgeTry({ status: 503, retryAfter: 400 * DAY }, 1, WAITS)).toEqual({ state: 'pending', wait: DAY });
  expect(judgeTry({ status: 503, retryAfter: SECOND }, 4, WAITS)).toMatchObject({ state: 'pending' });
  expect(judgeTry({ status: 503, retryAfter: HOUR }, 10, WAITS)).toEqual({ state: 'dead' });
});

test.each<[string | undefined, number | null]>([
  ['120', 120 * SECOND],
  ['0', 0],
  ['Sun, 22 Nov 2026 10:00:30 GMT', 30 * SECOND],
  ['Sun, 22 Nov 2026 09:00:00 GMT', 0],
  ['soon', null],
  ['-5', 0],
  [undefined, null],
])('a Retry-After of %p asks for a wait of %p ms (null: for none)', (header, ms) => {
  expect(readRetryAfter(header, Date.UTC(2026, 10, 22, 10))).toBe(ms);
});
