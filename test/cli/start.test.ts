import { execFileSync } from 'node:child_process';
import { defaultsAt, exportLines, readSpeed, testClockAt } from '../../src/cli/start';
import { loadConfig, retryPolicyOf } from '../../src/config';
import { retryLimit } from '../../src/domain/subscription/retries';
import { DAY, SECOND } from '../../src/domain/time';
import { runDueday } from './dueday-process';

test('start prints lines from which a shell gets the address and the key of the admin API', () => {
  const lines = exportLines('http://127.0.0.1:8080', 'dd_key-1');
  const script = [...lines, `node -p 'process.env.DUEDAY_URL + " " + process.env.DUEDAY_KEY'`].join('\n');
  expect(execFileSync('sh', ['-c', script]).toString().trim()).toBe('http://127.0.0.1:8080 dd_key-1');
});

test.each([
  [undefined, 3600],
  ['1', 1],
  ['1.5', 1.5],
  ['14400', 14_400],
])('start with --speed %s plays %d virtual seconds per real second', (typed, speed) => {
  expect(readSpeed(typed, {})).toBe(speed);
});

test('the clock of start begins now and runs at its speed', () => {
  const now = Date.UTC(2026, 10, 21, 9);
  const { TEST_CLOCK } = loadConfig({ TEST_CLOCK: testClockAt(60, now) });
  expect(TEST_CLOCK).toEqual({ virtualStart: now, realStart: now, speed: 60 });
});

test.each(['0', '0.9', '14400.1', '-1', 'fast', '', '1e3'])(
  'start refuses --speed "%s", and names the value and what it expects',
  (typed) => {
    expect(() => readSpeed(typed, {})).toThrow(
      `--speed: expected a number from 1 to 14400; got ${JSON.stringify(typed)}`,
    );
  },
);

test('start refuses --speed together with a test clock, even if the test clock is given by a file', () => {
  for (const env of [{ TEST_CLOCK: 'a clock' }, { TEST_CLOCK_FILE: '/run/clock' }])
    expect(() => readSpeed('60', env)).toThrow('--speed: not allowed together with TEST_CLOCK');
  expect(readSpeed(undefined, { TEST_CLOCK: 'a clock' })).toBe(3600);
});

test('start exits 2 on an invalid speed before anything is started', async () => {
  const { code, stdout, stderr } = await runDueday(['start', '--speed', '99999']);
  expect([code, stdout, stderr]).toEqual([2, '', 'dueday: --speed: expected a number from 1 to 14400; got "99999"\n']);
});

test.each([1, 60, 3600, 7200, 14_400])(
  'at speed %d the last retry is at least a real second before the end of its 72 hours',
  (speed) => {
    const policy = retryPolicyOf(loadConfig(defaultsAt(speed)));
    const limit = retryLimit(0, 5 * DAY, policy);
    expect(policy.offsets).toHaveLength(3);
    expect((limit - policy.offsets[2]!) / speed).toBeGreaterThan(SECOND);
  },
);
