import { join } from 'node:path';
import { loadConfig } from '../../src/config';
import { SECOND } from '../../src/domain/time';

export const ROOT = join(__dirname, '../..');

/** What a deployment keeps secret, as a test may know it. */
export const SECRETS: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgresql://dueday:secret@127.0.0.1:5432/dueday',
  PAYMENT_SERVICE_CLIENT_ID: 'client-of-the-test',
  PAYMENT_SERVICE_CLIENT_SECRET: 'secret-of-the-test',
  ADMIN_BOOTSTRAP_KEY: 'an-admin-key-of-the-test-0123456789',
};

/** As which the program reaches the ledger, by docs/deploy.md. */
export const PROGRAM_ROLE = 'dueday_program';

/** Within which a role that is told to stop has ended, with every default: a request that is on the wire, and 30 s. */
export const STOPS_WITHIN_SECONDS = loadConfig({}).PAYMENT_SERVICE_TIMEOUT_MS / SECOND + 30;

/** `NAME=value` a line; lines that begin with `#` are comments. */
export function readEnvironmentFile(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
  );
}
