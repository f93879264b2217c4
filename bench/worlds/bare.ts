import { eachOf } from '../../test/support/each-of';
import type { bareSubscription, emptySubscription, steeredSubscription } from '../references/workflows';
import { type Batch, type Contender, type Drainable, nameOf, paymentOf, realOf, WEEK } from './contender';
import { CENTS, defaultSizes } from './dueday';
import { startProgram } from './program';
import type { World } from './world';

const CLIENTS = 50;

/** Settings of the reference's worker: the sizes that dueday would choose on this machine. */
function bareVariablesOf(world: World) {
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

/** `start` starts only the workflows of a batch, whose rows exist already. */
interface Bare extends Contender {
  start(batch: Batch): Promise<void>;
}

/** The reference's workflow types, which all take the same input. */
type WorkflowName = 'bareSubscription' | 'emptySubscription' | 'steeredSubscription';

/** The simplest workflow that Temporal allows, with the same calls and commits per cycle as dueday. */
export function createBare(world: World, name: WorkflowName = 'bareSubscription'): Bare {
  const start = (batch: Batch) => eachOf(batch.count, CLIENTS, (index) => startWorkflow(world, name, batch, index));
  return {
    async startWorker(env = {}) {
      const program = startProgram('bench/references/worker.ts', [], { ...bareVariablesOf(world), ...env });
      await program.says('worker started');
      return program;
    },
    async begin(batch) {
      await insertRows(world, batch);
      await start(batch);
    },
    start,
    collected: (batch) => collectedOf(world, batch),
    workflowId: (batch, index) => `bare/${nameOf(batch, index)}`,
  };
}

/** The reference without workflows: a loop over due rows. */
export function createLoop(world: World, callsPerSecond: number): Drainable {
  return {
    async startWorker() {
      const { DATABASE_URL, SERVICE_URL, DATABASE_POOL_SIZE } = bareVariablesOf(world);
      const env = { DATABASE_URL, SERVICE_URL, DATABASE_POOL_SIZE, SERVICE_RATE: String(callsPerSecond) };
      const program = startProgram('bench/references/loop.ts', [], env);
      await program.says('loop runs');
      return program;
    },
    begin: (batch) => insertRows(world, batch),
    collected: (batch) => collectedOf(world, batch),
  };
}

async function insertRows(world: World, batch: Batch): Promise<void> {
  await world.bare.query(
    `insert into subscriptions (id, payment_id, status, due_at)
     select $1 || '-' || n, 'pay-' || $1 || '-' || $2 || '-' || n, 'active', to_timestamp($3)
     from generate_series(0, $4::integer - 1) n`,
    [batch.prefix, batch.word ?? 'at-once', realOf(world, batch.firstDueAt) / 1000, batch.count],
  );
}

async function collectedOf({ bare }: World, { prefix }: Batch): ReturnType<Contender['collected']> {
  const { rows } = await bare.query<{ count: number; last: number | null }>(
    `select count(*), max(collected_at) as last from attempts where id like $1 and state = 'collected'`,
    [`${prefix}-%`],
  );
  return { count: rows[0]?.count ?? 0, lastAt: rows[0]?.last ?? 0 };
}

async function startWorkflow(world: World, name: WorkflowName, batch: Batch, index: number): Promise<void> {
  const { firstDueAt, cycle = 0 } = batch;
  const interval = WEEK / (world.clock?.speed ?? 1);
  await world.client.workflow.start<typeof bareSubscription | typeof emptySubscription | typeof steeredSubscription>(
    name,
    {
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
    },
  );
}
