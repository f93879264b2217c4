/** The merchant's own pairs on a subscription or a one-time payment; empty where it gave none. No personal data. */
export type Metadata = Readonly<Record<string, string>>;

/** At most so many pairs, with keys and values of at most so many characters. */
export const METADATA_LIMITS = { pairs: 10, key: 40, value: 200 } as const;

/** As the trail has it. */
export interface MetadataChange {
  /** Those that came, went or have another value, in alphabetical order. */
  readonly keys: readonly string[];
  readonly was: Metadata;
  readonly is: Metadata;
}

/**
 * What is given takes the place of all that was there.
 * @returns null where that is the same
 */
export function replaceMetadata(was: Metadata, is: Metadata): MetadataChange | null {
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((key) => valueOf(was, key) !== valueOf(is, key))
    .sort();
  return keys.length === 0 ? null : { keys, was, is };
}

/**
 * Null where there is no such pair.
 * A key may be the name of something that every object has, such as `constructor`.
 */
function valueOf(metadata: Metadata, key: string): string | null {
  return Object.hasOwn(metadata, key) ? (metadata[key] ?? null) : null;
}
