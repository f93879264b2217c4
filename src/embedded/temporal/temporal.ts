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
  /** Hears of the program being fetched or built, once, and for minutes; the log where none is given. */
  progress?: Logger;
  /** Keeps workflows between runs; without it they live in memory. */
  dataDir?: string;
  /** Preferred port, 7233 where none is given; the next free one is taken and said. 0: any. */
  port?: number;
  /** Preferred port of the Web UI, 8233 where none is given; false leaves the Web UI out. */
  uiPort?: number | false;
  /** Dynamic configuration beside what every run has. */
  settings?: Readonly<Record<string, number>>;
  cacheDir?: string;
}

export interface EmbeddedTemporal extends ServerLife {
  /** host:port of the gRPC service; its namespace is `default`. */
  address: string;
  /** Address of the Web UI, null where it was left out. */
  uiUrl: string | null;
}

const NAME = "Temporal's server";
const HOST = '127.0.0.1';
const STOP_PATIENCE_MS = 15_000;

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
 * What the server's one shard is told. Without the first, timers shorter than a second fire about a second late. Without the
 * second, its queue of tasks is read 20 times a second: each activity takes a tenth of a second, however idle all is.
 */
const READS_AT_ONCE = {
  'history.timerProcessorMaxTimeShift': '"10ms"',
  'history.transferProcessorMaxPollRPS': 1000,
};

function launch(command: string, port: number, uiPort: number | null, options: TemporalOptions): SupervisedProcess {
  const storage = options.dataDir === undefined ? [] : ['--db-filename', join(resolve(options.dataDir), 'temporal.db')];
  const ui = uiPort === null ? ['--headless'] : ['--ui-port', String(uiPort)];
  const settings = { ...READS_AT_ONCE, ...options.settings };
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
    // Where it ends in a panic, the reason is among its last words, in place of where in its code it was.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], GOTRACEBACK: 'none' },
    stopSignal: 'TERM',
    stopPatienceMs: STOP_PATIENCE_MS,
    onLine: (line) => options.log.debug({ program: 'temporal' }, line),
  });
}

/** Whether it answers: fails until it does. */
export async function reachTemporal(
  address: string,
  ask: (connection: Connection) => Promise<unknown> = async () => undefined,
): Promise<void> {
  // Not by `connect`, which leaves its connection open where it fails.
  const connection = Connection.lazy({ address, connectTimeout: '2s' });
  try {
    await connection.ensureConnected();
    await ask(connection);
  } finally {
    await connection.close();
  }
}

function describeDefaultNamespace({ workflowService }: Connection): Promise<unknown> {
  return workflowService.describeNamespace({ namespace: 'default' });
}
