import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDueday } from './dueday-process';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dueday-threads-'));
  writeFileSync(join(folder, 'tell.cjs'), `process.on('exit', () => console.error(process.env.UV_THREADPOOL_SIZE));`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each<[string, Readonly<Record<string, string>>, string]>([
  ['dueday runs 64 threads for name resolution and other work that would block', {}, '64'],
  ['dueday runs as many threads as UV_THREADPOOL_SIZE says', { UV_THREADPOOL_SIZE: '8' }, '8'],
])('%s', async (_what, env, threads) => {
  const { code, stderr } = await runDueday(['--version'], {
    ...env,
    NODE_OPTIONS: `--require ${join(folder, 'tell.cjs')}`,
  });
  expect([code, stderr.trim()]).toEqual([0, threads]);
});
