import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideProgram, type Way } from '../../src/embedded/cached-program';
import { recordingLog, silentLog } from '../support/silent-log';
import { waitUntil } from '../support/wait-until';

/** Fake timers replace only intervals, because files are read and written in real time. */
const ALL_BUT_INTERVALS = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
];

let cacheDir: string;
let filled: string[];

beforeEach(() => {
  cacheDir = mkdtempSync(join(tmpdir(), 'dueday-cache-'));
  filled = [];
});

afterEach(() => {
  rmSync(cacheDir, { recursive: true, force: true });
});

const works: Way = {
  name: 'a way that works',
  fill: async (folder) => {
    filled.push(folder);
    await mkdir(join(folder, 'lib'));
    await writeFile(join(folder, 'lib', 'program'), 'the program');
  },
};

const fails: Way = {
  name: 'a way that fails',
  fill: async (folder) => {
    await writeFile(join(folder, 'half'), 'of it');
    throw new Error('the host does not answer');
  },
};

async function provide(ways: Way[], log = silentLog()): Promise<string> {
  return provideProgram({
    name: 'program-1',
    ways,
    duration: 'in a minute',
    advice: 'Install it by hand.',
    cacheDir,
    log,
  });
}

test('a cached program is fetched once and then found in the cache', async () => {
  const first = await provide([works]);
  const second = await provide([works]);

  expect(second).toBe(first);
  expect(readFileSync(join(first, 'lib', 'program'), 'utf8')).toBe('the program');
  expect(filled).toHaveLength(1);
});

test('fetching a program tries the next way if one fails, and keeps nothing of the failed one', async () => {
  const folder = await provide([fails, works]);
  expect(readdirSync(folder).sort()).toEqual(['lib', 'sha256.json']);
});

test('fetching a program reports every reason and what to do if no way works, and leaves nothing behind', async () => {
  await expect(provide([fails, { ...fails, name: 'another one' }])).rejects.toThrow(
    'program-1 could not be obtained.\n' +
      '- a way that fails: the host does not answer\n' +
      '- another one: the host does not answer\n' +
      'Install it by hand.',
  );
  expect(existsSync(join(cacheDir, 'program-1'))).toBe(false);
  expect(readdirSync(join(cacheDir, 'work', 'program-1'))).toEqual([]);
});

test.each(['changed', 'removed'])(
  'a cached program is fetched again, with a message, if a file was %s',
  async (damage) => {
    const folder = await provide([works]);
    const file = join(folder, 'lib', 'program');
    if (damage === 'changed') writeFileSync(file, 'thE program');
    else rmSync(file);
    const { log, messages } = recordingLog();

    await provide([works], log);

    expect(readFileSync(file, 'utf8')).toBe('the program');
    expect(messages).toContain(`${folder} is damaged (lib/program has changed): fetching it again, in a minute`);
  },
);

test('a cached program is fetched again if a loss of power has emptied its checksums', async () => {
  const folder = await provide([works]);
  writeFileSync(join(folder, 'sha256.json'), '');
  const { log, messages } = recordingLog();

  await provide([works], log);

  expect(filled).toHaveLength(2);
  expect(messages).toContain(`${folder} is damaged (sha256.json has changed): fetching it again, in a minute`);
});

test('a cached program is fetched again after a run was killed before it had finished', async () => {
  const folder = await provide([works]);
  rmSync(join(folder, 'sha256.json'));
  await mkdir(join(cacheDir, 'work', 'program-1', 'draft-of-a-killed-run'), { recursive: true });

  await provide([works]);

  expect(filled).toHaveLength(2);
  expect(readdirSync(join(cacheDir, 'work', 'program-1'))).toEqual([]);
});

describe('provide', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ALL_BUT_INTERVALS });
  });
  afterEach(() => void jest.useRealTimers());

  test('progress of fetching a program is logged at the start, at least every 15 seconds, and at the end', async () => {
    const { log, messages } = recordingLog();
    let [finish, report]: [() => void, (howFar: string) => void] = [() => undefined, () => undefined];
    const slow: Way = {
      ...works,
      fill: async (folder, tell) => {
        report = tell;
        await new Promise<void>((resolve) => (finish = resolve));
        await works.fill(folder, tell);
      },
    };
    const provided = provide([slow], log);
    await waitUntil('it is being fetched', () => jest.getTimerCount() > 0);
    expect(messages).toEqual([`program-1 is not in ${cacheDir} yet: fetching it once, in a minute`]);

    for (const halfway of ['', ', half of it']) {
      if (halfway !== '') report('half of it');
      const before = messages.length;
      jest.advanceTimersByTime(15_000);
      expect(messages.slice(before)).not.toEqual([]);
      for (const line of messages.slice(before))
        expect(line).toMatch(new RegExp(`^program-1: a way that works, \\d+ s${halfway}$`));
    }

    finish();
    await provided;
    const told = messages.length;
    expect(messages.at(-1)).toBe('program-1 is ready (a way that works)');
    jest.advanceTimersByTime(60_000);
    expect(messages).toHaveLength(told);
  });

  test('no progress is logged once the program was fetched, even if a way of fetching it failed before', async () => {
    const { log, messages } = recordingLog();
    await provide([fails, works], log);
    const told = messages.length;
    jest.advanceTimersByTime(60_000);
    expect(messages).toHaveLength(told);
  });

  test('progress is not logged if the program is already in the cache', async () => {
    await provide([works]);
    const { log, messages } = recordingLog();
    await provide([works], log);
    expect(messages).toEqual([]);
  });
});

test('a call waits while another one fetches the same program', async () => {
  const { log, messages } = recordingLog();
  const told = `waiting for process ${process.pid}, which is fetching program-1`;
  const slow: Way = {
    ...works,
    fill: async (folder, report) => {
      await waitUntil('the second one waits', () => messages.includes(told));
      await works.fill(folder, report);
    },
  };

  const folders = await Promise.all([provide([slow], log), provide([slow], log)]);

  expect(folders[0]).toBe(folders[1]);
  expect(filled).toHaveLength(1);
  expect(messages).toContain(told);
});
