import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../../src/platform/log';
import { provideProgram } from '../../../src/embedded/cached-program';
import { cacheFolder } from '../../../src/embedded/folders';
import { readOutput, runOutside } from '../../../src/embedded/outside-command';
import { downloadBySdk } from '../../../src/embedded/temporal/sdk-download';
import { launchTimeSkipping } from './process';

const SERVER_VERSION = '1.38.0';
const SILENT_LOGGING_VERSION = '2.0.17';
const COPY_GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const LAUNCHER = 'temporal-test-server';
const ARCHIVE = 'classes.jsa';
/** Writing the archive takes seconds, and longer on a busy machine. */
const ARCHIVE_TIMEOUT_MS = 120_000;

/**
 * Temporal's server with a clock that skips waiting: a workflow's years last seconds. It is downloaded by the SDK or,
 * if that fails, fetched with Maven and run by Java.
 * @returns the path of the program that starts it; the program's first argument is the port
 */
export async function provideTimeSkippingServer(log: Logger, cacheDir = cacheFolder()): Promise<string> {
  const folder = await provideProgram({
    name: `temporal-test-server-${SERVER_VERSION}`,
    ways: [
      {
        name: 'download by the Temporal SDK',
        fill: (draft) => downloadBySdk('createTimeSkipping', SERVER_VERSION, draft, LAUNCHER),
      },
      { name: 'Maven', fill: (draft) => fetchByMaven(draft, log) },
    ],
    duration: 'in seconds or a few minutes',
    advice: 'Install Java 17 or newer and Maven, and see that Maven reaches its repositories.',
    cacheDir,
    log,
  });
  return join(folder, LAUNCHER);
}

async function fetchByMaven(draft: string, log: Logger): Promise<void> {
  await readOutput('java', ['-version']);
  log.info(`fetching Temporal's time-skipping server ${SERVER_VERSION} with Maven`);
  const pom = join(draft, 'pom.xml');
  await writeFile(pom, projectFile());
  await runOutside({
    command: 'mvn',
    args: [
      '--batch-mode',
      '--quiet',
      '--file',
      pom,
      COPY_GOAL,
      `-DoutputDirectory=${join(draft, 'lib')}`,
      '-DincludeScope=runtime',
    ],
  });
  await writeFile(join(draft, LAUNCHER), launcherScript());
  await chmod(join(draft, LAUNCHER), 0o755);
  await archiveClasses(draft, log);
}

/**
 * Makes Java store the classes that it has loaded and verified: a server that finds this archive starts in half the
 * time. Another version of Java ignores the archive.
 */
async function archiveClasses(draft: string, log: Logger): Promise<void> {
  try {
    const { server } = await launchTimeSkipping({
      command: join(draft, LAUNCHER),
      stopTimeoutMs: ARCHIVE_TIMEOUT_MS,
      javaOptions: `-XX:ArchiveClassesAtExit=${ARCHIVE}`,
      log,
    });
    await server.stop();
  } catch (error) {
    log.info(`it will start more slowly, as its classes could not be kept: ${(error as Error).message}`);
  }
}

function projectFile(): string {
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>dueday</groupId>
  <artifactId>time-skipping-server</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${SERVER_VERSION}</version>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-nop</artifactId>
      <version>${SILENT_LOGGING_VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;
}

/**
 * `exec` replaces the shell by Java, so that the process that started the script signals Java itself; a watcher ends
 * Java when the starter has gone. Servers live only a short time: code is compiled quickly rather than well, garbage is
 * collected without extra threads, and classes come from the archive. Java compares the class path with the archive's,
 * so it is relative.
 */
function launcherScript(): string {
  return `#!/bin/sh
folder=$(dirname "$0")
starter=$PPID
server=$$
{
  while kill -0 "$starter" && kill -0 "$server"; do sleep 1; done
  kill "$server"
} </dev/null >/dev/null 2>&1 &
cd "$folder"
archive=
if [ -f ${ARCHIVE} ]; then archive=-XX:SharedArchiveFile=${ARCHIVE}; fi
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 $archive -cp 'lib/*' io.temporal.testserver.TestServer "$@"
`;
}
