import { type Db, readValue } from './statements';

/** Whether sending is halted, as part of a query: by a person, or as the ledger was restored. */
export const IS_HALTED = 'is_halted()';

/**
 * Whether the ledger may lack what was written last, or belong to another installation, as part of a query: the database is
 * not the one in which it was accepted, a restore was noticed otherwise, or it is a copy with which no process has started
 * yet. On a standby, where nothing is sent, the database says nothing of itself.
 */
export const IS_RESTORED = 'is_restored()';

/** Whether the ledger was restored or copied, noticed or not, and no admin has said yet which it is: it sends nothing. */
export async function isRestored(db: Db): Promise<boolean> {
  return (await readValue<boolean>(db, `select ${IS_RESTORED}`)) === true;
}

/** Whether a restore was noticed and stands. */
export async function isRestoreNoticed(db: Db): Promise<boolean> {
  const isNoticed = await readValue<boolean>(
    db,
    'select exists (select from restore_guard where noticed_at is not null)',
  );
  return isNoticed === true;
}

/** Whether it was declared a copy, and no process has started on it since with settings of its own. */
export async function waitsForCopy(db: Db): Promise<boolean> {
  return (await readValue<boolean>(db, 'select copy_waits from installation')) === true;
}
