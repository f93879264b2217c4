import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { asProgram } from './program-role';
import { partOfRun } from './test-run';

export interface TestDatabase {
  /** The URL for the owner's role, which may do anything. */
  url: string;
  /** The URL for the program's role. */
  programUrl: string;
  /** Ends the connections that are left. */
  drop: () => Promise<void>;
}

/** A database of the test's own with the ledger's current schema, empty. Costs about 50 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { serverUrl, templateDatabase } = partOfRun('database');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(serverUrl, `create database ${name} template ${templateDatabase}`);
  const url = databaseOf(serverUrl, name);
  // A copy of the template's ledger sends nothing until it is accepted (rule 45).
  await administer(url, 'update restore_guard set identity = ledger_identity()');
  return {
    url,
    programUrl: asProgram(url),
    drop: () => administer(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

/** A copy by PostgreSQL itself, which keeps every number of a table; nothing may be connected to the original. @returns its URL */
export async function copyDatabase(original: string): Promise<string> {
  const name = `copy_${randomBytes(6).toString('hex')}`;
  const template = new URL(original).pathname.slice(1);
  await administer(databaseOf(original, 'postgres'), `create database ${name} template ${template}`);
  return databaseOf(original, name);
}

function databaseOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = name;
  return url.href;
}

async function administer(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
