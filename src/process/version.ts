import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** This program's own version, as its package says. */
export function ownVersion(): string {
  // Three folders up, from dist/src/cli.
  const text = readFileSync(join(__dirname, '..', '..', '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}
