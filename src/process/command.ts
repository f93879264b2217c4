/**
 * What any command needs. Neither Temporal's library nor the admin API is loaded for it: they take a second and more, and
 * most commands use neither.
 */
import closeWithGrace from 'close-with-grace';
import { type createPool, isSchemaCurrent, type LedgerPowers, readPowers } from '../ledger';
import type { Logger } from '../log';
import { BadInputError, CommandError, reaching } from './command-error';

/** @throws CommandError where the database cannot be reached, or its schema is older or newer than this program. */
export async function refuseOldSchema(ledger: ReturnType<typeof createPool>): Promise<void> {
  const schema = await reaching('the ledger cannot be reached', () => isSchemaCurrent(ledger));
  if (schema.current) return;
  const unknown = schema.unknown.length > 0 ? `; it has ${schema.unknown.join(', ')} of a newer version` : '';
  const missing = schema.missing.length > 0 ? `; missing ${schema.missing.join(', ')}: run dueday migrate` : '';
  throw new CommandError(`the ledger's schema is not current${missing}${unknown}`);
}

/**
 * What makes a role unfit to run the program: it could take a guard off the ledger, or rows out of it. Null where nothing does.
 */
export function unfitFor({ role, ownsTables, mayRemove }: LedgerPowers): string | null {
  if (ownsTables) return `${role}, which owns tables of the ledger or may act as who does`;
  return mayRemove ? `${role}, which may remove rows of the trail or of attempts` : null;
}

/** @throws BadInputError where the ledger is reached as a role that could change what is kept for ever. */
export async function refuseOwner(ledger: ReturnType<typeof createPool>): Promise<void> {
  const unfit = unfitFor(await reaching('the ledger cannot be reached', () => readPowers(ledger)));
  if (unfit === null) return;
  throw new BadInputError([
    `DATABASE_URL: expected the program's own role, which dueday migrate with DATABASE_ROLE has made fit; got ${unfit}. See "The ledger's own roles" in docs/deploy.md`,
  ]);
}

/** Longer than the longest drain of a command that has none of its own to name. */
const PATIENCE = 10_000;

/**
 * Keeps the process until SIGINT or SIGTERM, or until `failed` says why it cannot go on; then stops what runs.
 * @param patience real ms that stopping may take
 */
export async function untilSignal(
  log: Logger,
  stop: () => Promise<void>,
  failed?: Promise<string>,
  patience = PATIENCE,
): Promise<void> {
  const handle = closeWithGrace({ delay: patience, logger: false }, async ({ signal, err }) => {
    if (err !== undefined) log.fatal({ err }, 'stopping after a fault');
    else log.info({ signal }, 'stopping: what is under way ends first');
    await stop();
    log.info('stopped');
  });
  const reason = await failed;
  if (reason === undefined) return;
  log.fatal(reason);
  process.exitCode = 1;
  handle.close();
}
