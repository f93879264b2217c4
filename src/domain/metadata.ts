/** The merchant's own pairs of key and value on a subscription or a one-time payment; may be empty. No personal data. */
export type Metadata = Readonly<Record<string, string>>;

/** The maximum number of pairs, and the maximum lengths of keys and values in characters. */
export const METADATA_LIMITS = { pairs: 10, key: 40, value: 200 } as const;

/** A change of metadata in the audit log. */
export interface MetadataChange {
  /** Keys that were added, removed or changed, in alphabetical order. */
  readonly keys: readonly string[];
  readonly was: Metadata;
  readonly is: Metadata;
}

/**
 * Replaces all pairs.
 * @returns null if nothing changes
 */
export function replaceMetadata(was: Metadata, is: Metadata): MetadataChange | null {
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((key) => valueOf(was, key) !== valueOf(is, key))
    .sort();
  return keys.length === 0 ? null : { keys, was, is };
}

/** Null if there is no such pair. A key may be the name of an inherited property, such as `constructor`. */
function valueOf(metadata: Metadata, key: string): string | null {
  return Object.hasOwn(metadata, key) ? (metadata[key] ?? null) : null;
}
