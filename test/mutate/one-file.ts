import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Every test of a folder and of those in it as part of one file, what takes longest last. A mutant that each file loads again
 * waits for that most of its time.
 */
export function describeFolder(folder: string, last: readonly string[]): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const others = names.filter((name) => name.endsWith('.test.ts') && !last.includes(name));
  describeFiles(folder, [...others, ...last]);
}

/** Files with no test to run are not loaded: each costs every mutant its time. */
export function describeFiles(folder: string, files: readonly string[]): void {
  const { testNamePattern } = globalThis as { testNamePattern?: string | null };
  const names = testNamePattern?.replaceAll(/\\(.)/g, '$1');
  for (const file of files.filter((each) => names?.includes(`(${each} `) ?? true)) {
    describe(file, () => {
      jest.requireActual(join(folder, file));
    });
  }
}
