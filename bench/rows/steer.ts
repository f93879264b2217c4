import { setTimeout as pause } from 'node:timers/promises';
import { DAY } from '../../src/domain/time';
import { percentile } from '../../test/storm/measure';
import { steerBare } from '../references/steering';
import { atMost, interleave, type Outcome, outcomeOf, type Row, type RowOrder } from '../row';
import { type Api, startApi } from '../worlds/api';
import { createBare } from '../worlds/bare';
import { type Batch, type Contender, nameOf, untilCollected, untilIdle } from '../worlds/contender';
import { createDueday } from '../worlds/dueday';
import { cpuOfDescendants } from '../worlds/processes';
import { withWorld, type World } from '../worlds/world';
import { beginDue, timeoutFor } from './draining';

type Verb = 'pause' | 'cancel';
const VERBS = ['pause', 'cancel'] as const;
/** A cancellation that the service has not confirmed yet is answered with 202. */
const TAKEN = { pause: [200], cancel: [200, 202] } as const;

const WARM_UP = 20;
/** Calls per second, and subscriptions due for each pause: at this cap, collecting takes several times as long as the pauses do. */
const CAP = 10;
const DUE_EACH = 5;
/** Subscriptions collected before the storm. */
const PROBES = 20;
/** Real ms from one pause during the storm to the next, and from one cancellation to the next. */
const BETWEEN = 500;
const MAX_MS = 1_000;
/** What a pause and a cancellation may take while nothing is due, compared with the bare update. */
const IDLE = { pause: 1.3, cancel: 1.5 } as const;

interface Waits {
  /** Percentiles of the time until the answer, ms. */
  readonly p50: number;
  readonly p99: number;
  /** Writing transactions per request. */
  readonly commits: number;
  /** Processor time of all programs per request, until all workflows are asleep again, ms. */
  readonly cpu: number;
}

type Steered = Readonly<Record<Verb, Waits>>;

type Steer = (verb: Verb, batch: Batch, index: number) => Promise<unknown>;

let batches = 0;

/** A batch that stays asleep during the measurement. */
function batchOf(count: number): Batch {
  batches += 1;
  return { prefix: `steer${batches}`, count, firstDueAt: Date.now() + 30 * DAY };
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const asked = performance.now();
  await work();
  return performance.now() - asked;
}

/** One request after the other, to workflows that are asleep and in memory. */
async function steerIdle(world: World, contender: Contender, size: number, steer: Steer): Promise<Steered> {
  const worker = await contender.startWorker();
  const measured = {} as Record<Verb, Steered[Verb]>;
  for (const verb of VERBS) {
    const batch = batchOf(WARM_UP + size);
    await contender.begin(batch);
    await untilIdle(worker);
    for (let index = 0; index < WARM_UP; index += 1) await steer(verb, batch, index);
    await untilIdle(worker);
    const [before, cpuBefore] = [await world.commits(), await cpuOfDescendants()];
    const waits: number[] = [];
    for (let index = 0; index < size; index += 1) {
      waits.push(await msOf(() => steer(verb, batch, WARM_UP + index)));
    }
    await untilIdle(worker);
    const commits = ((await world.commits()) - before) / size;
    const cpu = ((await cpuOfDescendants()) - cpuBefore) / size;
    measured[verb] = { p50: percentile(waits, 50), p99: percentile(waits, 99), commits, cpu };
  }
  await worker.stop();
  return measured;
}

function overApi(api: Api): Steer {
  return (verb, batch, index) =>
    api.post(`/v1/subscriptions/${nameOf(batch, index)}/${verb}`, { reason: 'bench' }, TAKEN[verb]);
}

/**
 * Pauses and cancels subscriptions that are waiting to be collected, at fixed intervals, without waiting for earlier answers.
 * @returns p99, ms
 */
async function steerInStorm(world: World, order: RowOrder): Promise<Readonly<Record<Verb, number>>> {
  const env = { PAYMENT_SERVICE_MAX_RPS: String(CAP) };
  const dueday = createDueday(world);
  const [worker, api] = [await dueday.startWorker(env), await startApi(world, env)];
  const count = DUE_EACH * order.size;
  const batch = await beginDue(dueday, [worker], count, { probes: PROBES });
  await untilCollected(dueday, batch, 1, timeoutFor(1));
  const steer = overApi(api);
  const waits = VERBS.map((verb, which) =>
    Array.from({ length: order.size }, async (_, n) => {
      await pause((n + which / 2) * BETWEEN);
      // Different subscriptions spread over the whole batch; consecutive ones would all belong to one part of the storm.
      return msOf(() => steer(verb, batch, DUE_EACH * n + which));
    }),
  );
  const [paused = [], cancelled = []] = await Promise.all(waits.map((each) => Promise.all(each)));
  const { count: collected } = await dueday.collected(batch);
  order.say(`in the storm ${collected} of ${count} were collected meanwhile`);
  await Promise.all([api.program.stop(), worker.kill()]);
  return { pause: percentile(paused, 99), cancel: percentile(cancelled, 99) };
}

async function measure(world: World, order: RowOrder) {
  const [dueday, bare] = [createDueday(world), createBare(world, 'steeredSubscription')];
  const api = await startApi(world);
  const idle = await interleave(
    order,
    () => steerIdle(world, dueday, order.size, overApi(api)),
    () =>
      steerIdle(world, bare, order.size, (verb, batch, index) =>
        steerBare(world.client, world.bare, verb, bare.workflowId(batch, index)),
      ),
  );
  await api.program.stop();
  return { idle, storm: await steerInStorm(world, order) };
}

export const steer: Row = {
  about:
    'A pause and a cancellation over the admin API, compared with an update of a bare workflow that stores as much; and during a storm',
  counts: 'pauses, and as many cancellations',
  size: 100,
  pairs: 3,
  run: (order) =>
    withWorld(null, async (world) => {
      const { idle, storm } = await measure(world, order);
      const inStorm = VERBS.map((verb): Outcome => ({
        target: atMost(`p99 of a ${verb} in a storm, of 1 s`, 1),
        unit: 'ms',
        subject: [storm[verb]],
        reference: [MAX_MS],
      }));
      const shown = (verb: Verb, name: 'commits' | 'cpu'): string => {
        const [ours, theirs] = [idle.subject, idle.reference].map((all) =>
          all.map((each) => each[verb][name].toFixed(1)).join(' '),
        );
        return `${ours} compared with ${theirs}`;
      };
      const costs = VERBS.flatMap((verb): [string, string][] => [
        [`commits of a ${verb}`, shown(verb, 'commits')],
        [`ms of processor of a ${verb}, all programs`, shown(verb, 'cpu')],
      ]);
      return {
        outcomes: [
          ...VERBS.map((verb) =>
            outcomeOf(idle, atMost(`p99 of a ${verb}, idle`, IDLE[verb]), 'ms', (all) => all[verb].p99),
          ),
          ...inStorm,
        ],
        settings: {
          ...Object.fromEntries(costs),
          'due in the storm': DUE_EACH * order.size,
          'calls a second in the storm': CAP,
          'pauses a second in the storm': 1000 / BETWEEN,
        },
      };
    }),
};
