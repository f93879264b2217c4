import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { type Clock, createClock } from '../../src/platform/clock';
import { interactiveQueue } from '../../src/contract/workflows';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox';
import { type DuedayProcess, startDueday } from '../cli/dueday-process';
import { terminateUnlessEnded } from '../support/at-rest';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { silentLog } from '../support/silent-log';
import { partOfRun } from '../support/test-run';
import { untilInstant } from '../support/wait-until';
import { type AdminApi, createAdminApi } from './admin-api';
import { Life, type Surroundings } from './life';
import { orderOf, type Terms } from './order';
import { type NoticeReceiver, startNoticeReceiver } from './notice-receiver';

/** Two hours a second: a week in 84 s, a window in a minute. A few seconds lost on a busy machine make no due date pass unseen. */
export const SPEED = 7_200;
const VIRTUAL_START = Date.parse('2027-01-29T08:00:00.000Z');

export const CREDENTIALS = { clientId: 'merchant-of-the-scenarios', clientSecret: 'secret-of-the-scenarios' };
export const ADMIN_KEY = 'bootstrap-key-of-the-scenarios-1234567890';

/** What programs of dueday depend on: a clock, a database, the merchant's messenger, Temporal, and payment services on request. */
export interface Ground {
  readonly clock: Clock;
  readonly database: TestDatabase;
  readonly receiver: NoticeReceiver;
  readonly temporal: Client;
  readonly taskQueue: string;
  /** The variables of a program that uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** A payment service, listening. */
  openSandbox(
    port?: number,
    more?: Partial<SandboxOptions>,
  ): Promise<{ readonly sandbox: Sandbox; readonly url: string }>;
  /** A program of dueday with these variables; stopped with the ground. */
  start(command: 'daemon' | 'worker' | 'api', env?: Readonly<Record<string, string>>): DuedayProcess;
  /** Starts a program for a test that kills it and therefore checks itself how it ends. */
  startToBeKilled(command: 'daemon' | 'worker' | 'api', env?: Readonly<Record<string, string>>): DuedayProcess;
  /** Ends every program and expects each to end as asked. */
  close(): Promise<void>;
}

/** @param speed business ms per real ms */
export async function openGround(speed = SPEED): Promise<Ground> {
  const clock = createClock({ virtualStart: VIRTUAL_START, realStart: Date.now(), speed });
  const [database, receiver] = await Promise.all([createTestDatabase(), startNoticeReceiver(clock)]);
  const { address } = partOfRun('temporal');
  const connection = await Connection.connect({ address });
  const temporal = new Client({ connection });
  const taskQueue = `scenarios-${randomBytes(4).toString('hex')}`;
  const programs: DuedayProcess[] = [];
  const killed: DuedayProcess[] = [];
  const sandboxes: Sandbox[] = [];
  const env = {
    PAYMENT_SERVICE_ENVIRONMENT: 'sandbox',
    DATABASE_URL: database.programUrl,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_TASK_QUEUE: taskQueue,
    PAYMENT_SERVICE_CLIENT_ID: CREDENTIALS.clientId,
    PAYMENT_SERVICE_CLIENT_SECRET: CREDENTIALS.clientSecret,
    NOTICE_WEBHOOK_URL: receiver.url,
    NOTICE_WEBHOOK_SECRET: receiver.secret,
    EVENT_WEBHOOK_URL: receiver.url,
    EVENT_WEBHOOK_SECRET: receiver.secret,
    ADMIN_PORT: '0',
    ADMIN_BOOTSTRAP_KEY: ADMIN_KEY,
    LOG_LEVEL: 'trace',
    TEST_CLOCK: `${new Date(VIRTUAL_START).toISOString()}@${new Date(clock.setting!.realStart).toISOString()}x${speed}`,
    // Hours pass in a second: waits in real time are short, and retries far from the limit of 72 h.
    PAYMENT_SERVICE_SETTLE_SECONDS: '1',
    PAYMENT_SERVICE_TIMEOUT_MS: '5000',
    NOTICE_BACKOFF_SECONDS: '0.5',
    RETRY_OFFSETS_HOURS: '12,24,36',
  };
  return {
    clock,
    database,
    receiver,
    temporal,
    taskQueue,
    env,
    async openSandbox(port = 0, more = {}) {
      const sandbox = createSandbox({ clock, logger: silentLog(), ...CREDENTIALS, ...more });
      sandboxes.push(sandbox);
      const { url } = await sandbox.listen(port);
      return { sandbox, url };
    },
    start(command, more = {}) {
      const program = startDueday([command], { ...env, ...more });
      programs.push(program);
      return program;
    },
    startToBeKilled(command, more = {}) {
      const program = startDueday([command], { ...env, ...more });
      killed.push(program);
      return program;
    },
    async close() {
      await Promise.all(killed.map((program) => program.stop()));
      const endings = await Promise.all(programs.map((program) => program.stop()));
      await endWorkflows(temporal, taskQueue);
      await connection.close();
      await Promise.all([...sandboxes.map((sandbox) => sandbox.close()), receiver.close()]);
      await database.drop();
      if (endings.some(({ code }) => code !== 0)) throw new Error(`a program ended with ${JSON.stringify(endings)}`);
    },
  };
}

/** Ends all workflows, because those that never end would burden the server that all tests share. */
async function endWorkflows(temporal: Client, taskQueue: string): Promise<void> {
  const query = `TaskQueue in ('${taskQueue}', '${interactiveQueue(taskQueue)}') and ExecutionStatus = 'Running'`;
  for await (const { workflowId } of temporal.workflow.list({ query })) {
    await terminateUnlessEnded(temporal.workflow.getHandle(workflowId));
  }
}

/** The admin API that a program serves. */
export async function adminApiOf(program: DuedayProcess): Promise<AdminApi> {
  const { url } = await program.says('admin API on ');
  return createAdminApi(url!, ADMIN_KEY, () => program.log());
}

/** Creates a subscription over the admin API. */
export async function placeOrder(surroundings: Surroundings, clock: Clock, terms: Terms): Promise<Life> {
  const order = orderOf(terms, clock.now());
  const { admin } = surroundings;
  const { status, body } = await admin.post<{ paymentId: string; requestId?: string }>('/v1/subscriptions', order);
  if (status !== 201) {
    const logged = body.requestId === undefined ? [] : admin.logOf(body.requestId);
    throw new Error(`the order was answered with ${status}: ${JSON.stringify({ body, logged })}`);
  }
  expect(body).toMatchObject({ status: 'pending_consent' });
  return new Life(surroundings, order, body.paymentId);
}

/** Real programs with one business time, in which many subscriptions live in parallel. */
export interface World extends Ground, Surroundings {
  readonly daemon: DuedayProcess;
  readonly lives: readonly Life[];
  /** Creates a subscription over the admin API. */
  order(terms: Terms): Promise<Life>;
  /** Waits for business time. */
  reach(at: number): Promise<void>;
}

export interface WorldOptions {
  /** Business ms per real ms; two hours a second by default. */
  readonly speed?: number;
  /** Variables of the daemon, in addition to those of the ground or instead of them. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function openWorld({ speed, env = {} }: WorldOptions = {}): Promise<World> {
  const ground = await openGround(speed);
  const { sandbox, url } = await ground.openSandbox();
  const daemon = ground.start('daemon', { PAYMENT_SERVICE_BASE_URL: url, ...env });
  const admin = await adminApiOf(daemon);
  const lives: Life[] = [];
  const world: World = {
    ...ground,
    daemon,
    admin,
    sandbox,
    sandboxUrl: url,
    lives,
    async order(terms) {
      const life = await placeOrder(world, ground.clock, terms);
      lives.push(life);
      return life;
    },
    reach: (at) => untilInstant(ground.clock, at),
  };
  return world;
}
