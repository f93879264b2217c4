import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY, SECOND } from '../../src/domain/time';
import type { Check, Say } from '../support/campaign';
import { unlessAborted } from '../support/interruption';
import { describeHistory } from '../torture/histories';
import { reach } from '../torture/reach';
import { answered, atMost, msOf, sentAfterStop, slowest, timed, type Told } from './checks';
import { realNow } from './meter';
import { StackInStorm, type Made } from './stack-in-storm';

export interface StormOrder {
  /** Subscriptions due in one instant. */
  readonly due: number;
  /** Calls to the service a second, over all workers. */
  readonly rate: number;
  /** Real ms from the due instant on, during which callers arrive. */
  readonly lasts: number;
  readonly pauses: number;
  readonly cancels: number;
  readonly creations: number;
  /** Consent checks on one subscription; none if 0. */
  readonly checks: number;
  /** Real ms within which a pause or cancellation is answered, except for one in a hundred. */
  readonly slowestStop: number;
  /** The number of viewers who search without end before the storm begins; none if 0. */
  readonly viewers: number;
}

const SLOWEST_CREATION = 10 * SECOND;
const SLOWEST_STATEMENT = 100;
/** The least share of the cap that must be used; a lower one would mean that calls are held back needlessly. */
const MIN_USED = 0.3;
/** Real ms for which viewers search; and real ms after the storm within which a stopped send would have left. */
const VIEWING = 15 * SECOND;
const AFTERWARDS = 5 * SECOND;

/**
 * Plays the storm with real processes.
 * @param giveUp ends the storm in order, with its reason
 * @returns a check of each promise (rule 31, fault 26)
 */
export async function storm(order: StormOrder, giveUp: AbortSignal, say: Say): Promise<readonly Check[]> {
  const stage = await StackInStorm.open();
  try {
    return await unlessAborted(giveUp, () => play(stage, order, say));
  } catch (fault) {
    for (const warning of stage.warnings()) say(warning);
    throw fault;
  } finally {
    await stage.close();
  }
}

async function play(stage: StackInStorm, order: StormOrder, say: Say): Promise<readonly Check[]> {
  await stage.startApi();
  await stage.startWorkers(null);
  const checked = await checkWithoutEnd(stage, order, say);
  const { due, dueAt } = await stage.importDue(order.due, order.viewers === 0 ? 0 : VIEWING, say);
  for (const warning of stage.warnings()) say(warning);
  const before = [...checked, ...(await viewWithoutEnd(stage, order))];
  await stage.stopWorkers();
  const capped = realNow();
  await stage.startWorkers(order.rate);
  if (stage.stack.clock.now() > dueAt) throw new Error('the due instant came before the workers were back');
  say('all are imported, and the workers are back with the cap');
  await reach(stage.stack, dueAt);
  const seen = await inStorm(stage, order, due, say);
  return [...before, ...seen, atMost(stage.arrivals, capped, order.rate)];
}

/** Makes many consent checks of one subscription, then a pause and a cancellation, which must always get through (fault 33). */
async function checkWithoutEnd(stage: StackInStorm, { checks }: StormOrder, say: Say): Promise<readonly Check[]> {
  if (checks === 0) return [];
  const { admin, clock } = stage.stack;
  const { made } = await stage.create(clock.now() + 60 * DAY);
  const path = `/v1/subscriptions/${made?.id ?? ''}`;
  let left = checks;
  const statuses = new Map<number, number>();
  const asking = async () => {
    while (left > 0) {
      left -= 1;
      const { status } = await admin.post(`${path}/consent-check`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 8 }, asking));
  if (statuses.get(200) !== checks) for (const warning of stage.warnings()) say(warning);
  const paused = await admin.post(`${path}/pause`, { reason: 'storm' });
  const cancelled = await admin.post(`${path}/cancel`, { reason: 'storm' });
  const found = [...statuses].map(([status, times]) => `${times} x ${status}`).join(', ');
  return [
    { name: `${checks} consent checks are answered`, holds: statuses.get(200) === checks, found },
    { name: 'then pause', holds: paused.status === 200, found: String(paused.status) },
    { name: 'then cancel', holds: [200, 202].includes(cancelled.status), found: String(cancelled.status) },
  ];
}

/** Statements of a worker while viewers search (fault 42). */
async function viewWithoutEnd(stage: StackInStorm, { viewers }: StormOrder): Promise<readonly Check[]> {
  if (viewers === 0) return [];
  let isHungry = true;
  const searching = Array.from({ length: viewers }, async () => {
    while (isHungry) await stage.stack.admin.get('/v1/subscriptions?q=ada');
  });
  const waits: number[] = [];
  for (const end = performance.now() + VIEWING; performance.now() < end;) {
    const startedAt = performance.now();
    await stage.db.query('select 1');
    waits.push(performance.now() - startedAt);
    await pause(20);
  }
  isHungry = false;
  await Promise.all(searching);
  return [slowest(`a statement of a worker beside ${viewers} viewers`, waits, SLOWEST_STATEMENT)];
}

async function inStorm(
  stage: StackInStorm,
  order: StormOrder,
  due: readonly Made[],
  say: Say,
): Promise<readonly Check[]> {
  const startedAt = realNow();
  const { pauses, cancels, creations, lasts, rate } = order;
  const chosen = shuffled(due);
  const moments = (count: number) => Array.from({ length: count }, (_, n) => ((n + 0.5) * lasts) / count);
  const paused = moments(pauses).map((at, n) => stopAfter(stage, at, chosen[n], 'pause'));
  const cancelled = moments(cancels).map((at, n) => stopAfter(stage, at, chosen[pauses + n], 'cancel'));
  const created = moments(creations).map((at, n) => createAfter(stage, at, `created-in-storm-${n}`, say));
  const killed = killAfter(stage, lasts / 3, say);
  const [pauseAnswers, cancelAnswers, createAnswers] = await Promise.all(
    [paused, cancelled, created].map((each) => Promise.all(each)),
  );
  await Promise.all([killed, pause(Math.max(0, startedAt + lasts - realNow()))]);
  await pause(AFTERWARDS);
  const arrivals = stage.arrivals.filter(({ at }) => at >= startedAt);
  const used = arrivals.length / ((realNow() - startedAt) / SECOND);
  say(`${used.toFixed(1)} calls a second arrived, ${stage.stack.sandbox.debits().length} debits were made`);
  const stopped = [...(pauseAnswers ?? []), ...(cancelAnswers ?? [])];
  const targets = chosen.slice(0, pauses + cancels);
  return [
    answered('pauses', pauseAnswers ?? [], [200]),
    answered('cancels', cancelAnswers ?? [], [200, 202]),
    answered('creations', createAnswers ?? [], [201]),
    slowest('a stop', msOf(stopped), order.slowestStop),
    slowest('a creation', msOf(createAnswers ?? []), SLOWEST_CREATION),
    sentAfterStop(stage.arrivals, targets, stopped),
    { name: 'the cap is used', holds: used >= rate * MIN_USED, found: `${used.toFixed(1)} calls a second` },
  ];
}

function stopAfter(stage: StackInStorm, at: number, made: Made | undefined, verb: 'pause' | 'cancel'): Promise<Told> {
  return pause(at).then(() =>
    timed(async () => {
      const answer = await stage.stack.admin.post(`/v1/subscriptions/${made?.id ?? ''}/${verb}`, { reason: 'storm' });
      return answer.status;
    }),
  );
}

/** One that is refused or slow is reported, with what Temporal did for it. */
async function createAfter(stage: StackInStorm, at: number, id: string, say: Say): Promise<Told> {
  await pause(at);
  const { stack } = stage;
  const told = await timed(async () => (await stage.create(stack.clock.now() + 30 * DAY, id)).status);
  if (told.status !== 201 || told.ms > SLOWEST_CREATION) {
    say(`${id}, ${Math.round(at / SECOND)} s after the due instant: ${told.status} after ${told.ms} ms`);
    for (const line of await describeHistory(stack, id)) say(line);
  }
  return told;
}

async function killAfter({ workers }: StackInStorm, at: number, say: Say): Promise<void> {
  await pause(at);
  await workers[0]?.kill();
  say('a worker was killed');
}

/** The items in a random order. */
export function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, lot: randomInt(2 ** 31) }))
    .toSorted((a, b) => a.lot - b.lot)
    .map(({ item }) => item);
}
