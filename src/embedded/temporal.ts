import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import type { Logger } from '../log';
import { claimFolder, type FolderClaim } from './folder-claim';
import { findFreePort } from './free-port';
import { describeEnding, startSupervised, type SupervisedProcess } from './supervised-process';
import { provideTemporal } from './temporal-program';

export interface TemporalOptions {
  log: Logger;
  /** Keeps workflows between runs; without it they live in memory. */
  dataDir?: string;
  /** Preferred port, 7233 where none is given; the next free one is taken and said. 0: any. */
  port?: number;
  /** Preferred port of the Web UI, 8233 where none is given; false leaves the Web UI out. */
  uiPort?: number | false;
  cacheDir?: string;
}

export interface EmbeddedTemporal {
  /** host:port of the gRPC service; its namespace is `default`. */
  address: string;
  /** Address of the Web UI, null where it was left out. */
  uiUrl: string | null;
  /** Resolves, with the reason, should the server end without `stop`. */
  failed: Promise<string>;
  stop: () => Promise<void>;
}

const HOST = '127.0.0.1';
const START_PATIENCE_MS = 60_000;
const STOP_PATIENCE_MS = 15_000;

/**
 * Starts Temporal's development server. It ends with this process, however that ends.
 * @throws FolderInUseError while another run uses the folder.
 */
export async function startTemporal(options: TemporalOptions): Promise<EmbeddedTemporal> {
  const { log } = options;
  const program = await provideTemporal(log, options.cacheDir);
  const claim = options.dataDir === undefined ? null : await claimFolder(resolve(options.dataDir));
  try {
    const port = await findFreePort(options.port ?? 7233, 'Temporal', log);
    const uiPort =
      options.uiPort === false ? null : await findFreePort(options.uiPort ?? 8233, "Temporal's Web UI", log);
    const server = launch(program.path, port, uiPort, options);
    await claim?.recordServer(server.pid);
    await waitUntilServing(server, `${HOST}:${port}`).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
    log.info(`Temporal ${program.serverVersion} listens on port ${port}`);
    return handle(server, port, uiPort, claim);
  } catch (error) {
    await claim?.release();
    throw error;
  }
}

function launch(command: string, port: number, uiPort: number | null, options: TemporalOptions): SupervisedProcess {
  const storage = options.dataDir === undefined ? [] : ['--db-filename', join(resolve(options.dataDir), 'temporal.db')];
  const ui = uiPort === null ? ['--headless'] : ['--ui-port', String(uiPort)];
  // Without this value timers shorter than a second fire about a second late.
  const dynamic = ['--dynamic-config-value', 'history.timerProcessorMaxTimeShift="10ms"'];
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
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    stopSignal: 'TERM',
    stopPatienceMs: STOP_PATIENCE_MS,
    onLine: (line) => options.log.debug({ program: 'temporal' }, line),
  });
}

async function waitUntilServing(server: SupervisedProcess, address: string): Promise<void> {
  const attempts = new AbortController();
  const early = server.ended.then((ending) => {
    throw new Error(`Temporal's server did not start: ${describeEnding(ending)}`);
  });
  try {
    await Promise.race([early, reachNamespace(address, attempts.signal)]);
  } finally {
    attempts.abort();
  }
}

async function reachNamespace(address: string, given: AbortSignal): Promise<void> {
  const patienceEnds = performance.now() + START_PATIENCE_MS;
  for (;;) {
    try {
      await describeDefaultNamespace(address);
      return;
    } catch (error) {
      if (given.aborted || performance.now() > patienceEnds) throw error;
      await pause(100);
    }
  }
}

async function describeDefaultNamespace(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: '2s' });
  try {
    await connection.workflowService.describeNamespace({ namespace: 'default' });
  } finally {
    await connection.close();
  }
}

function handle(
  server: SupervisedProcess,
  port: number,
  uiPort: number | null,
  claim: FolderClaim | null,
): EmbeddedTemporal {
  let stopping: Promise<void> | undefined;
  const failed = new Promise<string>((resolveFailed) => {
    void server.ended.then((ending) => {
      if (stopping === undefined) resolveFailed(`Temporal's server ended by itself: ${describeEnding(ending)}`);
    });
  });
  return {
    address: `${HOST}:${port}`,
    uiUrl: uiPort === null ? null : `http://${HOST}:${uiPort}`,
    failed,
    stop: () => (stopping ??= server.stop().then(() => claim?.release())),
  };
}
