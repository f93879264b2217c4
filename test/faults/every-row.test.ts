import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Rows of the list of faults that have come to be survived. */
const ROWS = [...Array.from({ length: 28 }, (_, index) => index + 1), 30];
/** Folders whose tests are named after rows. */
const FOLDERS = [__dirname, join(__dirname, '..', 'replay')];

function textOfTests(): string {
  const files = FOLDERS.flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));
  return files
    .filter((file) => file.endsWith('.test.ts') && file !== __filename)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

test('every fault that must be survived has a test by its number, and no test has another number', () => {
  const named = new Set([...textOfTests().matchAll(/'fault (\d+)/g)].map(([, row]) => Number(row)));
  expect([...named].sort((one, other) => one - other)).toEqual(ROWS);
});
