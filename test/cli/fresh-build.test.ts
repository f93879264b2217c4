import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findStaleness } from '../support/fresh-build';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dueday-build-'));
  for (const path of ['src/cli/index.ts', 'src/domain/money.ts', 'activities/index.ts', 'workflows/index.ts'])
    changed(path, 1_000);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** @param at seconds since the epoch */
function changed(path: string, at: number): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  utimesSync(file, at, at);
}

test('a build as new as the newest source is fresh', () => {
  changed('dist/node.tsbuildinfo', 1_000);
  expect(findStaleness(root)).toBeNull();
});

test.each(['src/cli/index.ts', 'src/domain/money.ts', 'activities/index.ts', 'workflows/index.ts'])(
  'a build that is older than %s is stale, and the reason names both files',
  (path) => {
    changed('dist/node.tsbuildinfo', 1_000);
    changed(path, 1_001);
    expect(findStaleness(root)).toBe(`${path} is newer than dist/node.tsbuildinfo`);
  },
);

test('sources of the console, which another tool builds, do not make a build stale', () => {
  changed('dist/node.tsbuildinfo', 1_000);
  changed('src/console/client.ts', 1_001);
  expect(findStaleness(root)).toBeNull();
});

test('a missing build is stale', () => {
  expect(findStaleness(root)).toMatch(/ is newer than dist\/node.tsbuildinfo$/);
});
