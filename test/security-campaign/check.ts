import type { Check } from '../support/campaign';

const MAX_SHOWN = 5;

/** A check that passes if nothing is wrong, and otherwise reports the first few faults. */
export function noneOf(name: string, wrong: readonly string[], looked: string): Check {
  const more = wrong.length > MAX_SHOWN ? [`and ${wrong.length - MAX_SHOWN} more`] : [];
  const found = wrong.length === 0 ? looked : [...wrong.slice(0, MAX_SHOWN), ...more].join('; ');
  return { name, holds: wrong.length === 0, found };
}
