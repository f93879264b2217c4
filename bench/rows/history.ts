import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { CYCLES_PER_RUN } from '../../src/contract/messages';
import type { Row } from '../row';
import { createBare } from '../worlds/bare';
import { type Batch, clockOfWeeks, type Contender, untilCollected, WEEK } from '../worlds/contender';
import { createDueday } from '../worlds/dueday';
import { type HistorySize, sizeOf } from '../worlds/histories';
import { withWorld, type World } from '../worlds/world';

const MS_PER_WEEK = 12_000;
const FIRST = 2;
/** The cycles that are left in the run after the first ones, so that they are counted before the workflow continues as new. */
const CYCLES = CYCLES_PER_RUN - FIRST - 1;
/**
 * The events of a retry by design: 11 for timer and attempt, as in a cycle, and 7 when its notice has been delivered, for signal,
 * task, decision and a new timer in place of the old one. The two changes of the standing, to dunning and back, add
 * {@link UPSERTS}.
 */
const EVENTS_PER_RETRY = 18;
const UPSERTS = 2;
const NOTICE_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Events and transitions per cycle of each workflow of the batch, over {@link CYCLES} cycles after the first ones. */
async function grow(world: World, contender: Contender, batch: Batch): Promise<readonly HistorySize[]> {
  const sizes = async () => {
    const ids = Array.from({ length: batch.count }, (_, index) => contender.workflowId(batch, index));
    return Promise.all(ids.map((id) => sizeOf(world, id)));
  };
  await untilCollected(contender, batch, FIRST * batch.count, 20 * MS_PER_WEEK);
  await pause(MS_PER_WEEK / 6);
  const before = await sizes();
  await untilCollected(contender, batch, (FIRST + CYCLES) * batch.count, 20 * MS_PER_WEEK);
  await pause(MS_PER_WEEK / 6);
  return (await sizes()).map(({ events, transitions }, index) => ({
    events: (events - (before[index]?.events ?? NaN)) / CYCLES,
    transitions: (transitions - (before[index]?.transitions ?? NaN)) / CYCLES,
  }));
}

async function withNotices<T>(work: (url: string) => Promise<T>): Promise<T> {
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/notices`);
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}

export const history: Row = {
  about: 'Events and state transitions of a collected cycle, and of a retry',
  counts: 'subscriptions',
  size: 3,
  pairs: 3,
  run: ({ size }) =>
    withNotices((url) =>
      withWorld(clockOfWeeks(MS_PER_WEEK), async (world) => {
        const [dueday, bare] = [createDueday(world), createBare(world)];
        const env = { NOTICE_WEBHOOK_URL: url, NOTICE_WEBHOOK_SECRET: NOTICE_SECRET };
        const workers = await Promise.all([dueday.startWorker(env), bare.startWorker()]);
        const firstDueAt =
          world.clock!.virtualStart + (WEEK * (Date.now() - world.clock!.realStart)) / MS_PER_WEEK + WEEK;
        const plain = { prefix: 'plain', count: size, firstDueAt };
        const refused = { ...plain, prefix: 'refused', word: 'refused-once' };
        // The reference needs separate payments, or dueday would find its debits.
        const other = { ...plain, prefix: 'other' };
        await Promise.all([dueday.begin(plain), dueday.begin(refused), bare.begin(other)]);
        const [ours, retried, theirs] = await Promise.all([
          grow(world, dueday, plain),
          grow(world, dueday, refused),
          grow(world, bare, other),
        ]);
        await Promise.all(workers.map((worker) => worker.stop()));
        const exactly = (name: string) => ({ name, relation: 'exactly', value: 1 }) as const;
        const retries = retried.map(({ events }, index) => events - UPSERTS - (ours[index]?.events ?? NaN));
        return {
          outcomes: [
            {
              target: exactly('events of a cycle'),
              unit: 'events',
              subject: ours.map(({ events }) => events),
              reference: theirs.map(({ events }) => events),
            },
            {
              target: exactly('transitions of a cycle'),
              unit: 'transitions',
              subject: ours.map(({ transitions }) => transitions),
              reference: theirs.map(({ transitions }) => transitions),
            },
            {
              target: exactly('events of a retry'),
              unit: 'events',
              subject: retries,
              reference: retries.map(() => EVENTS_PER_RETRY),
            },
          ],
          settings: { 'cycles of each': CYCLES, 'ms per week': MS_PER_WEEK },
        };
      }),
    ),
};
