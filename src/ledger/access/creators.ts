import { isSamePerson } from '../../domain/approvals';
import { type Db, readRecords } from '../sql/statements';

/**
 * A key that created or rotated another key, directly or through keys that it created. The keys that replaced it count as this
 * key.
 */
interface Creator {
  /** The first of the keys that have replaced one another. */
  readonly firstKeyId: string;
  /** Null: its holder is unknown, as with the bootstrap key. */
  readonly holder: string | null;
}

/**
 * The keys of all who had access to a key before its holder, transitively: the creator of a key has seen it and can use it, and so
 * could the creator of the key with which it was created. Keys created on the command line have no creator.
 * @param firstKeyId the first of the keys that have replaced one another
 */
export function readCreators(db: Db, firstKeyId: string): Promise<readonly Creator[]> {
  return readRecords(
    db,
    `with recursive line (first_key_id) as (
       select $1::uuid
       union
       select coalesce(creator.first_key_id, creator.key_id)
       from line
       join api_keys created on coalesce(created.first_key_id, created.key_id) = line.first_key_id
       join api_keys creator on creator.key_id = created.created_by
     )
     select line.first_key_id, k.holder from line join api_keys k on k.key_id = line.first_key_id
     where line.first_key_id <> $1 order by line.first_key_id`,
    [firstKeyId],
  );
}

export type SharedAccess =
  /** A key without a holder has created one of the two keys: its user is unknown. */
  | { readonly kind: 'unknown_creator' }
  /** This person has created or rotated the other person's key, or both keys. */
  | { readonly kind: 'creator'; readonly holder: string };

interface AccessibleKey {
  readonly holder: string;
  readonly creators: readonly Creator[];
}

/**
 * Whether one person may have had access to both keys, and could have requested with one and approved with the other.
 * @returns null if not
 */
export function findSharedAccess(requested: AccessibleKey, approved: AccessibleKey): SharedAccess | null {
  if ([...requested.creators, ...approved.creators].some(({ holder }) => holder === null))
    return { kind: 'unknown_creator' };
  const requesters = [requested.holder, ...holdersOf(requested)];
  const inBoth = [approved.holder, ...holdersOf(approved)].find((one) =>
    requesters.some((other) => isSamePerson(one, other)),
  );
  return inBoth === undefined ? null : { kind: 'creator', holder: inBoth };
}

function holdersOf({ creators }: AccessibleKey): readonly string[] {
  return creators.flatMap(({ holder }) => (holder === null ? [] : [holder]));
}
