import { createLogger, loggable, type Logger } from '../src/platform/log';
import { MINUTE } from '../src/domain/time';
import { RepeatedLines } from '../src/platform/repeated-lines';

/** Repeated lines with a timer that is advanced by hand, and every line that was written. */
function byHand() {
  const waiting: (() => void)[] = [];
  const written: Record<string, unknown>[] = [];
  const lines = new RepeatedLines((ms, work) => {
    expect(ms).toBe(MINUTE);
    waiting.push(work);
  });
  return {
    written,
    fail: (fields: Record<string, unknown>, message = 'a search failed') =>
      lines.add(fields, message, (shown, text) => void written.push({ ...shown, msg: text })),
    passMinute: () => waiting.splice(0).forEach((work) => work()),
  };
}

const refused = { err: { type: 'Error', code: 'ECONNREFUSED' } };

test('a failure that repeats is logged once, and then once a minute with the latest occurrence and a count', () => {
  const { written, fail, passMinute } = byHand();
  for (let n = 1; n <= 100; n += 1) fail({ ...refused, n });
  expect(written).toEqual([{ ...refused, n: 1, msg: 'a search failed' }]);
  passMinute();
  expect(written.slice(1)).toEqual([{ ...refused, n: 100, repeated: 99, msg: 'a search failed' }]);
  fail({ ...refused, n: 101 });
  expect(written).toHaveLength(2);
  passMinute();
  expect(written[2]).toMatchObject({ n: 101, repeated: 1 });
});

test('a failure that has not occurred for a minute is logged at once when it comes back', () => {
  const { written, fail, passMinute } = byHand();
  fail(refused);
  passMinute();
  expect(written).toHaveLength(1);
  fail(refused);
  expect(written).toHaveLength(2);
});

test.each([
  ['another message', refused, 'another search failed'],
  ['another code', { err: { type: 'Error', code: 'ETIMEDOUT' } }, 'a search failed'],
  ['another error without a code', { err: { type: 'TypeError' } }, 'a search failed'],
  ['another probe', { ...refused, probe: 'temporal' }, 'a search failed'],
])('a failure with %s is counted separately', (_what, fields, message) => {
  const { written, fail } = byHand();
  fail(refused);
  fail(fields, message);
  expect(written).toHaveLength(2);
});

test('messages that differ only in counts or in ids beside them are the same failure', () => {
  const { written, fail } = byHand();
  fail({ ...refused, noticeId: 'a' }, 'retried 7 times');
  fail({ ...refused, noticeId: 'b' }, 'retried 12 times');
  expect(written).toHaveLength(1);
});

test('failures of many kinds are logged in at most twenty lines in any minute, and each failure is counted', () => {
  const { written, fail, passMinute } = byHand();
  const KINDS = 40;
  const lines: number[] = [];
  for (let minute = 0; minute < 4; minute += 1) {
    const before = written.length;
    passMinute();
    for (let kind = 0; kind < KINDS; kind += 1) {
      // Half of them are new in each minute.
      const code = kind < KINDS / 2 ? `E${kind}` : `E${kind}_${minute}`;
      fail({ err: { type: 'Error', code } }, kind % 2 === 0 ? 'a call failed' : 'a search failed');
    }
    lines.push(written.length - before);
  }
  passMinute();
  // Any 60 seconds may include parts of two of these minutes.
  expect(Math.max(...lines)).toBeLessThanOrEqual(10);
  const counted = written.reduce((sum, { repeated }) => sum + (typeof repeated === 'number' ? repeated : 1), 0);
  expect(counted).toBe(4 * KINDS);
  expect(written.find(({ others }) => others !== undefined)).toMatchObject({
    repeated: expect.any(Number),
    others: expect.arrayContaining(['a call failed', 'a search failed']),
  });
});

test('a new failure is logged at once, even if many others repeat', () => {
  const { written, fail, passMinute } = byHand();
  for (let minute = 0; minute < 3; minute += 1) {
    for (let kind = 0; kind < 30; kind += 1) fail({ err: { code: `E${kind}` } });
    passMinute();
  }
  fail(refused, 'something else');
  expect(written.at(-1)).toEqual({ ...refused, msg: 'something else' });
});

/** The lines of a log, as they leave the process. */
function linesOf(write: (log: Logger) => void): readonly { readonly msg: string; readonly err?: unknown }[] {
  const lines: string[] = [];
  const log = createLogger('info');
  const stream = Object.getOwnPropertySymbols(log).find((each) => String(each) === 'Symbol(pino.stream)')!;
  Object.assign(log, { [stream]: { write: (line: string) => lines.push(line) } });
  write(log);
  return lines.map((line) => JSON.parse(line) as { msg: string; err?: unknown });
}

test("the log aggregates only repeated warnings, and errors of Temporal's library: faults of dueday and security events are written one by one", () => {
  const written = linesOf((log) => {
    for (let n = 0; n < 3; n += 1) {
      log.warn({ err: loggable(new Error('gone')) }, 'a search failed');
      log.child({ part: 'temporal' }).warn({ operation: 'poll' }, 'a call failed');
      log.child({ part: 'temporal' }).error({ sdkComponent: 'core' }, `a poll was retried ${n} times`);
      log.warn({ noticeId: String(n) }, 'notice undeliverable');
      log.error({ err: loggable(new Error('ours')) }, 'request failed');
      log.warn({ security: 'access.refused' }, 'security event');
      log.info({ err: null }, 'stopped');
    }
  }).map(({ msg }) => msg);
  const times = (msg: string) => written.filter((each) => each === msg).length;
  const counted = ['a search failed', 'a call failed', 'a poll was retried 0 times', 'notice undeliverable'];
  expect(counted.map(times)).toEqual([1, 1, 1, 1]);
  expect(['request failed', 'security event', 'stopped'].map(times)).toEqual([3, 3, 3]);
  expect(written).toHaveLength(13);
});

test('an error is logged with its own type, message and stack, whichever code made it loggable', () => {
  const written = linesOf((log) => {
    log.warn({ err: loggable(new RangeError('too far')) }, 'one');
    log.error({ err: new RangeError('too far') }, 'another');
    log.warn({ err: loggable(AbortSignal.abort(new DOMException('too late', 'TimeoutError')).reason) }, 'a third');
  });
  const tooFar = { type: 'RangeError', message: 'too far', stack: expect.stringContaining('too far') };
  expect(written.map(({ err }) => err)).toEqual([
    tooFar,
    tooFar,
    { type: 'TimeoutError', message: 'too late', stack: expect.any(String) },
  ]);
});

test('an error without a message or a code shows those of the first error that it wraps', () => {
  const first = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' });
  expect(loggable(new AggregateError([first, new Error('the other address')]))).toMatchObject({
    ...{ type: 'AggregateError', message: 'connect ECONNREFUSED ::1:5432', code: 'ECONNREFUSED' },
  });
  expect(loggable(new TypeError('fetch failed', { cause: first }))).toMatchObject({
    ...{ type: 'TypeError', message: 'fetch failed', code: 'ECONNREFUSED' },
  });
});
