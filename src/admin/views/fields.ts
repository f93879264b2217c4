import { toIso, type Instant } from '../../domain/time';

export function isoOrNull(instant: Instant | null): string | null {
  return instant === null ? null : toIso(instant);
}

/** A field that is left out where it has nothing to say. */
export function named<K extends string, V>(name: K, value: V | null): Partial<Record<K, V>> {
  return value === null ? {} : ({ [name]: value } as Record<K, V>);
}
