import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDueday } from './dueday-process';

/** A machine of the test's own, on which neither Temporal nor what could bring it is to be had. */
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

const SIMULATED = ['--repetition', 'MONTHLY', '--first', '2027-01-31T09:00:00Z', '--years', '1'];

it.each([
  ['demo', ['demo'], 'building Temporal v1.5.1 with go1.26.8: once, 3 to 5 minutes on two cores'],
  [
    'simulate',
    ['simulate', ...SIMULATED, '--amount-cents', '1999'],
    "fetching Temporal's time-skipping server 1.38.0 with Maven",
  ],
])(
  '%s says in plain lines on standard error what it fetches or builds, without a terminal too',
  async (_name, args, building) => {
    const env = {
      PATH: `${join(machine, 'bin')}:${process.env['PATH']}`,
      XDG_CACHE_HOME: machine,
      // Nothing answers there: the SDK's download fails at once instead of reaching the network.
      HTTPS_PROXY: 'http://127.0.0.1:9',
      // Never reached: what stands on Temporal comes after it.
      DATABASE_URL: 'postgresql://127.0.0.1:9/nowhere',
    };
    const { code, stdout, stderr } = await runDueday(args, env);
    expect(code).toBe(1);
    const lines = stderr.split('\n');
    expect(lines).toContainEqual(
      expect.stringMatching(/^temporal-\S+ is not in \S+ yet: it is fetched once, in .* minutes/),
    );
    expect(lines).toContain(building);
    expect(stdout).toBe('');
  },
);

it("simulate ends where Temporal cannot be had, though PostgreSQL is still coming up and nothing has used Temporal's library", async () => {
  const env = { XDG_CACHE_HOME: '/dev/null' };
  const { code, stderr } = await runDueday(['simulate', ...SIMULATED, '--amount-cents', '1999'], env);
  expect([code, stderr]).toEqual([1, expect.stringContaining('/dev/null')]);
});
