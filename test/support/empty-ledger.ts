import type { Pool } from '../../src/ledger';

/** Takes away what the tests before have left, guards or not; the trail stays. */
export async function emptyLedger(pool: Pool): Promise<void> {
  await pool.query(
    `alter table attempts disable trigger user; alter table refunds disable trigger user;
     alter table refund_sends disable trigger user;
     truncate subscriptions, payers, cycles, attempts, refunds, refund_sends, notices, changes,
       reconciliation_runs, reconciliation_differences;
     alter table attempts enable trigger user; alter table refunds enable trigger user;
     alter table refund_sends enable trigger user`,
  );
}
