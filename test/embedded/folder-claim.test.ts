import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { claimFolder } from '../../src/embedded/folder-claim';
import { identifyProcess } from '../../src/embedded/process-identity';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dueday-claim-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function leaveClaim(record: unknown): void {
  writeFileSync(join(folder, 'in-use.json'), JSON.stringify(record));
}

const gone = { pid: 2 ** 22 + 1, startMark: 'another boot:1' };

test('holds a folder until it is released', async () => {
  const claim = await claimFolder(folder);
  await expect(claimFolder(folder)).rejects.toThrow(`in use by another run (process ${process.pid})`);

  await claim.release();

  await expect(claimFolder(folder)).resolves.toBeDefined();
});

test('makes the folder where it is missing', async () => {
  await claimFolder(join(folder, 'not', 'there'));
  expect(readdirSync(join(folder, 'not', 'there'))).toEqual(['in-use.json']);
});

test('gives a folder to one only of many that want it at once, a stale claim in it or not', async () => {
  leaveClaim({ owner: gone });

  const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => claimFolder(folder)));

  expect(attempts.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(1);
  expect(readdirSync(folder)).toEqual(['in-use.json']);
});

test('passes over the claim of a process whose number another process has now', async () => {
  leaveClaim({ owner: { pid: process.pid, startMark: 'another boot:1' } });
  await expect(claimFolder(folder)).resolves.toBeDefined();
});

test('waits for the server that a killed owner left, as long as it shuts down', async () => {
  const server = spawn('sleep', ['60']);
  leaveClaim({ owner: gone, server: identifyProcess(server.pid ?? 0) });

  const claim = claimFolder(folder);
  setTimeout(() => server.kill('SIGKILL'), 500);
  await claim;

  expect(identifyProcess(server.pid ?? 0)).toBeNull();
});

test('refuses, and names the server, where the server of a killed owner does not end', async () => {
  const server = spawn('sleep', ['60']);
  leaveClaim({ owner: gone, server: identifyProcess(server.pid ?? 0) });

  const claim = claimFolder(folder, { leftoverPatienceMs: 200 });

  await expect(claim).rejects.toThrow(
    `The folder ${folder} is in use by a server that an earlier run left behind (process ${server.pid})`,
  );
  server.kill('SIGKILL');
});
