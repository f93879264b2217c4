import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { loadConfig } from '../../src/config';
import { VARIABLES } from '../../src/config/variables';
import { SECOND } from '../../src/domain/time';
import { runDueday } from '../cli/dueday-process';

export const ROOT = join(__dirname, '../..');

/** An address at which nothing listens. */
export const NOWHERE = '127.0.0.1:1';

/** A random secret, because production refuses secrets that the project's files contain. */
function random(): string {
  return randomBytes(24).toString('base64url');
}

/** The secrets of a deployment, with values for tests. */
export const SECRETS: Readonly<Record<string, string>> = {
  DATABASE_URL: `postgresql://dueday:${random()}@${NOWHERE}/dueday`,
  PAYMENT_SERVICE_CLIENT_ID: 'client-of-the-test',
  PAYMENT_SERVICE_CLIENT_SECRET: random(),
  ADMIN_BOOTSTRAP_KEY: random(),
  PAYLOAD_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
};

/** Where payers and the merchant are notified, which is no secret. */
export const WEBHOOKS: Readonly<Record<string, string>> = {
  NOTICE_WEBHOOK_URL: VARIABLES.NOTICE_WEBHOOK_URL.example,
  EVENT_WEBHOOK_URL: VARIABLES.EVENT_WEBHOOK_URL.example,
};

/** The secrets of these webhooks, which deployments keep apart from {@link SECRETS}. */
export const WEBHOOK_SECRETS: Readonly<Record<string, string>> = {
  NOTICE_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  EVENT_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
};

/** Runs a command, and expects it to accept its configuration and to end only because no server answers. */
export async function lacksServersAlone(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  expect(await runDueday(args, env)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^dueday: the (ledger|histories) cannot be (reached|migrated|read): /m) as string,
  });
}

/** The role with which the program connects to the ledger, according to docs/guides/deploy.md. */
export const PROGRAM_ROLE = 'dueday_program';

/** The time within which a role that is asked to stop has ended, with all defaults: a request on the wire, and 30 s. */
export const STOPS_WITHIN_SECONDS = loadConfig({}).PAYMENT_SERVICE_TIMEOUT_MS / SECOND + 30;

/** `NAME=value` a line; lines that begin with `#` are comments. */
export function readEnvironmentFile(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
  );
}
