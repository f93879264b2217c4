import { createHash } from 'node:crypto';

/** The same body, whatever the order of its fields or its spaces, has the same hash. */
export function hashBody(body: unknown): Buffer {
  return createHash('sha256').update(canonical(body), 'utf8').digest();
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === undefined) return 'nothing';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
}
