import type { Metadata } from '../../../domain/metadata';

/** A user's edit of the pairs. */
interface MetadataEdit {
  /** The pairs when the user opened the dialog. */
  readonly opened: Metadata;
  readonly typed: Metadata;
  /** The pairs now: others may have changed them meanwhile. */
  readonly current: Metadata;
}

/**
 * Applies the user's changes to the current pairs; the other pairs stay unchanged.
 * @throws Error if a pair that the user has changed was also changed by someone else
 */
export function applyEdit({ opened, typed, current }: MetadataEdit): Metadata {
  // Maps, because a key may be the name of an inherited property such as `constructor`.
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
  const how = is === undefined ? 'was removed meanwhile' : `was changed meanwhile to "${is}"`;
  return `"${key}" ${how}. Nothing was saved: enter that value here, or open this dialog again to change it.`;
}
