import { chmodSync, existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRecentEnough, provideTemporal } from '../../src/embedded/temporal/program';
import { recordingLog, silentLog } from '../support/silent-log';

/** A simulated machine that has only the programs in `bin`. */
let machine: string;
const realPath = process.env['PATH'];

beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), 'dueday-machine-'));
  mkdirSync(join(machine, 'bin'));
  process.env['PATH'] = join(machine, 'bin');
  // Nothing answers there: the SDK's download fails at once instead of reaching the network.
  process.env['HTTPS_PROXY'] = 'http://127.0.0.1:9';
});

afterEach(() => {
  process.env['PATH'] = realPath;
  delete process.env['HTTPS_PROXY'];
  rmSync(machine, { recursive: true, force: true });
});

function install(name: string, script: string): void {
  writeFileSync(join(machine, 'bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(machine, 'bin', name), 0o755);
}

const temporalOf = (server: string): string => `echo 'temporal version 0.0.0-DEV (Server ${server}, UI 2.42.1)'`;

/** Answers `go env`, and "builds" a program into GOBIN. */
function installGo(built: string): void {
  install(
    'go',
    [
      `[ "$1" = env ] && { echo go1.26.8; exit 0; }`,
      `echo "$@" >'${machine}/go-arguments'`,
      `printf '#!/bin/sh\\n%s\\n' "${built}" >"$GOBIN/temporal"`,
      `/bin/chmod +x "$GOBIN/temporal"`,
    ].join('\n'),
  );
}

test('temporal from PATH is used if its server is recent enough', async () => {
  install('temporal', temporalOf('1.29.0'));
  expect(await provideTemporal(silentLog(), machine)).toEqual({ path: 'temporal', serverVersion: '1.29.0' });
});

test('the pinned version of temporal is built if PATH has none and the download host is unreachable', async () => {
  installGo(temporalOf('1.29.1'));

  const program = await provideTemporal(silentLog(), join(machine, 'cache'));

  const folder = join(machine, 'cache', `temporal-v1.5.1-${platform()}-${arch()}`);
  expect(program).toEqual({ path: join(folder, 'temporal'), serverVersion: '1.29.1' });
  expect(readFileSync(join(machine, 'go-arguments'), 'utf8')).toContain(
    'github.com/temporalio/cli/cmd/temporal@v1.5.1',
  );
});

test('an old temporal on PATH is ignored, with a message', async () => {
  install('temporal', temporalOf('1.28.9'));
  installGo(temporalOf('1.29.1'));
  const { log, messages } = recordingLog();

  const program = await provideTemporal(log, join(machine, 'cache'));

  expect(program.serverVersion).toBe('1.29.1');
  expect(messages).toContain('temporal on PATH has server 1.28.9, but dueday needs 1.29 or newer: not used');
});

test('the error says what was tried and what to install if no way to get temporal works', async () => {
  install('go', 'echo "no module host answers" >&2; exit 1');

  const attempt = provideTemporal(silentLog(), join(machine, 'cache'));

  await expect(attempt).rejects.toThrow(
    /could not be obtained\.\n- download by the Temporal SDK: (.|\n)*- build with Go: (.|\n)*no module host answers\nInstall the temporal command line/,
  );
});

test('a build of temporal that does not run is rejected', async () => {
  installGo('exit 3');
  const cache = join(machine, 'cache');

  await expect(provideTemporal(silentLog(), cache)).rejects.toThrow('build with Go: ');

  expect(existsSync(join(cache, `temporal-v1.5.1-${platform()}-${arch()}`))).toBe(false);
});

test.each([
  ['1.28.99', false],
  ['1.29.0', true],
  ['1.30.0', true],
  ['2.0.0', true],
  ['0.99.0', false],
])('server %s is recent enough: %s', (version, expected) => {
  expect(isRecentEnough(version)).toBe(expected);
});
