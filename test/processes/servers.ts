import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { findFreePort } from '../../src/embedded/free-port';
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded/postgres/postgres';
import { startTemporal } from '../../src/embedded/temporal/temporal';
import { createProgressLog } from '../../src/platform/log';
import { silentLog } from '../support/silent-log';
import { Server } from './server';

/** Outside the system's ephemeral port range, so that it is still free when the server comes back. */
export function portToKeep(what: string): Promise<number> {
  return findFreePort(20_000 + randomInt(10_000), what, silentLog());
}

/** A separate, running PostgreSQL that loses no confirmed data. */
export async function openPostgres(folder: string): Promise<{ readonly server: Server; readonly url: string }> {
  const dataDir = join(folder, 'postgres');
  const port = await portToKeep('PostgreSQL');
  let latest: EmbeddedPostgres | null = null;
  const server = new Server('PostgreSQL', dataDir, async () => {
    latest = await startPostgres({ dataDir, log: silentLog(), port });
    return onPort(port, latest);
  });
  await server.start();
  return { server, url: (latest as EmbeddedPostgres | null)?.url ?? '' };
}

export interface TemporalServer {
  readonly server: Server;
  readonly address: string;
  /** The address of its Web UI; null if it has none. */
  readonly uiUrl: string | null;
}

/** A separate, running Temporal that keeps its workflows in a file. */
export async function openTemporal(folder: string, hasUi: boolean): Promise<TemporalServer> {
  const dataDir = join(folder, 'temporal');
  const port = await portToKeep('Temporal');
  const uiPort = hasUi ? await portToKeep("Temporal's Web UI") : false;
  const server = new Server('Temporal', dataDir, async () => {
    const started = await startTemporal({
      dataDir,
      log: silentLog(),
      progress: createProgressLog(),
      port,
      uiPort,
    });
    return onPort(port, { ...started, port: Number(started.address.split(':').at(-1)) });
  });
  await server.start();
  return { server, address: `127.0.0.1:${port}`, uiUrl: uiPort === false ? null : `http://127.0.0.1:${uiPort}` };
}

/** @throws Error if it came up on another port, at which no client would find it */
async function onPort<S extends { readonly port: number; stop(): Promise<void> }>(
  port: number,
  started: S,
): Promise<S> {
  if (started.port === port) return started;
  await started.stop();
  throw new Error(`port ${port} was not free`);
}
