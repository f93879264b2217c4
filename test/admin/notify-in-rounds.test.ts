import { notifyInRounds } from '../../src/jobs/watch-ledger';
import { silentLog } from '../support/silent-log';

/** Rows `0000`, `0001` and so on, in pages of a hundred, as the ledger lists them. */
function rounds(count: number, notify: (key: string) => Promise<void>) {
  const keys = Array.from({ length: count }, (_, number) => String(number).padStart(4, '0'));
  const notified: string[] = [];
  const work = notifyInRounds(silentLog(), {
    list: async (after) =>
      keys
        .filter((key) => key > after)
        .slice(0, 100)
        .map((key) => ({ key })),
    keyOf: ({ key }) => key,
    notify: async ({ key }) => {
      notified.push(key);
      await notify(key);
    },
  });
  return { keys, notified, run: (signal = new AbortController().signal) => work(signal) };
}

test.each([0, 1, 99, 100, 101, 250])('each of %i workflows is notified in one run', async (count) => {
  const { keys, notified, run } = rounds(count, async () => undefined);
  await run();
  expect(notified).toEqual(keys);
});

test('while Temporal is unavailable each run tries one notification, and the next run continues after it, after the last one from the beginning', async () => {
  let isAway = true;
  const { keys, notified, run } = rounds(150, async () => {
    if (isAway) throw new Error('Temporal is unavailable');
  });
  await run();
  await run();
  expect(notified).toEqual(keys.slice(0, 2));
  isAway = false;
  notified.splice(0);
  await run();
  await run();
  expect(notified).toEqual([...keys.slice(2), ...keys]);
});

test('a workflow that can never be notified holds up no other', async () => {
  const { keys, notified, run } = rounds(5, async (key) => {
    if (key === '0001') throw new Error('refused');
  });
  await run();
  await run();
  expect(notified).toEqual(keys);
});

test('a run of notifications ends when it is stopped', async () => {
  const stopping = new AbortController();
  const { notified, run } = rounds(150, async () => stopping.abort());
  await run(stopping.signal);
  expect(notified).toEqual(['0000']);
});
