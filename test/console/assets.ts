import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const ASSETS = join(__dirname, '../../dist/console/assets');

/** Files of the console as they were built, by how their names end. */
export function builtAssets(end: string): readonly { readonly name: string; readonly content: Buffer }[] {
  return readdirSync(ASSETS)
    .filter((name) => name.endsWith(end))
    .map((name) => ({ name, content: readFileSync(join(ASSETS, name)) }));
}

/** All scripts together, gzipped. */
export function scriptBytes(): number {
  return builtAssets('.js').reduce((sum, { content }) => sum + gzipSync(content).length, 0);
}
