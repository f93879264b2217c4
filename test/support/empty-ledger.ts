import type { Pool } from '../../src/ledger';

/** Takes away what the tests before have left, guards or not; the trail stays. */
export async function emptyLedger(pool: Pool): Promise<void> {
  await pool.query(
    `alter table attempts disable trigger user; alter table orders disable trigger user;
     alter table order_sends disable trigger user;
     truncate subscriptions, payers, cycles, attempts, orders, order_sends, open_orders, notices, changes, payments,
       reconciliation_runs, reconciliation_differences, subscription_words, payment_words;
     alter table attempts enable trigger user; alter table orders enable trigger user;
     alter table order_sends enable trigger user`,
  );
}
