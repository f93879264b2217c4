import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '../../src/domain/time';
import { answered, atMost, msOf, sentAfterStop, slowest, type Told } from '../storm/checks';
import { realNow } from '../storm/meter';
import type { Made } from '../storm/stack-in-storm';
import { shuffled } from '../storm/storm';
import type { Check, Say } from '../support/campaign';
import { unlessAborted } from '../support/interruption';
import { reach } from '../torture/reach';
import { judge, untilDrained } from './judge';
import { type Creation, createTwice, stop } from './people';
import { Stage } from './stage';

export interface ClusterOrder {
  /** Subscriptions due in one instant. */
  readonly due: number;
  /** Calls to the payment service a second, over all workers. */
  readonly rate: number;
  /** Real ms from the due instant on, during which callers arrive. */
  readonly lasts: number;
  readonly pauses: number;
  readonly cancels: number;
  readonly creations: number;
}

/** Real ms within which a pause or cancellation is answered, except for one in a hundred. */
const SLOWEST_STOP = SECOND;
/** Real ms within which a creation is answered. A worker that dies during one is noticed after 20 s; the answer then says to repeat. */
const SLOWEST_CREATION = 45 * SECOND;
/** Real ms within which the other API answers a request during which an API died: an idempotency key has a lease of ten seconds. */
const SLOWEST_TAKEN_OVER = 15 * SECOND;
/** The least share of the cap that must be used; a lower one would mean that calls are held back needlessly. */
const MIN_USED = 0.3;

/** The requests of callers, and their answers. */
interface Answers {
  readonly pauses: readonly Told[];
  readonly cancels: readonly Told[];
  readonly creations: readonly Creation[];
  /** Pauses, of which at least one was in progress in an API when that API was killed. */
  readonly cutOff: readonly Told[];
  /** Each subscription for which a pause or a cancellation was requested, and the answer. */
  readonly stopped: readonly { readonly made: Made; readonly told: Told }[];
}

/**
 * Plays the campaign with real processes on a real cluster.
 * @param giveUp ends the campaign early, in an orderly way and with the signal's reason
 * @returns a check of each promise
 */
export async function cluster(order: ClusterOrder, giveUp: AbortSignal, say: Say): Promise<readonly Check[]> {
  const stage = await Stage.open(say);
  try {
    return await unlessAborted(giveUp, () => play(stage, order, say));
  } catch (fault) {
    for (const warning of stage.storm.warnings()) say(warning);
    throw fault;
  } finally {
    await stage.close();
  }
}

async function play(stage: Stage, order: ClusterOrder, say: Say): Promise<readonly Check[]> {
  const { storm } = stage;
  await stage.startApis();
  await storm.startWorkers(null);
  const { due, dueAt } = await storm.importDue(order.due, 0, say);
  await storm.stopWorkers();
  const capped = realNow();
  await storm.startWorkers(order.rate);
  if (storm.stack.clock.now() > dueAt) throw new Error('the due instant came before the workers were back');
  say('all are imported, and the workers are back with the cap');
  await reach(storm.stack, dueAt);
  const startedAt = realNow();
  const answers = await peopleCome(stage, order, due, say);
  const targets = answers.stopped.map(({ made }) => made);
  const left = due.filter((made) => !targets.includes(made));
  const collectedThen = await storm.countCollected(left);
  const drainedIn = await untilDrained(stage, left, say);
  const calls = storm.arrivals.filter(({ at }) => at >= startedAt).length;
  const used = calls / ((realNow() - startedAt) / SECOND);
  for (const warning of storm.warnings()) say(warning);
  return [
    stage.registered,
    ...checkAnswers(stage, answers),
    {
      name: 'callers arrived while it drained',
      holds: collectedThen < left.length,
      found: `${collectedThen} of ${left.length} were collected when the last was answered`,
    },
    ...(await judge(stage, { left, targets, creations: answers.creations, drainedIn })),
    sentAfterStop(
      storm.arrivals,
      targets,
      answers.stopped.map(({ told }) => told),
    ),
    atMost(storm.arrivals, capped, order.rate),
    { name: 'the cap is used', holds: used >= order.rate * MIN_USED, found: `${used.toFixed(1)} calls a second` },
  ];
}

async function peopleCome(stage: Stage, order: ClusterOrder, due: readonly Made[], say: Say): Promise<Answers> {
  const { pauses, cancels, creations, lasts } = order;
  const chosen = shuffled(due);
  const [paused, cancelled] = [chosen.slice(0, pauses), chosen.slice(pauses, pauses + cancels)];
  const atKill = chosen.slice(pauses + cancels, pauses + cancels + stage.apis.length);
  const spread = <T>(all: readonly T[], ask: (each: T) => Promise<Told>) =>
    Promise.all(all.map((each, n) => pause(((n + 0.5) * lasts) / all.length).then(() => ask(each))));
  const ids = Array.from({ length: creations }, (_, n) => `created-while-it-drains-${n}`);
  const made: Creation[] = [];
  const [pauseAnswers, cancelAnswers, , cutOff] = await Promise.all([
    spread(paused, (each) => stop(stage, each, 'pause')),
    spread(cancelled, (each) => stop(stage, each, 'cancel')),
    spread(ids, async (id) => {
      const creation = await createTwice(stage, id);
      made.push(creation);
      return creation;
    }),
    pause(lasts / 2).then(() => killApi(stage, atKill, say)),
    pause(lasts / 3).then(() => killWorker(stage, say)),
  ]);
  const answersOf = (subscriptions: readonly Made[], told: readonly Told[]) =>
    subscriptions.map((each, n) => ({ made: each, told: told[n]! }));
  return {
    pauses: pauseAnswers,
    cancels: cancelAnswers,
    creations: made,
    cutOff,
    stopped: [...answersOf(paused, pauseAnswers), ...answersOf(cancelled, cancelAnswers), ...answersOf(atKill, cutOff)],
  };
}

async function killWorker({ storm }: Stage, say: Say): Promise<void> {
  await storm.workers[0]!.kill();
  say('a worker was killed');
}

/** Sends pauses to the APIs in turn, and kills the first API as soon as it is handling one. */
async function killApi(stage: Stage, targets: readonly Made[], say: Say): Promise<readonly Told[]> {
  const [doomed, upstream] = [stage.apis[0]!, stage.proxy.upstreams[0]!];
  const asked = targets.map((each) => stop(stage, each, 'pause'));
  const timesOutAt = performance.now() + SECOND;
  while (upstream.underWay === 0 && performance.now() < timesOutAt) await turn();
  await doomed.kill();
  say('an API was killed');
  return Promise.all(asked);
}

function checkAnswers({ proxy }: Stage, { pauses, cancels, creations, cutOff }: Answers): readonly Check[] {
  const lost = proxy.upstreams.reduce((sum, upstream) => sum + upstream.lost, 0);
  const [late] = msOf(cutOff).toSorted((one, other) => other - one);
  return [
    answered('pauses', [...pauses, ...cutOff], [200]),
    answered('cancels', cancels, [200, 202]),
    answered('creations, each asked for twice at once,', creations, [201]),
    slowest('a pause', msOf(pauses), SLOWEST_STOP),
    slowest('a cancel', msOf(cancels), SLOWEST_STOP),
    slowest('a creation', msOf(creations), SLOWEST_CREATION),
    {
      name: `what the killed API had under way is answered by the other, within ${SLOWEST_TAKEN_OVER} ms`,
      holds: lost > 0 && (late ?? Infinity) < SLOWEST_TAKEN_OVER,
      found: `${lost} cut off, the slowest answered after ${Math.round(late ?? NaN)} ms`,
    },
    {
      name: 'both APIs served',
      holds: proxy.upstreams.every((upstream) => upstream.answered > 0),
      found: proxy.upstreams.map((upstream) => `${upstream.answered} answers`).join(', '),
    },
  ];
}
