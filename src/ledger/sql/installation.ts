import { type Db, readValue } from './statements';

/** SQL condition: sending is halted, by an operator or because the ledger was restored or copied. */
export const IS_HALTED = 'is_halted()';

/**
 * SQL condition: the ledger may lack the last writes, or belong to another installation. Either the database is not the one in
 * which the ledger was last accepted, or a restore was noticed in another way, or the ledger is a copy with which no process has
 * started yet. A standby sends nothing, so its database is not considered.
 */
export const IS_RESTORED = 'is_restored()';

/** Whether the ledger sends nothing because it was restored or copied, noticed or not: see {@link IS_RESTORED}. */
export async function isRestored(db: Db): Promise<boolean> {
  return (await readValue<boolean>(db, `select ${IS_RESTORED}`)) === true;
}

/** Whether a restore was noticed and has not been accepted yet. */
export async function isRestoreNoticed(db: Db): Promise<boolean> {
  const isNoticed = await readValue<boolean>(
    db,
    'select exists (select from restore_guard where noticed_at is not null)',
  );
  return isNoticed === true;
}

/** Whether the ledger was declared a copy, and no process has started on it since with settings of its own. */
export async function isUnstartedCopy(db: Db): Promise<boolean> {
  return (await readValue<boolean>(db, 'select copy_waits from installation')) === true;
}
