import type { Pool } from '../../src/ledger';

const TABLES =
  'subscriptions payers cycles collection_sums collection_changes attempts orders order_sends open_orders notices changes payments payment_links reconciliation_runs ' +
  'reconciliation_differences subscription_words payment_words jobs job_items attention_items holds held_subscriptions ' +
  'comparisons daily_checks workflow_orphans workflow_starts failed_checks back_offs';

/**
 * Deletes the rows of earlier tests, bypassing guards; the audit log stays. It locks rows and no table, so that it waits
 * for no reader: the work that an API does by itself continues meanwhile.
 */
export async function emptyLedger(pool: Pool): Promise<void> {
  const deletes = TABLES.split(' ').map((table) => `delete from ${table};`);
  await pool.query(`begin; set local session_replication_role = replica; ${deletes.join(' ')} commit`);
}
