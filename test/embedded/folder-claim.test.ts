import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { claimFolder, rightToReplace } from '../../src/embedded/folder-claim';
import { identifyProcess } from '../../src/embedded/process-identity';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dueday-claim-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const file = () => join(folder, 'in-use.json');

function leaveClaim(record: unknown): void {
  writeFileSync(file(), JSON.stringify(record));
}

/**
 * Writes the file of a process that got the right to replace a stale claim, and died or stopped before it replaced it.
 */
function leaveRight(claim: unknown, record: unknown): void {
  writeFileSync(rightToReplace(file(), JSON.stringify(claim)), JSON.stringify(record));
}

const gone = { pid: 2 ** 22 + 1, startMark: 'another boot:1' };
const goneToo = { pid: 2 ** 22 + 2, startMark: 'another boot:2' };

test('a folder that a claim has created can be read by no other account', async () => {
  const inner = join(folder, 'above', 'data');
  const claim = await claimFolder(inner);
  expect(statSync(inner).mode & 0o777).toBe(0o700);
  await claim.release();
});

test('a claim holds a folder until it is released', async () => {
  const claim = await claimFolder(folder);
  await expect(claimFolder(folder)).rejects.toThrow(`in use by another run (process ${process.pid})`);

  await claim.release();

  await expect(claimFolder(folder)).resolves.toBeDefined();
});

test('a claim creates the folder if it is missing', async () => {
  await claimFolder(join(folder, 'not', 'there'));
  expect(readdirSync(join(folder, 'not', 'there'))).toEqual(['in-use.json']);
});

const AT_ONCE = 20;

/** Claims the folder many times at once. @returns how many claims succeeded */
async function holders(): Promise<number> {
  const attempts = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => claimFolder(folder)));
  return attempts.filter(({ status }) => status === 'fulfilled').length;
}

test.each([
  ['the folder is free', []],
  ['a dead process holds a claim', [gone]],
  ['a dead process holds a claim, and another died while it replaced that claim', [gone, goneToo]],
])('of many simultaneous claims of a folder exactly one succeeds: %s', async (_what, owners) => {
  for (let round = 0; round < 20; round += 1) {
    rmSync(file(), { force: true });
    const [stale, replacing] = owners;
    if (stale !== undefined) leaveClaim({ owner: stale });
    if (replacing !== undefined) leaveRight({ owner: stale }, { owner: replacing });

    expect(await holders()).toBe(1);
    expect(readdirSync(folder)).toEqual(['in-use.json']);
  }
});

test('a claim is refused while another process replaces a stale one', async () => {
  leaveClaim({ owner: gone });
  leaveRight({ owner: gone }, { owner: identifyProcess(process.pid) });
  await expect(claimFolder(folder)).rejects.toThrow(`in use by another run (process ${process.pid})`);
});

test('a claim is stale if another process now has its process id', async () => {
  leaveClaim({ owner: { pid: process.pid, startMark: 'another boot:1' } });
  await expect(claimFolder(folder)).resolves.toBeDefined();
});

test('a claim whose file was emptied by a loss of power is stale', async () => {
  writeFileSync(file(), '');
  const claim = await claimFolder(folder);
  await expect(claimFolder(folder)).rejects.toThrow(`in use by another run (process ${process.pid})`);
  await claim.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('a claim waits while the server of a killed owner shuts down', async () => {
  const server = spawn('sleep', ['60']);
  leaveClaim({ owner: gone, server: identifyProcess(server.pid ?? 0) });

  const claim = claimFolder(folder);
  setTimeout(() => server.kill('SIGKILL'), 500);
  await claim;

  expect(identifyProcess(server.pid ?? 0)).toBeNull();
});

test("a claim is refused, with the server's name, if the server of a killed owner does not end", async () => {
  const server = spawn('sleep', ['60']);
  leaveClaim({ owner: gone, server: identifyProcess(server.pid ?? 0) });

  const claim = claimFolder(folder, { leftoverTimeoutMs: 200 });

  await expect(claim).rejects.toThrow(
    `The folder ${folder} is in use by a server that an earlier run left behind (process ${server.pid})`,
  );
  server.kill('SIGKILL');
});
