import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AdminUnderTest, startAdmin } from './admin-under-test';

const PAGE = '<!doctype html><title>dueday</title>';

let folder: string;
let admin: AdminUnderTest;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dueday-console-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'assets/index-12345678.js'), 'export {};');
  admin = await startAdmin({ consoleFolder: folder });
});
afterAll(async () => {
  await admin.stop();
  rmSync(folder, { recursive: true });
});

const open = (url: string, accept = 'text/html,*/*;q=0.8') =>
  admin.app.inject({ method: 'GET', url, headers: { accept } });

test.each(['/', '/subscriptions/sub_a?cursor=x', '/attention'])(
  '%s returns the page of the console, which must be revalidated',
  async (url) => {
    const answer = await open(url);
    expect({ status: answer.statusCode, body: answer.body }).toEqual({ status: 200, body: PAGE });
    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'self';.*frame-ancestors 'none'/);
    expect(answer.headers['content-security-policy']).not.toContain('unsafe');
  },
);

test.each(['*/*', 'application/json', undefined])(
  '/ is the console, whatever the Accept header: %s',
  async (accept) => {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await admin.app.inject({
        method,
        url: '/?from=mail',
        headers: accept === undefined ? {} : { accept },
      });
      expect([method, answer.statusCode]).toEqual([method, 200]);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.body).toBe(method === 'GET' ? PAGE : '');
    }
  },
);

test('/ supports no method but GET and HEAD', async () => {
  const answer = await admin.app.inject({ method: 'POST', url: '/' });
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
});

test('assets are cached permanently, because their names contain a hash of their content', async () => {
  const answer = await open('/assets/index-12345678.js', '*/*');
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(answer.headers['content-type']).toContain('javascript');
});

test.each(['/v1/nothing', '/v1', '/assets/gone-12345678.js', '/docs/nothing'])(
  '%s is not a page of the console',
  async (url) => {
    expect((await open(url)).statusCode).toBe(404);
  },
);

test('a request that does not accept HTML gets 404', async () => {
  const answer = await open('/subscriptions', 'application/json');
  expect(answer.json()).toMatchObject({ status: 404, code: 'not_found' });
});
