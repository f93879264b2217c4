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

export function describeFiles(folder: string, files: readonly string[]): void {
  for (const file of files) {
    describe(file, () => {
      jest.requireActual(join(folder, file));
    });
  }
}
