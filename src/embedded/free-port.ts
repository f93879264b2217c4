import { createServer } from 'node:net';
import type { Logger } from '../platform/log';

const HOST = '127.0.0.1';
const TRIES = 100;

/**
 * The preferred port, or the next free one above it, which is logged. For 0, the operating system chooses.
 * The port is not reserved: the caller's server binds it a moment later.
 */
export async function findFreePort(preferred: number, what: string, log: Logger): Promise<number> {
  for (let candidate = preferred; candidate < preferred + TRIES && candidate < 65_536; candidate++) {
    const port = await tryPort(candidate);
    if (port === null) continue;
    if (candidate !== preferred) log.warn(`port ${preferred} is taken: ${what} listens on ${port} instead`);
    return port;
  }
  throw new Error(`No free port for ${what} from ${preferred} to ${preferred + TRIES - 1} on ${HOST}`);
}

async function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null);
      else reject(error);
    });
    probe.listen({ port, host: HOST, exclusive: true }, () => {
      const address = probe.address();
      probe.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : null);
      });
    });
  });
}
