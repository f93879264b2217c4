import type { Logger } from '../../../src/platform/log';
import { findFreePort } from '../../../src/embedded/free-port';
import { launchOnFreePorts, waitUntilServing } from '../../../src/embedded/server-life';
import { startSupervised, type SupervisedProcess } from '../../../src/embedded/supervised-process';
import { reachTemporal } from '../../../src/embedded/temporal/temporal';

export const NAME = "Temporal's time-skipping server";
const HOST = '127.0.0.1';

interface Launch {
  /** The program that {@link provideTimeSkippingServer} names. */
  readonly command: string;
  readonly stopTimeoutMs: number;
  /** Options for Java, in addition to those of the program. */
  readonly javaOptions?: string;
  readonly log: Logger;
}

/** Starts the server on a free port, and waits until it serves. */
export function launchTimeSkipping({
  command,
  stopTimeoutMs,
  javaOptions,
  log,
}: Launch): Promise<{ readonly server: SupervisedProcess; readonly address: string }> {
  const { PATH, HOME, JAVA_HOME } = process.env;
  return launchOnFreePorts(async () => {
    const port = await findFreePort(0, NAME, log);
    const server = startSupervised({
      command,
      args: [String(port)],
      env: { PATH, HOME, JAVA_HOME, JDK_JAVA_OPTIONS: javaOptions },
      stopSignal: 'TERM',
      stopTimeoutMs,
      onLine: (line) => log.debug({ program: 'temporal' }, line),
    });
    await waitUntilServing(NAME, server, () => reachTemporal(`${HOST}:${port}`));
    return { server, address: `${HOST}:${port}` };
  });
}
