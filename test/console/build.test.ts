import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtAssets, scriptBytes } from './assets';

const ROOT = join(__dirname, '../..');
const MAX_BYTES = 120_000;

test('all console scripts together are under 120 kB gzipped', () => {
  const bytes = scriptBytes();
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(MAX_BYTES);
});

test('the page has no inline script or style, and refers to no other host', () => {
  const page = readFileSync(join(ROOT, 'dist/console/index.html'), 'utf8');
  expect(page).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=|https?:/);
});

test('every file name has a content hash, so that it can be cached forever', () => {
  const assets = [...builtAssets('.js'), ...builtAssets('.css'), ...builtAssets('.svg')];
  for (const { name } of assets) expect(name).toMatch(/-[\w-]{8}\.\w+$/);
});
