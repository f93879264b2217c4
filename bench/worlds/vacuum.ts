import { Client } from 'pg';

/** What PostgreSQL does by itself in the minutes after much was written, done at once in all databases of its server. */
export async function vacuumAll(databaseUrl: string): Promise<void> {
  const databases = await inDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where datallowconn and not datistemplate',
    );
    return rows.map(({ name }) => name);
  });
  for (const name of databases) {
    const url = new URL(databaseUrl);
    url.pathname = name;
    await inDatabase(url.href, (client) => client.query('vacuum analyze'));
  }
}

async function inDatabase<T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
