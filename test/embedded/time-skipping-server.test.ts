import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideTimeSkippingServer } from '../support/time-skipping/program';
import { identifyProcess } from '../../src/embedded/process-identity';
import { silentLog } from '../support/silent-log';
import { waitUntil } from '../support/wait-until';

/** A simulated machine whose Maven records its arguments and whose Java sleeps. */
let machine: string;
const realPath = process.env['PATH'] ?? '';

beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), 'dueday-machine-'));
  mkdirSync(join(machine, 'bin'));
  process.env['PATH'] = `${join(machine, 'bin')}:${realPath}`;
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

/** A Java that serves nothing: the run that archives the classes ends at once, any other one sleeps. */
function installJavaAndMaven(): void {
  const keepClasses = `case "$JDK_JAVA_OPTIONS" in -XX:ArchiveClassesAtExit=*) touch "\${JDK_JAVA_OPTIONS#*=}"; exit 1;; esac`;
  install('java', `[ "$1" = -version ] && exit 0\n${keepClasses}\necho "$$ $@" >'${machine}/java'\nexec sleep 60`);
  install('mvn', `while [ $# -gt 0 ]; do [ "$1" = --file ] && cp "$2" '${machine}/pom.xml'; shift; done; true`);
}

test('the time-skipping server comes from Maven, pinned, and starts with the given arguments', async () => {
  installJavaAndMaven();
  const launcher = await provideTimeSkippingServer(silentLog(), machine);

  const server = spawn(launcher, ['7777', '--enable-time-skipping'], { stdio: 'ignore', env: process.env });
  await waitUntil('java has started', () => javaLine() !== '');
  server.kill('SIGKILL');
  await once(server, 'close');

  expect(readFileSync(join(machine, 'pom.xml'), 'utf8')).toContain('<version>1.38.0</version>');
  expect(Number.parseInt(javaLine(), 10)).toBe(server.pid);
  expect(javaLine()).toMatch(
    / -XX:SharedArchiveFile=classes\.jsa -cp lib\/\* io\.temporal\.testserver\.TestServer 7777 --enable-time-skipping\n$/,
  );
});

test('the time-skipping server runs as one Java process, and ends when its starter is killed', async () => {
  installJavaAndMaven();
  const launcher = await provideTimeSkippingServer(silentLog(), machine);
  const starter = spawn('sh', ['-c', `'${launcher}' 7777; true`], { stdio: 'ignore', env: process.env });
  await waitUntil('java has started', () => javaLine() !== '');
  const java = Number.parseInt(javaLine(), 10);
  expect(identifyProcess(java)).not.toBeNull();

  starter.kill('SIGKILL');

  await waitUntil('java has ended', () => identifyProcess(java) === null);
});

test('the error says what to install if no way of obtaining the time-skipping server works', async () => {
  install('java', 'exit 0');
  install('mvn', 'echo "no repository answers"; exit 1');

  await expect(provideTimeSkippingServer(silentLog(), machine)).rejects.toThrow(
    /- download by the Temporal SDK: (.|\n)*- Maven: (.|\n)*no repository answers\nInstall Java 17 or newer and Maven/,
  );
});

function javaLine(): string {
  const file = join(machine, 'java');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
