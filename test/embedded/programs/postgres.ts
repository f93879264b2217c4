import { startPostgres } from '../../../src/embedded/postgres/postgres';
import { silentLog } from '../../support/silent-log';

/** Runs PostgreSQL on a folder until SIGTERM. Arguments: folder. */
async function main(dataDir: string): Promise<void> {
  const server = await startPostgres({ dataDir, log: silentLog(), port: 0, durable: false });
  process.once('SIGTERM', () => void server.stop());
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
}

main(process.argv[2] ?? '').catch((error: unknown) => {
  process.stderr.write(String(error));
  process.exitCode = 1;
});
