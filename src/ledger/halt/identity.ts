/**
 * Whether the ledger may lack what was written last, or belong to another installation, as part of a query: the database is
 * not the one in which it was accepted, a restore was noticed otherwise, or it is a copy with which no process has started
 * yet. On a standby, where nothing is sent, the database says nothing of itself.
 */
export const IS_RESTORED = `(
  not exists (
    select from restore_guard where noticed_at is null and identity = coalesce(ledger_identity(), identity)
  ) or exists (select from installation where copy_waits)
)`;
