import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type AdminUnderTest, startAdmin } from './admin-under-test';

const PAGE = '<!doctype html><script id="theme">document.title;</script><script src="/docs/assets/a.js"></script>';

let admin: AdminUnderTest;
let app: FastifyInstance;
const folder = mkdtempSync(join(tmpdir(), 'dueday-docs-'));
beforeAll(async () => {
  mkdirSync(join(folder, 'explain'));
  for (const file of ['index.html', 'explain/rules.html']) writeFileSync(join(folder, file), PAGE);
  admin = await startAdmin();
  app = await admin.another({ docsFolder: folder });
});
afterAll(async () => {
  await app.close();
  await admin.stop();
  rmSync(folder, { recursive: true });
});

const open = (url: string) => app.inject({ method: 'GET', url, headers: { accept: 'text/html' } });

test.each(['/docs', '/docs/', '/docs/explain/rules'])('%s is a page of the site', async (url) => {
  const answer = await open(url);
  expect([answer.statusCode, answer.body]).toEqual([200, PAGE]);
  expect(answer.headers['content-type']).toContain('text/html');
});

test('the pages of the documentation may run only the scripts of the build, and load nothing from other hosts', async () => {
  const policy = String((await open('/docs/')).headers['content-security-policy']);
  expect(policy).toContain("default-src 'self'; script-src 'self' 'sha256-");
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
});

test.each(['/docs/nothing', '/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/explain'])(
  '%s is not a page of the site',
  async (url) => {
    expect((await open(url)).statusCode).toBe(404);
  },
);

test('the description of the API is served beside the pages of the documentation', async () => {
  const answer = await open('/docs/api/');
  expect([answer.statusCode, answer.body.includes('dueday admin API')]).toEqual([200, true]);
});
