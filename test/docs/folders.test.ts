import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const MAX_FILES = 15;
/** How many short files may exist, not counting index files and declarations of modules. */
const MAX_SHORT = 25;
const SHORT = 30;

const FILES = ['src', 'workflows', 'activities'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(({ parentPath, name }) => ({ folder: parentPath, name })),
);

test('a folder of source files contains at most fifteen of them', () => {
  const counts = new Map<string, number>();
  for (const { folder } of FILES) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > MAX_FILES)).toEqual([]);
});

test('at most 25 source files, without index files and declarations, are shorter than 30 lines', () => {
  const linesOf = ({ folder, name }: (typeof FILES)[number]) =>
    readFileSync(join(folder, name), 'utf8').split('\n').length - 1;
  const short = FILES.filter((file) => /(?<!\bindex|\.d)\.ts$/.test(file.name) && linesOf(file) < SHORT);
  expect(short.length).toBeLessThanOrEqual(MAX_SHORT);
});
