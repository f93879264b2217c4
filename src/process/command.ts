/**
 * What any command needs. Neither Temporal's library nor the admin API is loaded for it: they take a second and more, and
 * most commands use neither.
 */
import closeWithGrace from 'close-with-grace';
import { type Config, ConfigError } from '../config';
import { VARIABLES } from '../config/variables';
import { createPool, type LedgerPowers, type Pool, readPowers, readSchema, type SchemaState } from '../ledger';
import { type Logger, loggable } from '../platform/log';
import type { Resolve } from '../platform/lookup';
import {
  EVERYWHERE_MESSAGE,
  type ListeningVariable,
  mayListenEverywhere,
  resolvesEverywhere,
} from '../config/production-doors';
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
 * Keeps the process until SIGINT or SIGTERM, or until `failed` says why it cannot go on; then stops what runs. It ends with
 * 0 only where it was told to stop, and could.
 * @param stop waits for what is still starting, too
 * @param failed rejects where it could not be started: that fault is the caller's
 * @param patience real ms that stopping may take
 */
export async function untilSignal(
  log: Logger,
  stop: () => Promise<void>,
  failed?: Promise<string>,
  patience = PATIENCE,
): Promise<void> {
  let [isStopping, hasFailed] = [false, false];
  const cutOff = {
    onTimeout: () => log.fatal({ patience }, 'stopping took too long: what is still under way is cut off'),
    onSecondError: (error: unknown) =>
      log.fatal({ err: loggable(error) }, 'a fault while stopping: what is still under way is cut off'),
  };
  const handle = closeWithGrace({ delay: patience, logger: false, ...cutOff }, async ({ signal, err }) => {
    isStopping = true;
    if (err !== undefined) log.fatal({ err: loggable(err) }, 'stopping after a fault');
    else log.info({ signal }, 'stopping: what is under way ends first');
    await stop().catch((error: unknown) => {
      log.fatal({ err: loggable(error) }, 'stopping failed');
      throw error;
    });
    log.info('stopped');
    // It would end with 0 otherwise, whatever the process's exit code is.
    if (hasFailed) throw new Error('it ended by itself');
  });
  const fail = (reason: string) => {
    log.fatal(reason);
    hasFailed = true;
    // Stopping a second time would end the process before the first has let all end.
    if (!isStopping) handle.close();
  };
  await failed?.then(fail, (error: unknown) => {
    // Who stops waits for the start, and tells of it.
    if (isStopping) return;
    handle.uninstall();
    throw error;
  });
}

/**
 * In production: to be called before a process listens, as only the resolver knows which addresses a name has.
 * @throws ConfigError if the host has an address at which the whole network reaches the process, and the operator has not allowed that
 */
export async function refuseListeningEverywhere(
  config: Config,
  names: readonly ListeningVariable[],
  resolve?: Resolve,
): Promise<void> {
  if (config.PAYMENT_SERVICE_ENVIRONMENT !== 'production') return;
  const open = await Promise.all(names.map((name) => isOpen(config, name, resolve)));
  const faults = names.filter((_name, index) => open[index] === true);
  if (faults.length === 0) return;
  throw new ConfigError(
    faults.map((name) => ({ name, message: EVERYWHERE_MESSAGE, example: VARIABLES[name].example })),
  );
}

async function isOpen(config: Config, name: ListeningVariable, resolve?: Resolve): Promise<boolean> {
  const host = config[name];
  return host !== undefined && !mayListenEverywhere(config, name) && resolvesEverywhere(host, resolve);
}
