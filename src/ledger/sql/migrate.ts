import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { MigrationBuilder } from 'node-pg-migrate';
import { Client } from 'pg';
import { SECOND } from '../../domain/time';
import type { Logger } from '../../platform/log';
import { connectionTo, type DatabaseAddress } from './database';
import { type Db, readValue, readValues } from './statements';

const TABLE = 'schema_migrations';

/** Held by who changes the schema or the rights in it, one at a time: "dued" in ASCII, and a number of its own. */
export const SCHEMA_TURN = '1685415268, 3';

export interface Migrating {
  readonly log?: Logger;
  /** Where the migrations are; those of this program where none is given. */
  readonly folder?: string;
  /** Real ms that a statement waits for a lock: a statement that asks for it behind a migration that waits, waits too. */
  readonly lockPatienceMs?: number;
}

const LOCK_PATIENCE = 5 * SECOND;
/** Whether it is one's turn. Real ms. */
export const ASK_AGAIN = SECOND / 10;

/**
 * Brings the schema up to date; nothing happens where it is. Several at once wait for each other.
 * @returns the names of the migrations that were made, in order.
 * @throws DatabaseError of PostgreSQL; what was not made may be made later
 */
export async function migrate(address: DatabaseAddress, migrating: Migrating = {}): Promise<readonly string[]> {
  const { log, folder = migrationsFolder(), lockPatienceMs = LOCK_PATIENCE } = migrating;
  const { runner } = await import('node-pg-migrate');
  const client = new Client({ ...connectionTo(address), application_name: 'dueday migrate' });
  await client.connect();
  try {
    await takeTurn(client);
    await client.query(`set lock_timeout = ${lockPatienceMs}`);
    const made = await runner({
      dbClient: client,
      dir: folder,
      direction: 'up',
      migrationsTable: TABLE,
      noLock: true,
      singleTransaction: true,
      checkOrder: true,
      migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loaderOf(lockPatienceMs) }],
      logger: migrationLog(log),
    });
    return made.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Asks anew: a statement that waits for the lock would be what an index that is built concurrently waits for. */
async function takeTurn(client: Client): Promise<void> {
  while ((await readValue<boolean>(client, `select pg_try_advisory_lock(${SCHEMA_TURN})`)) !== true)
    await pause(ASK_AGAIN);
}

/** An index is built beside who writes to its table, which takes no transaction; all else is made as a whole or not at all. */
const WITHOUT_TRANSACTION = /\bconcurrently\b/;
const BUILDS_INDEX = /\bcreate (?:unique )?index concurrently (\w+)/;

function loaderOf(lockPatienceMs: number) {
  return async (paths: string[]) =>
    Promise.all(
      paths.map(async (path) => ({
        id: path,
        filePaths: [path],
        // There is no way back: a program that is rolled back runs on the schema of its successor.
        actions: { up: actionOf(await readFile(path, 'utf8'), lockPatienceMs), down: false as const },
      })),
    );
}

function actionOf(sql: string, lockPatienceMs: number) {
  return (builder: MigrationBuilder): void => {
    if (!WITHOUT_TRANSACTION.test(sql)) {
      builder.sql(sql);
      return;
    }
    builder.noTransaction();
    // It waits for transactions that are older, and nobody waits behind it.
    builder.sql('set lock_timeout = 0');
    const [, index] = BUILDS_INDEX.exec(sql) ?? [];
    // One that was not finished stays behind, and is not valid.
    if (index !== undefined) builder.sql(`drop index concurrently if exists ${index}`);
    builder.sql(sql);
    builder.sql(`set lock_timeout = ${lockPatienceMs}`);
  };
}

export interface SchemaState {
  /** Migrations of this program that the database lacks. */
  readonly missing: readonly string[];
  /** Migrations of the database that this program does not know: it is older than the schema. */
  readonly unknown: readonly string[];
  /** The one of these that a program must know to run here; null where it may run, as a release does on the next one's schema. */
  readonly needed: string | null;
}

export async function readSchema(db: Db): Promise<SchemaState> {
  const [known, made] = await Promise.all([knownMigrations(), madeMigrations(db)]);
  const missing = known.filter((name) => !made.includes(name));
  const unknown = made.filter((name) => !known.includes(name));
  const floor = missing.length > 0 || unknown.length === 0 ? null : await readValue<string>(db, FLOOR);
  return { missing, unknown, needed: floor !== null && unknown.includes(floor) ? floor : null };
}

const FLOOR = 'select migration from schema_floor';

async function knownMigrations(): Promise<string[]> {
  const files = await readdir(migrationsFolder());
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort();
}

async function madeMigrations(db: Db): Promise<string[]> {
  const exists = await readValue<boolean>(db, 'select to_regclass($1) is not null', [TABLE]);
  return exists === true ? readValues(db, `select name from ${TABLE} order by id`) : [];
}

/** The compiler copies no .sql, so both the source and the compiled program read them from the source folder. */
function migrationsFolder(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`no package.json above ${__dirname}: the migrations cannot be found`);
    folder = parent;
  }
  return join(folder, 'src', 'ledger', 'migrations');
}

function migrationLog(log: Logger | undefined) {
  return {
    info: (line: unknown) => log?.debug(String(line)),
    // That an index is built outside of the transaction is meant; what fails is thrown.
    warn: (line: unknown) => log?.debug(String(line)),
    error: (line: unknown) => log?.error(String(line)),
  };
}
