import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseFile } from './folders';

const SEAL_FILE = 'sha256.json';

export type SealCheck = { kind: 'absent' } | { kind: 'intact' } | { kind: 'damaged'; file: string };

/** Records the SHA-256 of every file in the folder, so that damage is detected later. */
export async function sealFolder(folder: string): Promise<void> {
  const sums: Record<string, string> = {};
  for (const file of await filesIn(folder)) sums[file] = await sha256(join(folder, file));
  await writeFile(join(folder, SEAL_FILE), JSON.stringify(sums, null, 2));
}

/** Whether every file is unchanged since the folder was sealed. A folder without a seal is incomplete. */
export async function checkSeal(folder: string): Promise<SealCheck> {
  const seal = join(folder, SEAL_FILE);
  if (!existsSync(seal)) return { kind: 'absent' };
  const sums = parseFile(await readFile(seal, 'utf8')) as Record<string, string> | null;
  if (sums === null) return { kind: 'damaged', file: SEAL_FILE };
  for (const [file, sum] of Object.entries(sums)) {
    const path = join(folder, file);
    if (!existsSync(path) || (await sha256(path)) !== sum) return { kind: 'damaged', file };
  }
  return { kind: 'intact' };
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}
