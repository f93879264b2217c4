import type { bareSubscription } from '../references/workflows';
import { type Batch, type Contender, eachOf, nameOf, paymentOf, realOf, WEEK } from './contender';
import { CENTS, defaultSizes } from './dueday';
import { startProgram } from './program';
import type { World } from './world';

const CLIENTS = 50;

/** What the reference's worker is told: the sizes that dueday gives itself on this machine. */
export function bareVariablesOf(world: World): Readonly<Record<string, string>> {
  const { cachedWorkflows, slots, DATABASE_POOL_SIZE } = defaultSizes();
  return {
    TEMPORAL_ADDRESS: world.temporalAddress,
    DATABASE_URL: world.bareUrl,
    SERVICE_URL: world.serviceUrl,
    DATABASE_POOL_SIZE: String(DATABASE_POOL_SIZE),
    WORKFLOW_CACHE_SIZE: String(cachedWorkflows),
    ACTIVITY_SLOTS: String(slots.collecting),
  };
}

/** Timer and activity, as bare as Temporal allows, with the calls and the commits of a cycle. */
export function createBare(world: World): Contender {
  return {
    async startWorker(env = {}) {
      const program = startProgram('bench/references/worker.ts', [], { ...bareVariablesOf(world), ...env });
      await program.says('worker runs');
      return program;
    },
    async begin(batch) {
      await world.bare.query(
        `insert into subscriptions (id, payment_id, status, due_at)
         select $1 || '-' || n, 'pay-' || $1 || '-' || $2 || '-' || n, 'active', to_timestamp($3)
         from generate_series(0, $4::integer - 1) n`,
        [batch.prefix, batch.word ?? 'at-once', realOf(world, batch.firstDueAt) / 1000, batch.count],
      );
      await eachOf(batch.count, CLIENTS, (index) => startWorkflow(world, batch, index));
    },
    async collected(batch) {
      const { rows } = await world.bare.query<{ count: number; last: number | null }>(
        `select count(*), max(collected_at) as last from attempts where id like $1 and state = 'collected'`,
        [`${batch.prefix}-%`],
      );
      return { count: rows[0]?.count ?? 0, lastAt: rows[0]?.last ?? 0 };
    },
    workflowId: (batch, index) => `bare/${nameOf(batch, index)}`,
  };
}

async function startWorkflow(world: World, batch: Batch, index: number): Promise<void> {
  const { firstDueAt, cycle = 0 } = batch;
  const interval = WEEK / (world.clock?.speed ?? 1);
  await world.client.workflow.start<typeof bareSubscription>('bareSubscription', {
    workflowId: `bare/${nameOf(batch, index)}`,
    taskQueue: 'bare',
    args: [
      {
        id: nameOf(batch, index),
        paymentId: paymentOf(batch, index),
        cents: CENTS,
        cycle,
        interval,
        firstDueAt: realOf(world, firstDueAt) - cycle * interval,
      },
    ],
  });
}
