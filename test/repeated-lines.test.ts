import { createLogger, loggable } from '../src/platform/log';
import { MINUTE } from '../src/domain/time';
import { RepeatedLines } from '../src/platform/repeated-lines';

/** A timer by hand, and every line that was written. */
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

test('a failure that repeats is written once, and then once a minute with the latest of it and a count', () => {
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

test('a failure that is over for a minute is written at once when it comes back', () => {
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
])('a failure with %s is one of its own', (_what, fields, message) => {
  const { written, fail } = byHand();
  fail(refused);
  fail(fields, message);
  expect(written).toHaveLength(2);
});

test('counts within a message, and ids beside it, make no other failure', () => {
  const { written, fail } = byHand();
  fail({ ...refused, noticeId: 'a' }, 'retried 7 times');
  fail({ ...refused, noticeId: 'b' }, 'retried 12 times');
  expect(written).toHaveLength(1);
});

test('the log leaves out repeated warnings of failures alone: faults of ours and events stay one by one', () => {
  const written: string[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
  const log = createLogger('info');
  const stream = Object.getOwnPropertySymbols(log).find((each) => String(each) === 'Symbol(pino.stream)')!;
  Object.assign(log, {
    [stream]: { write: (line: string) => written.push((JSON.parse(line) as { msg: string }).msg) },
  });
  for (let n = 0; n < 3; n += 1) {
    log.warn({ err: loggable(new Error('gone')) }, 'a search failed');
    log.child({ part: 'temporal' }).warn({ operation: 'poll' }, 'a call failed');
    log.error({ err: loggable(new Error('ours')) }, 'request failed');
    log.warn({ security: 'access.refused' }, 'security event');
    log.info({ err: null }, 'stopped');
  }
  write.mockRestore();
  const times = (msg: string) => written.filter((each) => each === msg).length;
  expect(['a search failed', 'a call failed', 'request failed', 'security event', 'stopped'].map(times)).toEqual([
    1, 1, 3, 3, 3,
  ]);
});

test('an error without words or a code of its own shows those of what failed first', () => {
  const first = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' });
  expect(loggable(new AggregateError([first, new Error('the other address')]))).toMatchObject({
    ...{ type: 'AggregateError', message: 'connect ECONNREFUSED ::1:5432', code: 'ECONNREFUSED' },
  });
  expect(loggable(new TypeError('fetch failed', { cause: first }))).toMatchObject({
    ...{ type: 'TypeError', message: 'fetch failed', code: 'ECONNREFUSED' },
  });
});
