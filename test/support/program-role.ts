import { Client } from 'pg';

/** The PostgreSQL role that the program uses in these tests: it owns nothing, as in production. */
export const PROGRAM_ROLE = 'dueday_program';
const PASSWORD = 'of-the-program';

/** Creates the role of the program on a server that belongs to the tests. */
export async function createProgramRole(serverUrl: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`create role ${PROGRAM_ROLE} login password '${PASSWORD}'`);
  } finally {
    await client.end();
  }
}

/** The URL of the same database for the program's role. */
export function asProgram(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.username = PROGRAM_ROLE;
  url.password = PASSWORD;
  return url.href;
}
