import { isSamePerson } from '../../domain/approvals';
import { type Db, readRecords } from '../sql/statements';

/** A line of keys that has created or rotated a key of another line, itself or through keys that it created. */
interface Maker {
  /** The first key of the line. */
  readonly firstKeyId: string;
  /** Null: nobody is known to have had it, as with the bootstrap key. */
  readonly holder: string | null;
}

/**
 * All who have had a key in hand before its holder, transitively: who creates a key has seen it, and can use it, and so could
 * who created the key that it was created with. Keys that the command line created have no maker.
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
  /** A key without a holder has created one of both keys: nobody is known to have had it in hand. */
  | { readonly kind: 'unknown_maker' }
  /** This person has created or rotated a key of the other one, or those of both. */
  | { readonly kind: 'maker'; readonly holder: string };

interface KeyInHand {
  readonly holder: string;
  readonly makers: readonly Maker[];
}

/**
 * Whether one person may have had both keys in hand: what is asked for with one, or approved with the other, could be theirs in
 * another's name. @returns null if not
 */
export function judgeMakers(asked: KeyInHand, approved: KeyInHand): MakerRefusal | null {
  if ([...asked.makers, ...approved.makers].some(({ holder }) => holder === null)) return { kind: 'unknown_maker' };
  const hadAsked = [asked.holder, ...holdersOf(asked)];
  const hadBoth = [approved.holder, ...holdersOf(approved)].find((one) =>
    hadAsked.some((other) => isSamePerson(one, other)),
  );
  return hadBoth === undefined ? null : { kind: 'maker', holder: hadBoth };
}

function holdersOf({ makers }: KeyInHand): readonly string[] {
  return makers.flatMap(({ holder }) => (holder === null ? [] : [holder]));
}
