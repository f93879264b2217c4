import { isNativeError } from 'node:util/types';

/** The network's words for a server that is not there. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
]);

/** PostgreSQL's: connection exceptions, too many connections, shutting down or starting up, a statement cancelled. */
const NOT_NOW = /^(08...|53300|57P0[1-4]|57014)$/;

/** The driver's own faults have no code. */
const DRIVER_WORDS =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/;

/** Whether the ledger could not be asked, as against a question that was wrong. */
export function isLedgerDown(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return UNREACHABLE.has(code) || NOT_NOW.test(code) || DRIVER_WORDS.test(error.message);
}
