import { readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The file that the compiler writes last, even if only a time has changed. */
const COMPILED = 'dist/node.tsbuildinfo';
const SOURCES = ['src', 'activities', 'workflows'];
/** The console, which is built for browsers by another tool. */
const CONSOLE = `src${sep}console${sep}`;

/**
 * Why the built program is out of date, null if it is not. Tests of processes would otherwise test outdated code.
 * @param root of the project
 */
export function findStaleness(root: string): string | null {
  const all = SOURCES.flatMap((folder) => sourcesBelow(join(root, folder)));
  const files = all.filter((file) => !relative(root, file).startsWith(CONSOLE));
  const newest = files.reduce((one, other) => (changedAt(other) > changedAt(one) ? other : one));
  if (changedAt(newest) > changedAt(join(root, COMPILED))) return `${relative(root, newest)} is newer than ${COMPILED}`;
  return null;
}

let isFresh = false;

/** Checks until the build was found fresh once. @throws Error if the build is older than the source, or missing */
export function requireFreshBuild(): void {
  if (isFresh) return;
  const staleness = findStaleness(join(__dirname, '../..'));
  if (staleness !== null) throw new Error(`dist is stale, run \`npm run build\` first: ${staleness}`);
  isFresh = true;
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

/** Epoch ms; 0 if there is no such file. */
function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
