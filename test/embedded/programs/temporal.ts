import { startTemporal } from '../../../src/embedded/temporal/temporal';
import { silentLog } from '../../support/silent-log';

/** Runs Temporal on a folder until SIGTERM. Arguments: folder. */
async function main(dataDir: string): Promise<void> {
  const server = await startTemporal({ dataDir, log: silentLog(), port: 0, uiPort: false });
  process.once('SIGTERM', () => void server.stop());
  process.stdout.write(`${JSON.stringify({ address: server.address })}\n`);
}

main(process.argv[2] ?? '').catch((error: unknown) => {
  process.stderr.write(String(error));
  process.exitCode = 1;
});
