import type { Pool } from '../../src/ledger';

/** Makes each connection of the pool report its statistics about the tables now; it would otherwise do so later. */
export async function reportStatistics(pool: Pool): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  for (const client of clients) await client.query('select pg_stat_force_next_flush()');
  for (const client of clients) await client.query('select 1');
  clients.forEach((client) => client.release());
}
