import { rename } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { provideProgram } from '../../src/embedded/cached-program';
import { cacheFolder } from '../../src/embedded/folders';
import { installByGo } from '../../src/embedded/go-install';
import { runOutside } from '../../src/embedded/outside-command';
import { provideTemporal } from '../../src/embedded/temporal/program';
import type { Logger } from '../../src/platform/log';
import { composeVersion } from '../support/compose-file';

const MODULE = 'go.temporal.io/server';
/** The names that the programs have in Temporal's images, by the last part of their path in the module. */
const PROGRAMS = { server: 'temporal-server', sql: 'temporal-sql-tool' };
/** Real ms after which a command of Temporal counts as hanging. */
const TIMEOUT = 120_000;

/** The programs of Temporal's images: the server, the tool for its schema, and the command line. */
export interface ClusterPrograms {
  readonly server: string;
  /** A PATH on which scripts find all these programs. */
  readonly path: string;
}

/** The server in the version that docker-compose.yml names, built by Go once and kept in the user's cache; and the command line. */
export async function provideClusterPrograms(log: Logger): Promise<ClusterPrograms> {
  const version = composeVersion('temporal');
  const folder = await provideProgram({
    name: `temporal-server-v${version}-${platform()}-${arch()}`,
    ways: [{ name: 'build with Go', fill: (draft, report) => build(version, draft, log, report) }],
    duration: 'in 5 to 10 minutes',
    advice: `Install the Go that ${MODULE} ${version} asks for in its go.mod.`,
    cacheDir: cacheFolder(),
    log,
  });
  const { path } = await provideTemporal(log);
  const folders = [folder, ...(path.includes('/') ? [dirname(path)] : []), process.env['PATH'] ?? ''];
  return { server: join(folder, PROGRAMS.server), path: folders.join(':') };
}

async function build(version: string, folder: string, log: Logger, report: (howFar: string) => void): Promise<void> {
  await installByGo({
    what: `Temporal's server ${version}`,
    duration: '5 to 10 minutes on two cores',
    packages: [`${MODULE}/cmd/server@v${version}`, `${MODULE}/cmd/tools/sql@v${version}`],
    folder,
    log,
    report,
  });
  for (const [built, name] of Object.entries(PROGRAMS)) await rename(join(folder, built), join(folder, name));
}

/** Runs a script of docker-compose.yml or of the documents to its end. @throws with its last lines if it fails */
export async function runScript(
  script: string,
  { path }: ClusterPrograms,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const lines: string[] = [];
  await runOutside({
    command: 'sh',
    args: ['-euc', script],
    env: { ...env, PATH: path },
    onLine: (line) => lines.push(line),
    giveUp: AbortSignal.timeout(TIMEOUT),
  });
  return lines.join('\n');
}
