import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LIST = join(__dirname, '..', '..', 'docs', 'explain', 'faults.md');
/** Folders whose tests are named after rows. */
const FOLDERS = [__dirname, join(__dirname, '..', 'replay')];

function textOfTests(): string {
  const files = FOLDERS.flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));
  return files
    .filter((file) => file.endsWith('.ts') && file !== __filename)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

test('every fault that docs/explain/faults.md lists has a test by its number, and no test has another number', () => {
  const named = new Set([...textOfTests().matchAll(/'fault (\d+)/g)].map(([, row]) => Number(row)));
  const listed = [...readFileSync(LIST, 'utf8').matchAll(/^\| (\d+) /gm)].map(([, row]) => Number(row));
  const inOrder = (rows: Iterable<number>) => [...rows].sort((one, other) => one - other);
  expect(listed.length).toBeGreaterThanOrEqual(28);
  expect(inOrder(named)).toEqual(inOrder(listed));
});
