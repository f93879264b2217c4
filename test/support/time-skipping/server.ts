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
 * Starts the server, whose clock skips waiting while a client asks for it. The SDK would give the server only five
 * seconds to start, which is too little on a busy machine. The server ends with this process, however the process ends.
 */
export async function startTimeSkippingTemporal(progress: Logger, log: Logger): Promise<TimeSkippingTemporal> {
  const command = await provideTimeSkippingServer(progress);
  const { server, address } = await launchTimeSkipping({ command, stopTimeoutMs: STOP_TIMEOUT_MS, log });
  return { address, ...serverLife(NAME, server, () => Promise.resolve()) };
}
