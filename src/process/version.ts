import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** This program's version, from its package. */
export function ownVersion(): string {
  // Three folders up from dist/src/process.
  const text = readFileSync(join(__dirname, '..', '..', '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}
