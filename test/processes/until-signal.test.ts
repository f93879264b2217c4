import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { requireFreshBuild } from '../support/fresh-build';

const DIST = join(__dirname, '../../dist/src');

/** Ms after which it counts as hanging. */
const TIMEOUT = 60_000;

/** Runs a scene in its own process, which sends itself signals: returns its log lines, and how it ended. */
function runScene(scene: string): { readonly said: readonly string[]; readonly ended: number | string | null } {
  requireFreshBuild();
  const program = `
    const { once } = require('node:events');
    const { createLogger } = require(${JSON.stringify(join(DIST, 'platform/log.js'))});
    const { untilSignal } = require(${JSON.stringify(join(DIST, 'process/command.js'))});
    const log = createLogger('info');
    const letEnd = async () => log.info('let end');
    const turn = () => new Promise(setImmediate);
    const terminate = () => process.kill(process.pid, 'SIGTERM');
    // Keeps the process alive, as a listener would.
    setInterval(() => undefined, 60_000);
    ${scene}`;
  const { stdout, status, signal } = spawnSync(process.execPath, ['-e', program], {
    encoding: 'utf8',
    timeout: TIMEOUT,
    killSignal: 'SIGKILL',
  });
  const lines = stdout.split('\n').filter(Boolean);
  return { said: lines.map((line) => (JSON.parse(line) as { msg: string }).msg), ended: status ?? signal };
}

const STOPPING = 'stopping: work in progress ends first';

test('a process that gets a signal exits with 0 once everything has ended', () => {
  expect(runScene('untilSignal(log, letEnd); terminate();')).toEqual({
    said: [STOPPING, 'let end', 'stopped'],
    ended: 0,
  });
});

test('a process that cannot continue exits with 1 once everything has ended', () => {
  expect(runScene(`untilSignal(log, letEnd, Promise.resolve('PostgreSQL has ended'));`)).toEqual({
    said: ['PostgreSQL has ended', STOPPING, 'let end', 'stopped'],
    ended: 1,
  });
});

test('a process with a failure during its stop logs it, completes the stop and exits with 1', () => {
  const scene = `
    let fail;
    const failed = new Promise((resolve) => (fail = resolve));
    const stop = async () => {
      fail('the worker has ended');
      await turn();
      await letEnd();
    };
    untilSignal(log, stop, failed);
    terminate();`;
  expect(runScene(scene)).toEqual({
    said: [STOPPING, 'the worker has ended', 'let end', 'stopped'],
    ended: 1,
  });
});

test('a process whose stop fails logs that and exits with 1', () => {
  expect(runScene(`untilSignal(log, () => Promise.reject(new Error('stuck'))); terminate();`)).toEqual({
    said: [STOPPING, 'stopping failed'],
    ended: 1,
  });
});

test('a process whose stop takes too long logs that and exits with 1', () => {
  expect(runScene('untilSignal(log, () => new Promise(() => undefined), undefined, 1); terminate();')).toEqual({
    said: [STOPPING, 'stopping took too long: remaining work is cut off'],
    ended: 1,
  });
});

test('a process that gets a signal while it starts stops only once it has started', () => {
  const scene = `
    const starting = once(process, 'SIGTERM').then(turn).then(() => log.info('started'));
    const stop = async () => {
      await starting;
      await letEnd();
    };
    untilSignal(log, stop, starting.then(() => new Promise(() => undefined)));
    terminate();`;
  expect(runScene(scene)).toEqual({
    said: [STOPPING, 'started', 'let end', 'stopped'],
    ended: 0,
  });
});

test('a failed start is left to the caller to report, and signals then end the process as by default', () => {
  const scene = `
      const report = (error) => {
        log.error(error.message);
        terminate();
      };
      untilSignal(log, letEnd, Promise.reject(new Error('no ledger'))).catch(report);`;
  expect(runScene(scene)).toEqual({ said: ['no ledger'], ended: 'SIGTERM' });
});

test('a failed start after a signal is logged once and exits with 1', () => {
  const scene = `
      const starting = once(process, 'SIGTERM').then(() => Promise.reject(new Error('no ledger')));
      untilSignal(log, () => starting, starting).catch(() => log.error('reported twice'));
      terminate();`;
  expect(runScene(scene)).toEqual({
    said: [STOPPING, 'stopping failed'],
    ended: 1,
  });
});
