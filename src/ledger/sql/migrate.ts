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

/** The lock for changing the schema or its grants, one process at a time: "dued" in ASCII, and a number of its own. */
export const SCHEMA_LOCK = '1685415268, 3';

export interface Migrating {
  readonly log?: Logger;
  /** Folder of the migrations; those of this program by default. */
  readonly folder?: string;
  /** Real ms that a statement waits for a lock: other statements that need the lock queue behind a waiting migration. */
  readonly lockTimeoutMs?: number;
}

const LOCK_TIMEOUT = 5 * SECOND;
/** How often to try for the lock. Real ms. */
export const LOCK_RETRY_MS = SECOND / 10;

/**
 * Brings the schema up to date; does nothing if it is. Concurrent migrations wait for each other.
 * @returns the names of the applied migrations, in order.
 * @throws DatabaseError of PostgreSQL; what was not applied can be applied later
 */
export async function migrate(address: DatabaseAddress, migrating: Migrating = {}): Promise<readonly string[]> {
  const { log, folder = migrationsFolder(), lockTimeoutMs = LOCK_TIMEOUT } = migrating;
  const { runner } = await import('node-pg-migrate');
  const client = new Client({ ...connectionTo(address), application_name: 'dueday migrate' });
  await client.connect();
  try {
    await acquireLock(client);
    await client.query(`set lock_timeout = ${lockTimeoutMs}`);
    const applied = await runner({
      dbClient: client,
      dir: folder,
      direction: 'up',
      migrationsTable: TABLE,
      noLock: true,
      singleTransaction: true,
      checkOrder: true,
      migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loaderOf(lockTimeoutMs) }],
      logger: migrationLog(log),
    });
    return applied.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Polls for the lock: a statement that waits for it would block an index that is built concurrently. */
async function acquireLock(client: Client): Promise<void> {
  while ((await readValue<boolean>(client, `select pg_try_advisory_lock(${SCHEMA_LOCK})`)) !== true)
    await pause(LOCK_RETRY_MS);
}

/**
 * A migration that builds an index while others write to its table cannot run in a transaction; every other migration is applied
 * as a whole or not at all.
 */
const WITHOUT_TRANSACTION = /\bconcurrently\b/;
const BUILDS_INDEX = /\bcreate (?:unique )?index concurrently (\w+)/;

function loaderOf(lockTimeoutMs: number) {
  return async (paths: string[]) =>
    Promise.all(
      paths.map(async (path) => ({
        id: path,
        filePaths: [path],
        // There are no down migrations: a program that is rolled back runs on the schema of its successor.
        actions: { up: actionOf(await readFile(path, 'utf8'), lockTimeoutMs), down: false as const },
      })),
    );
}

function actionOf(sql: string, lockTimeoutMs: number) {
  return (builder: MigrationBuilder): void => {
    if (!WITHOUT_TRANSACTION.test(sql)) {
      builder.sql(sql);
      return;
    }
    builder.noTransaction();
    // It waits for older transactions, and blocks no other statement meanwhile.
    builder.sql('set lock_timeout = 0');
    const [, index] = BUILDS_INDEX.exec(sql) ?? [];
    // An unfinished index remains, and is invalid.
    if (index !== undefined) builder.sql(`drop index concurrently if exists ${index}`);
    builder.sql(sql);
    builder.sql(`set lock_timeout = ${lockTimeoutMs}`);
  };
}

export interface SchemaState {
  /** Migrations of this program that the database lacks. */
  readonly missing: readonly string[];
  /** Migrations of the database that this program does not know: it is older than the schema. */
  readonly unknown: readonly string[];
  /**
   * The unknown migration that a program must know to run on this schema; null if this program may run, as a release does on the
   * schema of the next one.
   */
  readonly needed: string | null;
}

export async function readSchema(db: Db): Promise<SchemaState> {
  const [known, applied] = await Promise.all([knownMigrations(), appliedMigrations(db)]);
  const missing = known.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !known.includes(name));
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

async function appliedMigrations(db: Db): Promise<string[]> {
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
    // Building an index outside of the transaction is intended; errors are thrown.
    warn: (line: unknown) => log?.debug(String(line)),
    error: (line: unknown) => log?.error(String(line)),
  };
}
