import { isSamePerson } from '../../domain/approvals';
import { type Db, readRecords } from '../sql/statements';

/** A line of keys that has created or rotated a key of another line, itself or through keys that it created. */
interface Maker {
  /** The first key of the line. */
  readonly firstKeyId: string;
  /** Null: its holder is unknown, as with the bootstrap key. */
  readonly holder: string | null;
}

/**
 * Everyone who had access to a key before its holder, transitively: the creator of a key has seen it and can use it, and so could
 * the creator of the key with which it was created. Keys created on the command line have no maker.
 * @param firstKeyId the first of the keys that have replaced one another
 */
export function readMakers(db: Db, firstKeyId: string): Promise<readonly Maker[]> {
  return readRecords(
    db,
    `with recursive line (first_key_id) as (
       select $1::uuid
       union
       select coalesce(maker.first_key_id, maker.key_id)
       from line
       join api_keys made on coalesce(made.first_key_id, made.key_id) = line.first_key_id
       join api_keys maker on maker.key_id = made.created_by
     )
     select line.first_key_id, k.holder from line join api_keys k on k.key_id = line.first_key_id
     where line.first_key_id <> $1 order by line.first_key_id`,
    [firstKeyId],
  );
}

export type MakerRefusal =
  /** A key without a holder has created one of the two keys: its user is unknown. */
  | { readonly kind: 'unknown_maker' }
  /** This person has created or rotated the key of the other one, or both keys. */
  | { readonly kind: 'maker'; readonly holder: string };

interface AccessibleKey {
  readonly holder: string;
  readonly makers: readonly Maker[];
}

/**
 * Whether one person may have had access to both keys, and could have requested with one and approved with the other.
 * @returns null if not
 */
export function judgeMakers(requested: AccessibleKey, approved: AccessibleKey): MakerRefusal | null {
  if ([...requested.makers, ...approved.makers].some(({ holder }) => holder === null)) return { kind: 'unknown_maker' };
  const requesters = [requested.holder, ...holdersOf(requested)];
  const inBoth = [approved.holder, ...holdersOf(approved)].find((one) =>
    requesters.some((other) => isSamePerson(one, other)),
  );
  return inBoth === undefined ? null : { kind: 'maker', holder: inBoth };
}

function holdersOf({ makers }: AccessibleKey): readonly string[] {
  return makers.flatMap(({ holder }) => (holder === null ? [] : [holder]));
}
