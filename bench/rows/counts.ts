import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeTemporaryFolder } from '../../src/embedded/folders';
import type { Row } from '../row';

const ROOT = join(__dirname, '..', '..');
const run = promisify(execFile);

/** The counts of each piece of work, by the title of its test. */
type Counted = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Runs the test, which writes its counts into a file. @throws Error if a count is not what the test expects */
async function countByTest(): Promise<Counted> {
  const folder = await makeTemporaryFolder('counts');
  const file = join(folder, 'counts.json');
  try {
    const jest = join('node_modules', 'jest', 'bin', 'jest.js');
    const env = { ...process.env, COUNTS_FILE: file };
    await run(process.execPath, [jest, '--runInBand', 'test/activities/counts.test.ts'], { cwd: ROOT, env });
    return JSON.parse(await readFile(file, 'utf8')) as Counted;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const counts: Row = {
  about:
    'What each piece of work costs in messages to PostgreSQL, commits, calls to the service, signals and new connections, as checked by test/activities/counts.test.ts; nothing is timed',
  counts: 'runs of the test',
  size: 1,
  pairs: 1,
  async run({ say }) {
    const counted = Object.entries(await countByTest()).map(([work, cost]): [string, string] => [
      work,
      Object.entries(cost)
        .map(([name, count]) => `${count} ${name}`)
        .join(' '),
    ]);
    for (const [work, cost] of counted) say(`${work}: ${cost}`);
    return { outcomes: [], settings: Object.fromEntries(counted) };
  },
};
