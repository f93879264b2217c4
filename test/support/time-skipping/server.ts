import type { Logger } from '../../../src/platform/log';
import { serverLife, type ServerLife } from '../../../src/embedded/server-life';
import { launchTimeSkipping, NAME } from './process';
import { provideTimeSkippingServer } from './program';

export interface TimeSkippingTemporal extends ServerLife {
  /** host:port of the gRPC service; its namespace is `default`. */
  readonly address: string;
}

const STOP_TIMEOUT_MS = 5_000;

/**
 * Starts the server whose clock skips waiting, once it is asked to. The SDK would give it five seconds to come up,
 * which a busy machine may not have. It ends with this process, however that ends.
 */
export async function startTimeSkippingTemporal(progress: Logger, log: Logger): Promise<TimeSkippingTemporal> {
  const command = await provideTimeSkippingServer(progress);
  const { server, address } = await launchTimeSkipping({ command, stopTimeoutMs: STOP_TIMEOUT_MS, log });
  return { address, ...serverLife(NAME, server, () => Promise.resolve()) };
}
