import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../platform/log';
import { makeTemporaryFolder } from '../folders';
import { startAll } from '../server-life';
import { startPostgres } from './postgres';

/**
 * An empty PostgreSQL on a free port, as quick as can be, for as long as one program needs it. Once it is stopped, nothing is
 * left of its data.
 */
export function startTemporaryPostgres(log: Logger) {
  return startAll(async (stops) => {
    const folder = await makeTemporaryFolder('temporary');
    stops.push(() => rm(folder, { recursive: true, force: true }));
    const server = await startPostgres({ dataDir: join(folder, 'postgres'), log, port: 0, durable: false });
    stops.push(() => server.stop());
    return { url: server.url };
  });
}
