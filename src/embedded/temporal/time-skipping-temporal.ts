import type { Logger } from '../../log';
import { findFreePort } from '../free-port';
import { launchOnFreePorts, serverLife, type ServerLife, waitUntilServing } from '../server-life';
import { startSupervised } from '../supervised-process';
import { reachTemporal } from './temporal';
import { provideTimeSkippingServer } from './time-skipping-server';

export interface TimeSkippingTemporal extends ServerLife {
  /** host:port of the gRPC service; its namespace is `default`. */
  readonly address: string;
}

const NAME = "Temporal's time-skipping server";
const HOST = '127.0.0.1';
const STOP_PATIENCE_MS = 5_000;
/** It lives for seconds or minutes: compiled quickly rather than well, and without threads of its own for garbage. */
const JAVA_OPTIONS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

/**
 * Starts the server whose clock skips waiting, once it is asked to. The SDK would give it five seconds to come up,
 * which a busy machine may not have. It ends with this process, however that ends.
 */
export async function startTimeSkippingTemporal(progress: Logger, log: Logger): Promise<TimeSkippingTemporal> {
  const command = await provideTimeSkippingServer(progress);
  const { PATH, HOME, JAVA_HOME } = process.env;
  const { server, address } = await launchOnFreePorts(async () => {
    const port = await findFreePort(0, NAME, log);
    const launched = startSupervised({
      command,
      args: [String(port)],
      env: { PATH, HOME, JAVA_HOME, JDK_JAVA_OPTIONS: JAVA_OPTIONS },
      stopSignal: 'TERM',
      stopPatienceMs: STOP_PATIENCE_MS,
      onLine: (line) => log.debug({ program: 'temporal' }, line),
    });
    await waitUntilServing(NAME, launched, () => reachTemporal(`${HOST}:${port}`));
    return { server: launched, address: `${HOST}:${port}` };
  });
  return { address, ...serverLife(NAME, server, () => Promise.resolve()) };
}
