import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../platform/log';
import { makeTemporaryFolder } from '../folders';
import { startAll } from '../server-life';
import { startPostgres } from './postgres';

/**
 * Starts an empty PostgreSQL on a free port, tuned for speed, for a single program. Its data is removed when it is
 * stopped.
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
