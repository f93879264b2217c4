import { arch, platform } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '../../platform/log';
import { provideProgram } from '../cached-program';
import { cacheFolder } from '../folders';
import { installByGo } from '../go-install';
import { readOutput } from '../outside-command';
import { downloadBySdk } from './sdk-download';

/** This version of Temporal's command line contains server 1.29.1 and its Web UI; newer ones cannot be built by `go install`. */
const CLI_VERSION = 'v1.5.1';
const CLI_MODULE = `github.com/temporalio/cli/cmd/temporal@${CLI_VERSION}`;
/** The oldest server that dueday is tested on. */
const OLDEST_SERVER = [1, 29] as const;

export interface TemporalProgram {
  path: string;
  /** The version of the server that the program prints, such as `1.29.1`. */
  serverVersion: string;
}

/**
 * The `temporal` program: from PATH if it is new enough, else from the user's cache, else downloaded by the SDK, else built with Go.
 * @throws if none of these works, with all reasons and what to do.
 */
export async function provideTemporal(log: Logger, cacheDir = cacheFolder()): Promise<TemporalProgram> {
  const installed = await installedTemporal(log);
  if (installed !== null) return installed;
  const folder = await provideProgram({
    name: `temporal-${CLI_VERSION}-${platform()}-${arch()}`,
    ways: [
      {
        name: 'download by the Temporal SDK',
        fill: (draft) => downloadBySdk('createLocal', CLI_VERSION, draft, 'temporal'),
      },
      { name: 'build with Go', fill: (draft, report) => buildTemporal(draft, log, report) },
    ],
    duration: 'which takes seconds to download, or about 5 minutes to build',
    advice:
      'Install the temporal command line (https://docs.temporal.io/cli), or Go 1.21 or newer to build it, ' +
      'or set TEMPORAL_ADDRESS to a running Temporal server.',
    cacheDir,
    log,
  });
  const path = join(folder, 'temporal');
  return { path, serverVersion: await readServerVersion(path) };
}

async function installedTemporal(log: Logger): Promise<TemporalProgram | null> {
  try {
    const serverVersion = await readServerVersion('temporal');
    if (isRecentEnough(serverVersion)) return { path: 'temporal', serverVersion };
    log.warn(
      `temporal on PATH has server ${serverVersion}, but dueday needs ${OLDEST_SERVER.join('.')} or newer: not used`,
    );
  } catch (error) {
    log.debug(`no usable temporal on PATH: ${String(error)}`);
  }
  return null;
}

/** Parses a line like `temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)`. */
async function readServerVersion(program: string): Promise<string> {
  const answer = await readOutput(program, ['--version']);
  const version = /\(Server (\d+\.\d+\.\d+)/.exec(answer)?.[1];
  if (version === undefined)
    throw new Error(`${program} --version answered ${JSON.stringify(answer)}, without a server version`);
  return version;
}

export function isRecentEnough(serverVersion: string): boolean {
  const [major = 0, minor = 0] = serverVersion.split('.').map(Number);
  return major > OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor >= OLDEST_SERVER[1]);
}

async function buildTemporal(draft: string, log: Logger, report: (progress: string) => void): Promise<void> {
  await installByGo({
    what: `Temporal ${CLI_VERSION}`,
    duration: '3 to 5 minutes on two cores',
    packages: [CLI_MODULE],
    folder: draft,
    log,
    report,
  });
  await readServerVersion(join(draft, 'temporal'));
}
