import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database';

/** Runs statements on a test database. */
export async function onDatabase(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** A database as it is before the first `dueday migrate`. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  await onDatabase(database.url, 'drop schema public cascade; create schema public');
  return database;
}

/** Removes the newest migration. @returns its name */
export async function makeOld(database: TestDatabase): Promise<string> {
  const [row] = await onDatabase(
    database.url,
    'delete from schema_migrations where id = (select max(id) from schema_migrations) returning name',
  );
  return String(row?.['name']);
}

/** Makes the schema look as if a later version of the program had removed something that this one uses. */
export async function makeNew(database: TestDatabase): Promise<void> {
  await onDatabase(database.url, "insert into schema_migrations (name, run_on) values ('9999_of_tomorrow', now())");
  await onDatabase(database.url, "update schema_floor set migration = '9999_of_tomorrow'");
}
