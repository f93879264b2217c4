import { atMost, type Row } from '../row';
import { type Contender, untilCollected } from '../worlds/contender';
import { createDueday } from '../worlds/dueday';
import { cpuOfDescendants } from '../worlds/processes';
import { openCluster } from '../worlds/temporal';
import { withWorld, type World } from '../worlds/world';
import { beginDue, patienceFor } from './draining';

/** Asleep beside those that are measured. */
const FEW = 1_000;
/** Due in one instant. */
const DUE = 300;
const A_YEAR = 365 * 24 * 60 * 60 * 1000;

/** Processor time of a cycle, of all processes: the worker, both PostgreSQL, Temporal and the payment service; ms. */
async function cpuOfCycle(world: World, dueday: Contender): Promise<number> {
  const worker = await dueday.startWorker();
  // The work of each day has nothing to do with a cycle, and may fall into one measurement and not into the other.
  await world.client.workflow.getHandle('housekeeping').terminate();
  const batch = await beginDue(dueday, [worker], DUE);
  const before = await cpuOfDescendants();
  await untilCollected(dueday, batch, DUE, patienceFor(DUE));
  const cpu = ((await cpuOfDescendants()) - before) / DUE;
  await worker.stop();
  return cpu;
}

export const growth: Row = {
  about: 'CPU of a cycle, of all servers, with many asleep beside a thousand',
  temporal: "Temporal's server on PostgreSQL",
  counts: 'subscriptions asleep',
  size: 100_000,
  pairs: 1,
  run: ({ size, pairs, say }) =>
    withWorld(
      null,
      async (world) => {
        const dueday = createDueday(world);
        const subject: number[] = [];
        const reference: number[] = [];
        const sleep = (prefix: string, count: number) =>
          dueday.begin({ prefix, count, firstDueAt: Date.now() + A_YEAR, wokenWhenDue: true });
        await sleep('few', FEW);
        // Warms up what the first measurement alone would have to: caches, connections, compiled code.
        await cpuOfCycle(world, dueday);
        // Sleepers only come: one cannot go by turns.
        for (let pair = 0; pair < pairs; pair += 1) reference.push(await cpuOfCycle(world, dueday));
        say(`with ${FEW} asleep: ${reference.map((cpu) => cpu.toFixed(1)).join(' ')} ms`);
        await sleep('many', size - FEW);
        for (let pair = 0; pair < pairs; pair += 1) subject.push(await cpuOfCycle(world, dueday));
        say(`with ${size} asleep: ${subject.map((cpu) => cpu.toFixed(1)).join(' ')} ms`);
        return {
          outcomes: [{ target: atMost('CPU a cycle', 1.1), unit: 'ms', subject, reference }],
          settings: { 'asleep beside': FEW, 'due in one instant': DUE },
        };
      },
      openCluster,
    ),
};
