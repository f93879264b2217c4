import { join, resolve } from 'node:path';
import { Connection } from '@temporalio/client';
import type { Logger } from '../../platform/log';
import { claimFolder } from '../folder-claim';
import { findFreePort } from '../free-port';
import { launchOnFreePorts, serverLife, waitUntilServing, type ServerLife } from '../server-life';
import { startSupervised, type SupervisedProcess } from '../supervised-process';
import { provideTemporal } from './program';

export interface TemporalOptions {
  log: Logger;
  /** Reports the download or build of the program, which happens once and takes minutes; by default the log. */
  progress?: Logger;
  /** Keeps workflows between runs; without it they are in memory. */
  dataDir?: string;
  /** Preferred port, 7233 by default; if taken, the next free one is used and logged. 0: any. */
  port?: number;
  /** Preferred port of the Web UI, 8233 by default; false: no Web UI. */
  uiPort?: number | false;
  /** Additional dynamic configuration. */
  settings?: Readonly<Record<string, number>>;
  cacheDir?: string;
}

export interface EmbeddedTemporal extends ServerLife {
  /** host:port of the gRPC service; its namespace is `default`. */
  address: string;
  /** Address of the Web UI; null if there is none. */
  uiUrl: string | null;
}

const NAME = "Temporal's server";
const HOST = '127.0.0.1';
const STOP_TIMEOUT_MS = 15_000;

/**
 * Starts Temporal's development server. It ends with this process, however that ends.
 * @throws FolderInUseError while another run uses the folder.
 */
export async function startTemporal(options: TemporalOptions): Promise<EmbeddedTemporal> {
  const { log } = options;
  const program = await provideTemporal(options.progress ?? log, options.cacheDir);
  const claim = options.dataDir === undefined ? null : await claimFolder(resolve(options.dataDir));
  try {
    const { server, address, uiUrl } = await launchOnFreePorts(async () => {
      const port = await findFreePort(options.port ?? 7233, 'Temporal', log);
      const uiPort =
        options.uiPort === false ? null : await findFreePort(options.uiPort ?? 8233, "Temporal's Web UI", log);
      const launched = launch(program.path, port, uiPort, options);
      await claim?.recordServer(launched.pid);
      await waitUntilServing(NAME, launched, () => reachTemporal(`${HOST}:${port}`, describeDefaultNamespace));
      log.info(`Temporal ${program.serverVersion} listens on port ${port}`);
      return {
        server: launched,
        address: `${HOST}:${port}`,
        uiUrl: uiPort === null ? null : `http://${HOST}:${uiPort}`,
      };
    });
    const life = serverLife(NAME, server, async () => claim?.release());
    return { address, uiUrl, ...life };
  } catch (error) {
    await claim?.release();
    throw error;
  }
}

/**
 * Settings of the server's single shard. Without the first, timers shorter than a second fire about a second late. Without the
 * second, its task queue is read only 20 times a second: each of the two tasks of an activity waits up to 50 ms even when idle.
 */
const FAST_SETTINGS = {
  'history.timerProcessorMaxTimeShift': '"10ms"',
  'history.transferProcessorMaxPollRPS': 1000,
};

function launch(command: string, port: number, uiPort: number | null, options: TemporalOptions): SupervisedProcess {
  const storage = options.dataDir === undefined ? [] : ['--db-filename', join(resolve(options.dataDir), 'temporal.db')];
  const ui = uiPort === null ? ['--headless'] : ['--ui-port', String(uiPort)];
  const settings = { ...FAST_SETTINGS, ...options.settings };
  const dynamic = Object.entries(settings).flatMap(([name, value]) => ['--dynamic-config-value', `${name}=${value}`]);
  return startSupervised({
    command,
    args: [
      'server',
      'start-dev',
      '--ip',
      HOST,
      '--port',
      String(port),
      '--log-level',
      'warn',
      ...ui,
      ...storage,
      ...dynamic,
    ],
    // After a panic, its last lines then show the reason instead of a stack trace.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], GOTRACEBACK: 'none' },
    stopSignal: 'TERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    onLine: (line) => options.log.debug({ program: 'temporal' }, line),
  });
}

/** Checks that the server answers. @throws if it does not */
export async function reachTemporal(
  address: string,
  probe: (connection: Connection) => Promise<unknown> = async () => undefined,
): Promise<void> {
  // Not with `connect`, which leaves its connection open if it fails.
  const connection = Connection.lazy({ address, connectTimeout: '2s' });
  try {
    await connection.ensureConnected();
    await probe(connection);
  } finally {
    await connection.close();
  }
}

function describeDefaultNamespace({ workflowService }: Connection): Promise<unknown> {
  return workflowService.describeNamespace({ namespace: 'default' });
}
