import { onDatabase } from '../../test/cli/ledger-states';

/** What PostgreSQL does by itself in the minutes after much was written, done at once in all databases of its server. */
export async function vacuumAll(databaseUrl: string): Promise<void> {
  const names = 'select datname as name from pg_database where datallowconn and not datistemplate';
  for (const { name } of await onDatabase(databaseUrl, names)) {
    const url = new URL(databaseUrl);
    url.pathname = String(name);
    await onDatabase(url.href, 'vacuum analyze');
  }
}
