import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname } from 'node:path';
import { makeTemporaryFolder } from '../../src/embedded/folders';

const made: string[] = [];

async function make(): Promise<string> {
  const folder = await makeTemporaryFolder('try');
  made.push(folder);
  return folder;
}

afterAll(() => Promise.all(made.map((folder) => rm(folder, { recursive: true }))));

test('a temporary folder is always new, and every account may enter it', async () => {
  const [one, other] = [await make(), await make()];
  expect(one).not.toBe(other);
  expect(basename(one)).toMatch(/^dueday-try-/);
  expect((await stat(one)).mode & 0o777).toBe(0o755);
});

test("a temporary folder is in memory or in the system's temporary folder", async () => {
  expect(['/dev/shm', tmpdir()]).toContain(dirname(await make()));
});
