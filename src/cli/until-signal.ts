import closeWithGrace from 'close-with-grace';
import type { Logger } from '../log';

/** Longer than the longest drain of a command that has none of its own to name. */
const PATIENCE = 10_000;

/**
 * Keeps the process until SIGINT or SIGTERM, or until `failed` tells why it cannot go on; then stops what runs.
 * @param patience real ms that stopping may take
 */
export async function untilSignal(
  log: Logger,
  stop: () => Promise<void>,
  failed?: Promise<string>,
  patience = PATIENCE,
): Promise<void> {
  const handle = closeWithGrace({ delay: patience, logger: false }, async ({ signal, err }) => {
    if (err !== undefined) log.fatal({ err }, 'stopping after a fault');
    else log.info({ signal }, 'stopping: what is under way ends first');
    await stop();
    log.info('stopped');
  });
  const reason = await failed;
  if (reason === undefined) return;
  log.fatal(reason);
  process.exitCode = 1;
  handle.close();
}
