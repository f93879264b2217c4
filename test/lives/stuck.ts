import type { SimulatedStack } from '../../src/simulation/simulated-stack';

/** What the ledger's connections do: a statement that waits for a lock holds a life up, too. */
export async function describeLedger({ ledger }: SimulatedStack): Promise<string> {
  try {
    const { rows } = await ledger.query<Record<string, unknown>>(
      `select state, wait_event_type, wait_event, now() - query_start as since, left(query, 200) as query
       from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    );
    return [`the ledger: ${rows.length} connections at work`, ...rows.map((row) => JSON.stringify(row))].join('\n');
  } catch (error) {
    return `the ledger cannot be asked: ${String(error)}`;
  }
}
