import { DefaultLogger, type LogLevel, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from '../log';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'debug', ERROR: 'error' } as const;

/**
 * Temporal's library says its errors only: each activity that stops for now would be a warning, and what the
 * time-skipping server cannot do is known. Once a process, before the first stack.
 */
export function installQuietRuntime(log: Logger): void {
  const write = (level: LogLevel, message: string, meta?: object) => log[LEVELS[level]]({ ...meta }, message);
  Runtime.install({
    logger: new DefaultLogger('INFO', ({ level, message, meta }) => write(level, message, meta)),
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) },
    },
    shutdownSignals: [],
  });
}

/**
 * Ends the library's runtime, which nothing may use any more. Its last user does so by itself; one that never had a user would
 * keep the process alive for ever.
 */
export async function endRuntime(): Promise<void> {
  await Runtime.instance().shutdown();
}
