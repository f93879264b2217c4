import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import type { WorkflowClientInterceptor, WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { tsToMs } from '@temporalio/common/lib/time';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { type ActivityInterceptorsFactory, Worker } from '@temporalio/worker';
import type { Activities } from '../../src/contract/activities';
import { changedSignal, SUBSCRIPTION_WORKFLOW } from '../../src/contract/messages';
import type { Step, StepInput, SubscriptionInput } from '../../src/contract/steps';
import { interactiveQueue, SEARCH_ATTRIBUTES, subscriptionWorkflowId } from '../../src/contract/workflows';
import type { SubscriptionId } from '../../src/domain/ids';
import { type ClockSetting, type Instant, toBusiness } from '../../src/domain/time';
import type { PathName } from '../replay/paths';
import { historiesOf, recordHistories } from '../replay/recording';
import { terminateAtRest } from './at-rest';
import { connectDevServerEnv, startTimeSkippingEnv, testWorkflows } from './temporal';

/** Business time at which each life of a test begins. */
export const START: Instant = Date.parse('2027-01-31T09:00:00.000Z');

/** An activity as the workflow called it. `at`: business time. */
export interface Call {
  readonly name: keyof Activities;
  readonly input: StepInput;
  readonly at: Instant;
  /** Whether it was called within the workflow task. */
  readonly isLocal?: boolean;
}

/**
 * What the activities answer; `nth` counts the calls of one life, from 0. The activity runs until the answer resolves.
 */
export type Script = (call: Call, nth: number) => Step | Promise<Step>;

/** Every activity except the check of a consent, which ends with what has changed instead of a step. */
type StepActivity = Exclude<Call['name'], 'checkConsent'>;

/** Each activity that ends with a step. */
export function stepActivities<Answered>(answered: (name: StepActivity) => Answered): Record<StepActivity, Answered> {
  return {
    decide: answered('decide'),
    requestConsent: answered('requestConsent'),
    awaitConsent: answered('awaitConsent'),
    cancelConsent: answered('cancelConsent'),
    collectPayment: answered('collectPayment'),
    followAttempt: answered('followAttempt'),
  };
}

type Event = NonNullable<Awaited<ReturnType<typeof historiesOf>>[number]['events']>[number];

export function step(kind: Step['kind'], more: Partial<Step> = {}): Step {
  return { kind, revision: 0, summary: kind, details: '', ...more };
}

/** The step with which a life ends. */
export const FINISH = step('finish');

/** Answers these steps, one per call, and after the last one that the life has ended. */
export function inOrder(...steps: readonly (Step | (() => Step | Promise<Step>))[]): Script {
  return (_call, nth) => {
    const next = steps[nth] ?? FINISH;
    return typeof next === 'function' ? next() : next;
  };
}

/** One subscription's workflow whose activities answer as the test says; there is no ledger behind it. */
export class ScriptedLife {
  readonly calls: Call[] = [];

  constructor(
    private readonly env: TestWorkflowEnvironment,
    readonly handle: WorkflowHandle,
    readonly id: SubscriptionId,
    readonly clock: ClockSetting,
    readonly path: PathName,
    readonly script: Script,
  ) {}

  /** Names of the subscription's own activities so far. */
  get names(): string[] {
    return this.calls.map(({ name }) => name);
  }

  /** Business time, as the server's clock has it. */
  async now(): Promise<Instant> {
    return toBusiness(this.clock, await this.env.currentTimeMs());
  }

  /** Lets time pass; at once if the server skips time. */
  async pass(ms: number): Promise<void> {
    await this.env.sleep(ms);
  }

  /** Signals a change; the arguments may also be ones that dueday would never send. */
  async changed(...args: unknown[]): Promise<void> {
    await this.handle.signal(changedSignal.name, ...args);
  }

  /** The events of all runs, oldest first. */
  async events(): Promise<Event[]> {
    return (await this.runs()).flat();
  }

  async runs(): Promise<Event[][]> {
    return (await historiesOf(this.env.client, this.handle.workflowId)).map(({ events }) => events ?? []);
  }

  /** The input of each run. */
  async inputs(): Promise<SubscriptionInput[]> {
    return (await this.runs()).map(([started]) => {
      const payload = started?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0];
      return defaultPayloadConverter.fromPayload<SubscriptionInput>(payload!);
    });
  }

  /** The duration of each timer, ms. */
  async timers(): Promise<number[]> {
    return (await this.events()).flatMap(({ timerStartedEventAttributes: timer }) =>
      timer == null ? [] : [tsToMs(timer.startToFireTimeout)],
    );
  }

  /** The summaries of timers and activities, in sequence. */
  async summaries(): Promise<string[]> {
    return (await this.events()).flatMap(({ userMetadata }) =>
      userMetadata?.summary == null ? [] : [defaultPayloadConverter.fromPayload<string>(userMetadata.summary)],
    );
  }

  async details(): Promise<string> {
    const metadata = await this.handle.query('__temporal_workflow_metadata');
    return (metadata as { readonly currentDetails: string }).currentDetails;
  }

  /** Workflow tasks that failed: a fault of the code. */
  async failedTasks(): Promise<number> {
    return (await this.events()).filter(({ workflowTaskFailedEventAttributes: failed }) => failed != null).length;
  }

  async answer(name: Call['name'], input: StepInput): Promise<Step> {
    const { isLocal } = Context.current().info;
    const call = { name, input, at: await this.now(), isLocal };
    return this.script(call, this.calls.push(call) - 1);
  }
}

export interface Beginning {
  readonly input?: Partial<SubscriptionInput>;
  /** Starts on the interactive queue, as a creation does. */
  readonly isAwaited?: boolean;
}

/** Interceptors of the client's calls and of the activities. */
export interface Interceptors {
  readonly workflow: WorkflowClientInterceptor[];
  readonly activity: ActivityInterceptorsFactory[];
}

/** One Temporal, and a worker whose activities answer what scripts say. */
export class StepWorld {
  readonly taskQueue = `steps-${randomUUID()}`;
  private readonly lives = new Map<string, ScriptedLife>();
  private opened: TestWorkflowEnvironment | null = null;
  private workers: readonly Worker[] = [];
  private run: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly connect: () => Promise<TestWorkflowEnvironment>,
    private readonly activityInterceptors: ActivityInterceptorsFactory[] = [],
  ) {}

  /** A Temporal of the test file's own, whose clock skips waiting. */
  static skippingTime({ workflow, activity }: Interceptors = { workflow: [], activity: [] }): StepWorld {
    return new StepWorld(() => startTimeSkippingEnv({ interceptors: { workflow } }), activity).hookIn();
  }

  /** The development server of the run: real time. */
  static onDevServer(): StepWorld {
    return new StepWorld(connectDevServerEnv).hookIn();
  }

  get env(): TestWorkflowEnvironment {
    if (this.opened === null) throw new Error('used outside of a test');
    return this.opened;
  }

  /** Begins a life; by default its input is that of a newly created subscription. */
  async begin(path: PathName, script: Script, { input, isAwaited = false }: Beginning = {}): Promise<ScriptedLife> {
    const id = `sub-${randomUUID()}` as SubscriptionId;
    const clock: ClockSetting = { virtualStart: START, realStart: await this.env.currentTimeMs(), speed: 1 };
    const workflowId = subscriptionWorkflowId(id);
    const { workflow } = this.env.client;
    const life = new ScriptedLife(this.env, workflow.getHandle(workflowId), id, clock, path, script);
    this.lives.set(id, life);
    await workflow.start(SUBSCRIPTION_WORKFLOW, {
      workflowId,
      taskQueue: isAwaited ? interactiveQueue(this.taskQueue) : this.taskQueue,
      args: [{ subscriptionId: id, clock, ...(isAwaited ? { movesTo: this.taskQueue } : {}), ...input }],
    });
    return life;
  }

  /** Records the history of a workflow that a life has started. */
  keepHistory(workflowId: string, path: PathName): Promise<void> {
    return recordHistories(this.env, workflowId, path);
  }

  private hookIn(): this {
    beforeAll(() => this.open());
    afterEach(() => this.endLives());
    afterAll(() => this.close());
    return this;
  }

  private async open(): Promise<void> {
    this.opened = await this.connect();
    await this.registerSearchAttributes();
    const { nativeConnection: connection } = this.opened;
    const interceptors = { activity: this.activityInterceptors };
    const common = { connection, ...testWorkflows(), activities: this.activities(), interceptors };
    const queues = [this.taskQueue, interactiveQueue(this.taskQueue)];
    this.workers = await Promise.all(queues.map((taskQueue) => Worker.create({ ...common, taskQueue })));
    this.run = Promise.all(this.workers.map((worker) => worker.run()));
  }

  private async close(): Promise<void> {
    for (const worker of this.workers) worker.shutdown();
    await this.run;
    await this.opened?.teardown();
  }

  private async endLives(): Promise<void> {
    const lives = [...this.lives.values()];
    try {
      for (const { handle, path } of lives) await recordHistories(this.env, handle.workflowId, path);
    } finally {
      for (const { handle } of lives) await terminateAtRest(handle);
      this.lives.clear();
    }
  }

  private activities() {
    const of = (id: string): ScriptedLife => {
      const life = this.lives.get(id);
      if (life === undefined) throw new Error(`no test has started ${id}`);
      return life;
    };
    return stepActivities((name) => (input: StepInput) => of(input.subscriptionId).answer(name, input));
  }

  private async registerSearchAttributes(): Promise<void> {
    const KEYWORD = 2;
    const searchAttributes = Object.fromEntries(SEARCH_ATTRIBUTES.map(({ name }) => [name, KEYWORD]));
    await this.env.connection.operatorService
      .addSearchAttributes({ namespace: this.env.namespace ?? 'default', searchAttributes })
      .catch((error: unknown) => {
        if (!/already exists/i.test(String(error))) throw error;
      });
  }
}
