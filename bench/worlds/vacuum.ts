import { onDatabase } from '../../test/cli/ledger-states';

/** Does now, in all databases of the server, what autovacuum would do in the minutes after many writes. */
export async function vacuumAll(databaseUrl: string): Promise<void> {
  const names = 'select datname as name from pg_database where datallowconn and not datistemplate';
  for (const { name } of await onDatabase(databaseUrl, names)) {
    const url = new URL(databaseUrl);
    url.pathname = String(name);
    await onDatabase(url.href, 'vacuum analyze');
  }
}
