import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { CYCLES_PER_RUN } from '../../src/contract/messages';
import type { ClockSetting, Instant } from '../../src/domain/time';
import type { Outcome, Row } from '../row';
import { type Batch, clockOfWeeks, type Contender, untilCollected, WEEK } from '../worlds/contender';
import { createDueday } from '../worlds/dueday';
import { type HistorySize, sizeOf } from '../worlds/histories';
import { withWorld, type World } from '../worlds/world';

const MS_PER_WEEK = 12_000;
const FIRST = 2;
/** The cycles that are left in the run after the first ones, so that they are counted before the workflow continues as new. */
const CYCLES = CYCLES_PER_RUN - FIRST - 1;
/** What a cycle adds by design if attempts are made within workflow tasks and the bank books at once. */
const EVENTS = 6;
const TRANSITIONS = 3;
/** If the bank books later, the attempt is an activity on the queue; its heartbeats are transitions as well. */
const EVENTS_LATER = 11;
/** Real ms after which the slow bank books: longer than an attempt stays within its workflow task. */
const SLOW = 2_500;
/**
 * The events of a retry by design: 6 for timer and attempt, as in a cycle, and 7 when its notice has been delivered, for signal,
 * task, decision and a new timer in place of the old one. The two changes of the standing, to dunning and back, add
 * {@link UPSERTS}.
 */
const EVENTS_PER_RETRY = 13;
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
  about:
    'Events and state transitions of a collected cycle and of a retry within workflow tasks, compared with those by design, at a bank that books at once and at one that books later',
  counts: 'subscriptions',
  size: 3,
  pairs: 3,
  run: ({ size }) =>
    withNotices((url) =>
      withWorld(clockOfWeeks(MS_PER_WEEK), async (world) => {
        const dueday = createDueday(world, true);
        const env = { NOTICE_WEBHOOK_URL: url, NOTICE_WEBHOOK_SECRET: NOTICE_SECRET };
        const measure = async (words: Readonly<Record<string, string | undefined>>) => {
          const worker = await dueday.startWorker(env);
          const firstDueAt = nextWeek(world.clock!);
          const batches = Object.entries(words).map(([prefix, word]): Batch => ({
            prefix,
            count: size,
            firstDueAt,
            ...(word === undefined ? {} : { word }),
          }));
          await Promise.all(batches.map((batch) => dueday.begin(batch)));
          const grown = await Promise.all(batches.map((batch) => grow(world, dueday, batch)));
          await worker.stop();
          return grown;
        };
        const [ours = [], retried = []] = await measure({ plain: undefined, refused: 'refused-once' });
        const [later = []] = await measure({ later: `slow-${SLOW}` });
        const retries = retried.map(({ events }, index) => events - UPSERTS - (ours[index]?.events ?? NaN));
        return {
          outcomes: [
            exactly('events of a cycle', 'events', eventsOf(ours), EVENTS),
            exactly(
              'transitions of a cycle',
              'transitions',
              ours.map(({ transitions }) => transitions),
              TRANSITIONS,
            ),
            exactly('events of a cycle booked later', 'events', eventsOf(later), EVENTS_LATER),
            exactly('events of a retry', 'events', retries, EVENTS_PER_RETRY),
          ],
          settings: { 'cycles of each': CYCLES, 'ms per week': MS_PER_WEEK },
        };
      }),
    ),
};

/** An instant of business time, a week from now. */
function nextWeek({ virtualStart, realStart }: ClockSetting): Instant {
  return virtualStart + (WEEK * (Date.now() - realStart)) / MS_PER_WEEK + WEEK;
}

function eventsOf(sizes: readonly HistorySize[]): readonly number[] {
  return sizes.map(({ events }) => events);
}

function exactly(name: string, unit: string, subject: readonly number[], byDesign: number): Outcome {
  return { target: { name, relation: 'exactly', value: 1 }, unit, subject, reference: subject.map(() => byDesign) };
}
