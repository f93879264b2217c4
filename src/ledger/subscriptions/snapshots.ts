import { randomUUID } from 'node:crypto';
import { MINUTE } from '../../domain/time';
import { type Page, type SnapshotPosition, snapshotCursor, snapshotCursorAt } from '../sql/cursor';
import { type Db, instantToColumn, readRecord } from '../sql/statements';
import { MAX_IN_SNAPSHOT } from '../rows/search';

/** The order of a list whose rows change their position while the pages are read, such as those sorted by due date. */

/** Real ms for which the pages of a snapshot can be read. */
export const SNAPSHOT_LIFE = 15 * MINUTE;

/** The most snapshots per line of API keys; the oldest is removed first. */
const MAX_PER_KEY = 20;

export interface NewSnapshot {
  /** The first key of the reader's line. Only keys of this line may read the pages: others must not learn what the search finds. */
  readonly keyId: string;
  /** The first {@link MAX_IN_SNAPSHOT} ids of the list, and one more if the list is longer. */
  readonly ids: readonly string[];
  readonly realNow: number;
}

/** Stores the order of a list. @param shown how many ids the first page has shown already. @returns the cursor of the next page */
export async function storeSnapshot(db: Db, { keyId, ids, realNow }: NewSnapshot, shown: number): Promise<string> {
  const snapshotId = randomUUID();
  await db.query(
    `with too_old as (
       delete from list_snapshots where snapshot_id in (
         select snapshot_id from list_snapshots
         where key_id = $2 and created_real_at <= greatest($5, (
           select created_real_at from list_snapshots where key_id = $2
           order by created_real_at desc offset ${MAX_PER_KEY - 1} limit 1
         ))
         for update skip locked
       )
     )
     insert into list_snapshots (snapshot_id, key_id, ids, created_real_at) values ($1, $2, $3, $4)`,
    [snapshotId, keyId, ids, instantToColumn(realNow), instantToColumn(realNow - SNAPSHOT_LIFE)],
  );
  return snapshotCursorAt({ snapshotId, position: shown });
}

export type SnapshotPage =
  | { readonly kind: 'page'; readonly ids: readonly string[]; readonly nextCursor: string | null }
  /** Older than {@link SNAPSHOT_LIFE}, replaced by newer ones, or of another key. */
  | { readonly kind: 'expired' }
  /** Everything in the snapshot has been read, and the list is longer. */
  | { readonly kind: 'too_long' };

/** The ids of a page. @throws RangeError if the page has no snapshot cursor. */
export async function readSnapshot(
  db: Db,
  { limit, cursor }: Page,
  { keyId, realNow }: Omit<NewSnapshot, 'ids'>,
): Promise<SnapshotPage> {
  const cursorPosition = snapshotCursor.read(cursor);
  if (cursorPosition === null) throw new RangeError('a snapshot is read by its cursor');
  const { snapshotId, position } = cursorPosition;
  const end = Math.min(position + limit, MAX_IN_SNAPSHOT);
  const found = await readRecord<{ ids: string[]; length: number }>(
    db,
    `select ids[$2:$3] as ids, cardinality(ids) as length from list_snapshots
     where snapshot_id = $1 and key_id = $4 and created_real_at > $5`,
    [snapshotId, position + 1, end, keyId, instantToColumn(realNow - SNAPSHOT_LIFE)],
  );
  if (found === null) return { kind: 'expired' };
  if (position >= MAX_IN_SNAPSHOT) return { kind: 'too_long' };
  return { kind: 'page', ids: found.ids, nextCursor: cursorBehind(snapshotId, end, found.length) };
}

function cursorBehind(snapshotId: SnapshotPosition['snapshotId'], position: number, length: number): string | null {
  return position < length ? snapshotCursorAt({ snapshotId, position }) : null;
}

/** @returns how many were removed: those taken at `olderThanReal` or before, at most `limit`. */
export async function purgeSnapshots(db: Db, olderThanReal: number, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from list_snapshots where snapshot_id in (
       select snapshot_id from list_snapshots where created_real_at <= $1 limit $2 for update skip locked
     )`,
    [instantToColumn(olderThanReal), limit],
  );
  return rowCount ?? 0;
}
