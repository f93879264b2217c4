import type { Metadata } from '../../../domain/metadata';

/** What a user has made of the pairs. */
interface MetadataEdit {
  /** As they stood when the user began. */
  readonly opened: Metadata;
  readonly typed: Metadata;
  /** As they stand now: others may have written meanwhile. */
  readonly current: Metadata;
}

/**
 * The current pairs with what the user has changed of those at the beginning: all others stay as they are by now.
 * @throws Error where a pair that the user has changed was changed otherwise meanwhile
 */
export function applyEdit({ opened, typed, current }: MetadataEdit): Metadata {
  // Maps, as a key may be the name of something that every object has, such as `constructor`.
  const [before, wanted, pairs] = [mapOf(opened), mapOf(typed), mapOf(current)];
  for (const key of new Set([...before.keys(), ...wanted.keys()])) {
    const [was, value, is] = [before.get(key), wanted.get(key), pairs.get(key)];
    if (value === was) continue;
    if (is !== was && is !== value) throw new Error(conflictOf(key, is));
    if (value === undefined) pairs.delete(key);
    else pairs.set(key, value);
  }
  return Object.fromEntries(pairs);
}

function mapOf(pairs: Metadata): Map<string, string> {
  return new Map(Object.entries(pairs));
}

function conflictOf(key: string, is: string | undefined): string {
  const how = is === undefined ? 'was taken away meanwhile' : `was changed meanwhile: it is "${is}" now`;
  return `"${key}" ${how}. Nothing is kept yet: leave it as it is now, or open this dialog again to change it.`;
}
