/**
 * What any command needs. Neither Temporal's library nor the admin API is loaded for it: they take a second and more, and
 * most commands use neither.
 */
import closeWithGrace from 'close-with-grace';
import { createPool, type LedgerPowers, type Pool, readPowers, readSchema, type SchemaState } from '../ledger';
import { type Logger, loggable } from '../log';
import { BadInputError, CommandError, reaching } from './command-error';

/** Does what needs the ledger over connections for this work alone. */
export async function withPool<T>(
  options: Parameters<typeof createPool>[0],
  work: (db: Pool) => Promise<T>,
): Promise<T> {
  const db = createPool(options);
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}

/** @throws CommandError where the database cannot be reached, or its schema does not fit this program. */
export async function refuseOldSchema(ledger: Pool): Promise<void> {
  const fault = schemaFault(await reaching('the ledger cannot be reached', () => readSchema(ledger)));
  if (fault !== null) throw new CommandError(`the ledger's schema does not fit: ${fault.found}; ${fault.advice}`);
}

/** Why this program cannot run on a schema, and what to do; null where it can. */
export function schemaFault({ missing, unknown, needed }: SchemaState): { found: string; advice: string } | null {
  if (missing.length > 0) return { found: `it lacks ${missing.join(', ')}`, advice: 'run dueday migrate' };
  if (needed === null) return null;
  return {
    found: `it has ${unknown.join(', ')} of a newer release, and ${needed} has taken away what this one uses`,
    advice: 'run the release that made it, or a newer one',
  };
}

/**
 * What makes a role unfit to run the program: it could take a guard off the ledger, or rows out of it. Null where nothing does.
 */
export function unfitFor({ role, ownsTables, mayRemove }: LedgerPowers): string | null {
  if (ownsTables) return `${role}, which owns tables of the ledger or may act as who does`;
  return mayRemove ? `${role}, which may remove rows of the trail or of attempts` : null;
}

/** @throws BadInputError where the ledger is reached as a role that could change what is kept for ever. */
export async function refuseOwner(ledger: Pool): Promise<void> {
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
    if (err !== undefined) log.fatal({ err: loggable(err) }, 'stopping after a fault');
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
