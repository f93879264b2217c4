/**
 * Helpers for every command. They load neither Temporal's library nor the admin API, which take more than a second and which
 * most commands do not use.
 */
import closeWithGrace from 'close-with-grace';
import { type Config, ConfigError } from '../config';
import { VARIABLES } from '../config/variables';
import { createPool, type LedgerPowers, type Pool, readPowers, readSchema, type SchemaState } from '../ledger';
import { type Logger, loggable } from '../platform/log';
import type { Resolve } from '../platform/lookup';
import {
  LISTENS_EVERYWHERE,
  type ListeningVariable,
  mayListenEverywhere,
  resolvesEverywhere,
} from '../config/listen-addresses';
import { BadInputError, CommandError, reaching } from './command-error';

/** Runs work on the ledger with its own connections. */
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

/** @throws CommandError if the database cannot be reached, or its schema does not fit this program. */
export async function refuseOldSchema(ledger: Pool): Promise<void> {
  const fault = schemaFault(await reaching('the ledger cannot be reached', () => readSchema(ledger)));
  if (fault !== null) throw new CommandError(`the ledger's schema does not fit: ${fault.found}; ${fault.advice}`);
}

/** Why this program cannot run on a schema, and what to do; null if it can. */
export function schemaFault({ missing, unknown, needed }: SchemaState): { found: string; advice: string } | null {
  if (missing.length > 0) return { found: `it lacks ${missing.join(', ')}`, advice: 'run dueday migrate' };
  if (needed === null) return null;
  return {
    found: `it has ${unknown.join(', ')} of a newer release, and ${needed} has removed something that this one uses`,
    advice: 'run the release that migrated it, or a newer one',
  };
}

/**
 * Why a role is too powerful to run the program: it could remove the ledger's guards, or rows. Null if it is not.
 */
export function unfitFor({ role, ownsTables, mayRemove }: LedgerPowers): string | null {
  if (ownsTables) return `${role}, which owns tables of the ledger or may act as their owner`;
  return mayRemove ? `${role}, which may remove rows of the audit log or of attempts` : null;
}

/** @throws BadInputError if the role that connects could change records that are kept permanently. */
export async function refuseOwner(ledger: Pool): Promise<void> {
  const unfit = unfitFor(await reaching('the ledger cannot be reached', () => readPowers(ledger)));
  if (unfit === null) return;
  throw new BadInputError([
    `DATABASE_URL: expected the program's own role, which dueday migrate with DATABASE_ROLE prepares; got ${unfit}. See "The ledger's own roles" in docs/guides/deploy.md`,
  ]);
}

/** Longer than the longest drain of any command that sets no time-out of its own. */
const TIMEOUT_MS = 10_000;

/**
 * Keeps the process running until a signal such as SIGTERM or an uncaught error, or until `failed` resolves with a reason; then
 * stops everything. The exit code is 0 only after a signal and a clean stop.
 * @param stop also waits for what is still starting
 * @param failed rejects if the start failed: that error is left to the caller
 * @param timeoutMs real ms that stopping may take
 */
export async function untilSignal(
  log: Logger,
  stop: () => Promise<void>,
  failed?: Promise<string>,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  let [isStopping, hasFailed] = [false, false];
  const cutOff = {
    onTimeout: () => log.fatal({ timeoutMs }, 'stopping took too long: remaining work is cut off'),
    onSecondError: (error: unknown) =>
      log.fatal({ err: loggable(error) }, 'error while stopping: remaining work is cut off'),
  };
  const handle = closeWithGrace({ delay: timeoutMs, logger: false, ...cutOff }, async ({ signal, err }) => {
    isStopping = true;
    if (err !== undefined) log.fatal({ err: loggable(err) }, 'stopping after an error');
    else log.info({ signal }, 'stopping: work in progress ends first');
    await stop().catch((error: unknown) => {
      log.fatal({ err: loggable(error) }, 'stopping failed');
      throw error;
    });
    log.info('stopped');
    // Otherwise the process would exit with 0, whatever its exit code is.
    if (hasFailed) throw new Error('it ended by itself');
  });
  const fail = (reason: string) => {
    log.fatal(reason);
    hasFailed = true;
    // A second stop would end the process before the first is complete.
    if (!isStopping) handle.close();
  };
  await failed?.then(fail, (error: unknown) => {
    // While stopping, `stop` waits for the start and reports its error.
    if (isStopping) return;
    handle.uninstall();
    throw error;
  });
}

/**
 * For production: call it before a process listens, as only the resolver knows the addresses of a name.
 * @throws ConfigError if the host would expose the process on every address of the machine, unless the operator has allowed that
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
    faults.map((name) => ({ name, message: LISTENS_EVERYWHERE, example: VARIABLES[name].example })),
  );
}

async function isOpen(config: Config, name: ListeningVariable, resolve?: Resolve): Promise<boolean> {
  const host = config[name];
  return host !== undefined && !mayListenEverywhere(config, name) && resolvesEverywhere(host, resolve);
}
