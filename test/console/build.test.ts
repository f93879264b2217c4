import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const ROOT = join(__dirname, '../..');
const ASSETS = join(ROOT, 'dist/console/assets');
const MOST_BYTES = 120 * 1024;

const built = (end: string) =>
  readdirSync(ASSETS)
    .filter((name) => name.endsWith(end))
    .map((name) => ({ name, text: readFileSync(join(ASSETS, name)) }));

test('all scripts of the console together are under 120 kB, gzipped', () => {
  const bytes = built('.js').reduce((sum, { text }) => sum + gzipSync(text).length, 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(MOST_BYTES);
});

test('the page has no script and no style of its own, and names no other host', () => {
  const page = readFileSync(join(ROOT, 'dist/console/index.html'), 'utf8');
  expect(page).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=|https?:/);
});

test('every file is named by its content, so that it can be kept for good', () => {
  for (const { name } of [...built('.js'), ...built('.css'), ...built('.svg')]) expect(name).toMatch(/-[\w-]{8}\.\w+$/);
});
