import { DAEMON_NEEDS, loadConfig } from '../config';
import type { Role } from '../process/daemon';

/** Runs the worker, the admin API, or both, until a signal. What they need is loaded once the configuration is known to be right. */
export async function runDaemon(role: Role): Promise<void> {
  const config = loadConfig(process.env, DAEMON_NEEDS);
  const daemon = await import('../process/daemon.js');
  await daemon.runDaemon(role, config);
}
