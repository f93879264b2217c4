import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TESTS = join(__dirname, '..');
const LIST = join(TESTS, '..', 'docs', 'explain', 'faults.md');
/** Folders whose tests are named after rows. */
const FOLDERS = [__dirname, join(TESTS, 'replay')];

function textOfTests(): string {
  const files = FOLDERS.flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));
  return files
    .filter((file) => file.endsWith('.ts') && file !== __filename)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

test('every numbered fault in docs/explain/faults.md is in the title of a test, and no title has an unlisted number', () => {
  const named = new Set([...textOfTests().matchAll(/'fault (\d+)/g)].map(([, row]) => Number(row)));
  const listed = [...readFileSync(LIST, 'utf8').matchAll(/^\| (\d+) /gm)].map(([, row]) => Number(row));
  const inOrder = (rows: Iterable<number>) => [...rows].sort((one, other) => one - other);
  expect(listed.length).toBeGreaterThanOrEqual(28);
  expect(inOrder(named)).toEqual(inOrder(listed));
});

/** A test is named by its file, in `test/faults` unless its folder is named, or by a folder or a command. */
function exists(named: string): boolean {
  if (named.startsWith('npm run ')) return true;
  const path = join(TESTS, named.includes('/') ? named : `faults/${named}`);
  return existsSync(named.endsWith('/') ? path : `${path}.test.ts`);
}

test('every test that docs/explain/faults.md names exists', () => {
  const rows = readFileSync(LIST, 'utf8').match(/^\| (\d+|–) .+$/gm) ?? [];
  const named = rows.flatMap((row) =>
    [...(row.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((name) => !exists(name))).toEqual([]);
});
