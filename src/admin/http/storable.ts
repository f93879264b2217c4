import type { Fault } from './problems';

/** No request of ours nests deeper than 3. */
const MAX_DEPTH = 20;
/** No request of ours has more than 200: a list of 100 types is the longest. Fields of objects and items of lists. */
const MOST_VALUES = 1000;

/**
 * What no schema has to check: text that PostgreSQL cannot store, nesting, the number of values, which bounds the work that a
 * schema does. Walks without recursion, so that depth costs no stack. @returns the first fault; null if there is none
 */
export function objectTo(root: unknown): Fault | null {
  const open: Found[] = [{ value: root, path: [] }];
  let seen = 1;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === 'string' && isBroken(value)) return faultAt(path, BROKEN);
    if (typeof value !== 'object' || value === null) continue;
    if (path.length >= MAX_DEPTH) return faultAt([], `expected at most ${MAX_DEPTH} levels of nesting; got more`);
    const keys = Object.keys(value);
    seen += keys.length;
    if (seen > MOST_VALUES) return faultAt(path, `expected at most ${MOST_VALUES} values in a request; got more`);
    for (const key of keys) {
      if (key === '__proto__') return faultAt(path, 'expected no field named __proto__; got one');
      if (isBroken(key)) return faultAt(path, 'expected field names without NUL and lone surrogates; got some');
      open.push({ value: (value as Readonly<Record<string, unknown>>)[key], path: [...path, key] });
    }
  }
  return null;
}

interface Found {
  readonly value: unknown;
  readonly path: readonly string[];
}

const BROKEN = 'expected text without NUL and lone surrogates; got some';

function faultAt(path: readonly string[], message: string): Fault {
  return { path: path.join('.'), message };
}

/** PostgreSQL stores neither NUL nor a lone surrogate. */
function isBroken(text: string): boolean {
  return text.includes('\u0000') || /\p{Surrogate}/u.test(text);
}
