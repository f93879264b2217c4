import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDueday } from './dueday-process';

/** The folder of a simulated machine without Temporal and without a way to obtain it. */
let machine: string;

beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), 'dueday-machine-'));
  mkdirSync(join(machine, 'bin'));
  install('temporal', 'exit 1');
  install('go', '[ "$1" = env ] && { echo go1.26.8; exit 0; }\nexit 1');
  install('java', 'exit 0');
  install('mvn', 'exit 1');
});

afterEach(() => {
  rmSync(machine, { recursive: true, force: true });
});

function install(name: string, script: string): void {
  writeFileSync(join(machine, 'bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(machine, 'bin', name), 0o755);
}

/** A proxy at which nothing answers, so that a download fails at once instead of reaching the network. */
const withoutNetwork = () => ({
  PATH: `${join(machine, 'bin')}:${process.env['PATH']}`,
  HTTPS_PROXY: 'http://127.0.0.1:9',
});

it('demo reports on standard error what it fetches or builds, also without a terminal', async () => {
  // The database is never contacted, because Temporal is started first.
  const env = { ...withoutNetwork(), XDG_CACHE_HOME: machine, DATABASE_URL: 'postgresql://127.0.0.1:9/nowhere' };
  const { code, stdout, stderr } = await runDueday(['demo'], env);
  expect(code).toBe(1);
  const lines = stderr.split('\n');
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^temporal-\S+ is not in \S+ yet: fetching it once, which takes seconds to download, or about .* minutes to build/,
    ),
  );
  expect(lines).toContain('building Temporal v1.5.1 with go1.26.8: once, 3 to 5 minutes on two cores');
  expect(stdout).toBe('');
});

it('simulate needs neither Temporal nor a folder for it', async () => {
  const simulated = [
    '--repetition',
    'MONTHLY',
    '--first',
    '2027-01-31T09:00:00Z',
    '--years',
    '1',
    '--amount-cents',
    '1999',
  ];
  const env = { ...withoutNetwork(), XDG_CACHE_HOME: '/dev/null' };
  const { code, stdout, stderr } = await runDueday(['simulate', ...simulated], env);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('Temporal')]);
  expect(stdout).toContain('2027-12-31');
});
