import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { interactiveQueue, SEARCH_ATTRIBUTES } from '../../src/contract/workflows';
import { AnswerListener, type Answers, createPool, type Pool } from '../../src/ledger';
import { createTestDatabase } from '../support/database';
import { connectDevServerEnv, testWorkflows } from '../support/temporal';

const KEYWORD = 2;

/** Temporal's development server and a ledger of the test file's own. */
export interface TemporalWorld {
  env: TestWorkflowEnvironment;
  db: Pool;
  answers: Answers;
  /** Each test has its own task queue. */
  taskQueue: string;
  /** The access to Temporal and the ledger that clients of workflows need. */
  access(): { readonly client: Client; readonly taskQueue: string; readonly db: Pool; readonly answers: Answers };
  /** Does the work while a worker runs the workflows, with these activities. */
  withWorker(activities: object, work: () => Promise<void>): Promise<void>;
}

export function useTemporalWorld(): TemporalWorld {
  const world = {
    access: () => ({ client: world.env.client, taskQueue: world.taskQueue, db: world.db, answers: world.answers }),
    async withWorker(activities, work) {
      const { nativeConnection: connection } = world.env;
      const common = { connection, ...testWorkflows(), activities };
      const base = await Worker.create({ ...common, taskQueue: world.taskQueue });
      const interactive = await Worker.create({ ...common, taskQueue: interactiveQueue(world.taskQueue) });
      await base.runUntil(() => interactive.runUntil(work));
    },
  } as TemporalWorld;
  let listener: AnswerListener;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    world.env = await connectDevServerEnv();
    const searchAttributes = Object.fromEntries(SEARCH_ATTRIBUTES.map(({ name }) => [name, KEYWORD]));
    await world.env.connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes });
    const database = await createTestDatabase();
    drop = database.drop;
    world.db = createPool({ databaseUrl: database.url, max: 5, keepsStatements: true });
    listener = new AnswerListener(createPool({ databaseUrl: database.url, max: 1 }));
    world.answers = listener;
  });
  beforeEach(() => {
    world.taskQueue = `workflows-${randomUUID()}`;
  });
  afterAll(async () => {
    await listener.close();
    await world.db.end();
    await drop();
    await world.env.teardown();
  });
  return world;
}
