import { atMost, type Row } from '../row';
import { type Contender, untilCollected, untilIdle } from '../worlds/contender';
import { createDueday } from '../worlds/dueday';
import { cpuOfDescendants } from '../worlds/processes';
import type { Program } from '../worlds/program';
import { openCluster } from '../worlds/temporal';
import { vacuumAll } from '../worlds/vacuum';
import { withWorld, type World } from '../worlds/world';
import { beginDue, timeoutFor } from './draining';

/** Subscriptions asleep during the reference measurement. */
const FEW = 1_000;
/** Subscriptions measured, all due in one instant. */
const DUE = 150;
const A_YEAR = 365 * 24 * 60 * 60 * 1000;

/** Processor time per cycle of the worker, both PostgreSQL servers, Temporal and the payment service, ms. */
async function cpuOfCycle(dueday: Contender, worker: Program): Promise<number> {
  const batch = await beginDue(dueday, [worker], DUE);
  const before = await cpuOfDescendants();
  await untilCollected(dueday, batch, DUE, timeoutFor(DUE));
  const cpu = ((await cpuOfDescendants()) - before) / DUE;
  await untilIdle(worker);
  return cpu;
}

/** Measures with as many asleep as have been started so far. */
async function measure(world: World, dueday: Contender, servers: readonly string[], pairs: number) {
  // Cleaning up after the start of the sleepers is not part of a cycle.
  for (const databaseUrl of servers) await vacuumAll(databaseUrl);
  const worker = await dueday.startWorker();
  // Nor is the daily work, which could fall into one of the two measurements.
  await world.client.workflow.getHandle('housekeeping').terminate();
  // Warms up caches, connections and compiled code, so that the first measurement does not pay for it.
  await cpuOfCycle(dueday, worker);
  const measured: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) measured.push(await cpuOfCycle(dueday, worker));
  await worker.stop();
  return measured;
}

export const growth: Row = {
  about: 'CPU of all servers per cycle with many subscriptions asleep, compared with a thousand',
  temporal: "Temporal's server on PostgreSQL",
  counts: 'subscriptions asleep',
  size: 100_000,
  pairs: 3,
  async run({ size, pairs, say }) {
    const servers: string[] = [];
    return withWorld(
      null,
      async (world) => {
        const dueday = createDueday(world);
        servers.push(world.databaseUrl);
        const sleep = (prefix: string, count: number) =>
          dueday.begin({ prefix, count, firstDueAt: Date.now() + A_YEAR, wokenWhenDue: true });
        const shown = (all: readonly number[]) => all.map((cpu) => cpu.toFixed(1)).join(' ');
        // Sleepers can only be added, so the two cannot be measured alternately.
        await sleep('few', FEW);
        const reference = await measure(world, dueday, servers, pairs);
        say(`with ${FEW} asleep: ${shown(reference)} ms`);
        await sleep('many', size - FEW);
        const subject = await measure(world, dueday, servers, pairs);
        say(`with ${size} asleep: ${shown(subject)} ms`);
        return {
          outcomes: [{ target: atMost('CPU per cycle', 1.1), unit: 'ms', subject, reference }],
          settings: { 'asleep in the reference': FEW, 'due in one instant': DUE },
        };
      },
      async () => {
        const cluster = await openCluster();
        servers.push(cluster.databaseUrl);
        return cluster;
      },
    );
  },
};
