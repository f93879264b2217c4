import type { Fault } from './problems';

/**
 * Finds what no request may contain, so that no schema has to: text that PostgreSQL cannot store, and a field named `__proto__`.
 * Iterative, so that depth costs no stack. @returns the first fault, or null
 */
export function findUnstorable(root: unknown): Fault | null {
  const open: Found[] = [{ value: root, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === 'string' && isUnstorable(value)) return faultAt(path, UNSTORABLE);
    if (typeof value !== 'object' || value === null) continue;
    for (const key of Object.keys(value)) {
      if (key === '__proto__') return faultAt(path, 'a field must not be named __proto__');
      if (isUnstorable(key)) return faultAt(path, 'expected field names without NUL characters and lone surrogates');
      open.push({ value: (value as Readonly<Record<string, unknown>>)[key], path: [...path, key] });
    }
  }
  return null;
}

/** An object on which any name is a plain field. Use it where a caller names the fields. */
export function withoutPrototype(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

interface Found {
  readonly value: unknown;
  readonly path: readonly string[];
}

const UNSTORABLE = 'expected text without NUL characters and lone surrogates';

function faultAt(path: readonly string[], message: string): Fault {
  return { path: path.join('.'), message };
}

/** PostgreSQL stores neither NUL nor a lone surrogate. */
function isUnstorable(text: string): boolean {
  return text.includes('\u0000') || /\p{Surrogate}/u.test(text);
}
