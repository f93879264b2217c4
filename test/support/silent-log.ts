import { pino, type Logger } from 'pino';

/** A log that writes nothing. */
export function silentLog(): Logger {
  return pino({ level: 'silent' });
}

/** A log whose messages a test reads. */
export function recordingLog(): { log: Logger; messages: string[] } {
  const messages: string[] = [];
  const log = pino(
    { level: 'debug' },
    { write: (line: string) => void messages.push((JSON.parse(line) as { msg: string }).msg) },
  );
  return { log, messages };
}
