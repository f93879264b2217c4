import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../log';
import { makeTemporaryFolder } from '../folders';
import { startPostgres } from './postgres';

export interface TemporaryPostgres {
  readonly url: string;
  /** Stops the server, and nothing is left of its data. */
  stop(): Promise<void>;
}

/** An empty PostgreSQL on a free port, as quick as can be, for as long as one program needs it. */
export async function startTemporaryPostgres(log: Logger): Promise<TemporaryPostgres> {
  const folder = await makeTemporaryFolder('temporary');
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const server = await startPostgres({ dataDir: join(folder, 'postgres'), log, port: 0, durable: false });
    return {
      url: server.url,
      async stop() {
        await server.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
