import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const ASSETS = join(__dirname, '../../dist/console/assets');

/** Built files of the console whose names end like this. */
export function builtAssets(end: string): readonly { readonly name: string; readonly content: Buffer }[] {
  return readdirSync(ASSETS)
    .filter((name) => name.endsWith(end))
    .map((name) => ({ name, content: readFileSync(join(ASSETS, name)) }));
}

/** Total size of all scripts, gzipped. */
export function scriptBytes(): number {
  return builtAssets('.js').reduce((sum, { content }) => sum + gzipSync(content).length, 0);
}
