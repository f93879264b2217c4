import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import type { Logger } from '../../log';
import { connectionTo, type DatabaseAddress, type Db } from '../database';

const TABLE = 'schema_migrations';

/**
 * Brings the schema up to date; nothing happens where it is. Several at once wait for each other.
 * @returns the names of the migrations that were made, in order.
 */
export async function migrate(address: DatabaseAddress, log?: Logger): Promise<readonly string[]> {
  const { runner } = await import('node-pg-migrate');
  const client = new Client({ ...connectionTo(address), application_name: 'dueday migrate' });
  await client.connect();
  try {
    const made = await runner({
      dbClient: client,
      dir: migrationsFolder(),
      direction: 'up',
      migrationsTable: TABLE,
      advisoryLockMode: 'wait',
      singleTransaction: true,
      checkOrder: true,
      logger: migrationLog(log),
    });
    return made.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

export interface SchemaState {
  readonly current: boolean;
  /** Migrations of this program that the database lacks. */
  readonly missing: readonly string[];
  /** Migrations of the database that this program does not know: it is older than the schema. */
  readonly unknown: readonly string[];
}

export async function isSchemaCurrent(db: Db): Promise<SchemaState> {
  const [known, made] = await Promise.all([knownMigrations(), madeMigrations(db)]);
  const missing = known.filter((name) => !made.includes(name));
  const unknown = made.filter((name) => !known.includes(name));
  return { current: missing.length === 0 && unknown.length === 0, missing, unknown };
}

async function knownMigrations(): Promise<string[]> {
  const files = await readdir(migrationsFolder());
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort();
}

async function madeMigrations(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [TABLE]);
  if (rows[0]?.exists !== true) return [];
  const made = await db.query<{ name: string }>(`select name from ${TABLE} order by id`, []);
  return made.rows.map(({ name }) => name);
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
    warn: (line: unknown) => log?.warn(String(line)),
    error: (line: unknown) => log?.error(String(line)),
  };
}
