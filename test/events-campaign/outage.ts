import { MINUTE, SECOND } from '../../src/domain/time';
import { realNow } from '../storm/meter';
import type { Made } from '../storm/stack-in-storm';
import type { Say } from '../support/campaign';
import { unlessAborted } from '../support/interruption';
import { judge, judgeReturn } from './judge';
import { readWritten } from './ledger';
import { Stage } from './stage';

export interface OutageOrder {
  /** Real minutes for which the endpoint is down. */
  readonly minutes: number;
  /** Subscriptions that are created and collected meanwhile; each has at least five events. */
  readonly due: number;
}

export interface OutageOutcome {
  readonly delivered: number;
  readonly lost: number;
  readonly outOfOrder: number;
  /** Events that arrived more than once after the return. */
  readonly repeated: number;
  /** Time limits that were exceeded. */
  readonly broken: readonly string[];
}

/** The most real ms from the endpoint's return to the first try. */
const NOTICED_WITHIN = MINUTE;
/** Real ms from a creation to the first due date: payers approve at once, also on a busy machine. */
const LEAD = 2 * MINUTE;
/** The most real ms from the first success to the last event of the backlog. */
const CAUGHT_UP_WITHIN = 30 * SECOND;

/**
 * An endpoint is down for some time and returns, with the default waits between tries: after 17 minutes the next planned try is
 * 18 minutes away, so only the probe can notice the return in time.
 */
export async function playOutage(order: OutageOrder, giveUp: AbortSignal, say: Say): Promise<OutageOutcome> {
  const stage = await Stage.open({});
  try {
    return await unlessAborted(giveUp, async () => {
      await stage.start();
      await stage.makeEndpoints();
      stage.dead.isDown = true;
      const downSince = realNow();
      const due = await createEach(stage, order.due);
      say(`${due.length} are due within ${LEAD / SECOND} s`);
      await stage.until('collecting', say, ({ collected }) => collected >= due.length);
      await pauseAndResume(stage, due);
      say(`the endpoint stays down for ${order.minutes} minutes`);
      await stage.until('the outage', say, () => realNow() - downSince >= order.minutes * MINUTE);
      return await judgeOutage(stage, say);
    });
  } finally {
    await stage.close();
  }
}

/** Creates subscriptions one after the other, because creation is not measured. A creation without an answer is repeated. */
async function createEach({ storm }: Stage, count: number): Promise<readonly Made[]> {
  const created: Made[] = [];
  while (created.length < count) {
    const { made } = await storm.create(storm.stack.clock.now() + LEAD);
    if (made !== null) created.push(made);
  }
  return created;
}

/** Pauses and resumes each: two more events of each subscription, which follow its first one. */
async function pauseAndResume({ storm }: Stage, chosen: readonly Made[]): Promise<void> {
  for (const { id } of chosen) {
    for (const verb of ['pause', 'resume']) {
      const { status } = await storm.stack.admin.post(`/v1/subscriptions/${id}/${verb}`, { reason: 'events' });
      if (status !== 200) throw new Error(`${verb} of ${id} was answered with ${status}`);
    }
  }
}

async function judgeOutage(stage: Stage, say: Say): Promise<OutageOutcome> {
  const { dead, storm } = stage;
  const before = new Set(dead.taken.map(({ id }) => id));
  dead.isDown = false;
  const returnedAt = realNow();
  await stage.until('the backlog', say, ({ pending, unqueued }) => pending + unqueued === 0);
  const written = await readWritten(storm.db);
  const backlog = new Set(written.flatMap(({ id }) => (before.has(id) ? [] : [id])));
  const { firstAfter, restAfter, repeated } = judgeReturn(backlog, dead.taken, returnedAt);
  say(`first event after ${Math.round(firstAfter)} ms, the rest of ${backlog.size} within ${Math.round(restAfter)} ms`);
  const broken = [
    ...(firstAfter > NOTICED_WITHIN ? [`the return was noticed after ${Math.round(firstAfter)} ms`] : []),
    ...(restAfter > CAUGHT_UP_WITHIN ? [`the backlog took ${Math.round(restAfter)} ms`] : []),
  ];
  const { lost, outOfOrder } = judge(written, dead.taken, new Set());
  return { delivered: backlog.size - lost, lost, outOfOrder, repeated, broken };
}
