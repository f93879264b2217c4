import { randomBytes } from 'node:crypto';
import { type WorkflowClientInterceptor, WithStartWorkflowOperation } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { type ActivityInterceptorsFactory, Worker } from '@temporalio/worker';
import type { Activities, AdoptionResult } from '../../src/contract/activities';
import {
  adoptConsentUpdate,
  requestConsentUpdate,
  SUBSCRIPTION_WORKFLOW,
  type SubscriptionInput,
} from '../../src/contract/messages';
import {
  DUEDAY_REPETITION,
  DUEDAY_STANDING,
  DUEDAY_STATUS,
  SEARCH_ATTRIBUTES,
  subscriptionWorkflowId,
} from '../../src/contract/workflows';
import { retryGap, type RetryPolicy } from '../../src/domain/subscription/retries';
import { importedSubscription } from '../../src/domain/subscription/adoption';
import { type ClockSetting, realDelay, toBusiness, HOUR, type Instant, MINUTE } from '../../src/domain/time';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import type { Repetition } from '../../src/domain/subscription/schedule';
import { newSubscription, type OnExhausted, type Terms } from '../../src/domain/subscription/state';
import { historiesOf, recordHistories } from '../replay/recording';
import type { PathName } from '../replay/paths';
import { terminateAtRest } from './at-rest';
import { type BankTime, ScriptedBank } from './workflow-bank';
import { expectLedgerAgrees } from './workflow-ledger';
import { instant, RunningSubscription } from './workflow-subscription';
import { connectDevServerEnv, startTimeSkippingEnv, testWorkflows } from './temporal';

/** What a test says of a subscription; the rest is the same for all. Instants as ISO text. */
export interface Order {
  /** The path's name, by which its history is kept. */
  readonly path: PathName;
  /** Business time at the start. */
  readonly now: string;
  readonly firstPaymentAt: string;
  readonly repetition?: Repetition;
  readonly endAt?: string;
  readonly onExhausted?: OnExhausted;
  readonly cents?: number;
  readonly spread?: number;
  /** Of retries after the first failure; {@link RETRY_OFFSETS} where not given. */
  readonly offsets?: readonly number[];
  /** The subscription whose place it is to take. */
  readonly replaces?: SubscriptionId;
  /** Business milliseconds in a real one; 1 where time is skipped. */
  readonly speed?: number;
  /** Left out as by a release that does not say. */
  readonly cyclesPerRun?: number;
}

/** What a test says of a mandate granted elsewhere. */
export interface OrderedMandate {
  readonly collectFrom: string;
  /** What the next cycle collects, where it is not the consent's amount. */
  readonly cents?: number;
}

/** Hours after the first failure. */
export const RETRY_OFFSETS = [24 * HOUR, 48 * HOUR, 71 * HOUR];

function policyOf(offsets: readonly number[]): RetryPolicy {
  return { offsets, transit: TRANSIT, gap: retryGap(offsets, 6 * HOUR) };
}
export const TRANSIT = MINUTE;

/** What goes around calls to Temporal, and around activities. */
export interface Interceptors {
  readonly workflow: WorkflowClientInterceptor[];
  readonly activity: ActivityInterceptorsFactory[];
}

/** One Temporal, one worker with scripted activities, and the subscriptions of a test file. */
export class WorkflowWorld {
  private readonly banks = new Map<string, ScriptedBank>();
  private readonly inputs = new Map<string, SubscriptionInput>();
  private readonly running: RunningSubscription[] = [];
  private readonly taskQueue = `test-${randomBytes(6).toString('hex')}`;
  private temporalNow = 0;
  private opened: TestWorkflowEnvironment | null = null;
  private worker: Worker | null = null;
  private run: Promise<void> | null = null;

  private constructor(
    private readonly skipsTime: boolean,
    private readonly interceptors: Interceptors = { workflow: [], activity: [] },
  ) {}

  /** A Temporal of the test file's own, whose clock skips waiting. */
  static skippingTime(interceptors?: Interceptors): WorkflowWorld {
    return new WorkflowWorld(true, interceptors).hookIn();
  }

  /** The development server of the run: real time. */
  static onDevServer(): WorkflowWorld {
    return new WorkflowWorld(false).hookIn();
  }

  get env(): TestWorkflowEnvironment {
    if (this.opened === null) throw new Error('used outside of a test');
    return this.opened;
  }

  /** Starts a subscription as the admin API does: workflow and first question in one call. */
  async subscribe(order: Order, script: (bank: ScriptedBank) => void = () => undefined): Promise<RunningSubscription> {
    const subscription = await this.prepare(order);
    script(subscription.bank);
    subscription.requested = await subscription.request();
    return subscription;
  }

  /** Imports a mandate as the admin API does: workflow and first question in one call. */
  async adopt(
    order: Order,
    mandate: OrderedMandate,
    script: (bank: ScriptedBank) => void = () => undefined,
  ): Promise<{ readonly subscription: RunningSubscription; readonly answer: AdoptionResult }> {
    const subscription = await this.prepare(order);
    script(subscription.bank);
    const { workflowId } = subscription.handle;
    const { state, clock } = this.inputs.get(workflowId)!;
    const imported = importedSubscription({
      ...state,
      paymentId: `payment-of-${state.terms.subscriptionId}` as PaymentId,
      amount: euros(mandate.cents ?? state.current.value),
      lastIncreaseAt: null,
      adoption: { consentAmount: null, collectFrom: instant(mandate.collectFrom), actor: 'ops' },
    });
    const answer = await this.env.client.workflow.executeUpdateWithStart(adoptConsentUpdate, {
      startWorkflowOperation: this.startOperation(workflowId, { state: imported, clock }),
    });
    return { subscription, answer };
  }

  /** Everything but the call: for tests of the call itself. */
  async prepare(order: Order): Promise<RunningSubscription> {
    const realStart = await this.env.currentTimeMs();
    const clock = { virtualStart: instant(order.now), realStart, speed: order.speed ?? 1 };
    const terms = termsOf(order);
    const bank = new ScriptedBank(terms, this.timeOf(clock), !this.skipsTime);
    this.banks.set(terms.subscriptionId, bank);
    const input: SubscriptionInput = {
      state: newSubscription({
        terms,
        policy: policyOf(order.offsets ?? RETRY_OFFSETS),
        spread: order.spread ?? 0,
        replaces: order.replaces ?? null,
      }),
      clock,
      console: 'https://billing.test',
      ...(order.cyclesPerRun !== undefined && { cyclesPerRun: order.cyclesPerRun }),
    };
    const workflowId = subscriptionWorkflowId(terms.subscriptionId);
    this.inputs.set(workflowId, input);
    const request = () => {
      const answer = this.env.client.workflow.executeUpdateWithStart(requestConsentUpdate, {
        startWorkflowOperation: this.startOperation(workflowId, input),
      });
      bank.answersAfter(answer);
      return answer;
    };
    const handle = this.env.client.workflow.getHandle(workflowId);
    const subscription = new RunningSubscription(this.env, handle, clock, bank, request, order.path);
    this.running.push(subscription);
    return subscription;
  }

  /** The histories of the runs, oldest first. */
  runsOf({ handle }: RunningSubscription): ReturnType<typeof historiesOf> {
    return historiesOf(this.env.client, handle.workflowId);
  }

  /** Of a workflow that no test has started itself. */
  keepHistory(workflowId: string, path: PathName): Promise<void> {
    return recordHistories(this.env, workflowId, path);
  }

  private hookIn(): this {
    beforeAll(() => this.open());
    afterEach(() => this.endSubscriptions());
    afterAll(() => this.close());
    return this;
  }

  private async open(): Promise<void> {
    const { workflow } = this.interceptors;
    this.opened = this.skipsTime
      ? await startTimeSkippingEnv({ interceptors: { workflow } })
      : await connectDevServerEnv();
    await this.registerSearchAttributes();
    await this.startWorker();
  }

  private async close(): Promise<void> {
    await this.stopWorker();
    await this.opened?.teardown();
  }

  /** Checks what holds at any time, keeps the histories where they are wanted, and leaves nothing running. */
  private async endSubscriptions(): Promise<void> {
    const finished = this.running.splice(0);
    try {
      for (const subscription of finished) await expectLedgerAgrees(subscription);
      for (const { handle, path } of finished) await recordHistories(this.env, handle.workflowId, path);
    } finally {
      for (const { handle } of finished) await terminateAtRest(handle);
      this.banks.clear();
      this.inputs.clear();
    }
  }

  private async stopWorker(): Promise<void> {
    this.worker?.shutdown();
    await this.run;
  }

  private async startWorker(): Promise<void> {
    this.worker = await Worker.create({
      connection: this.env.nativeConnection,
      taskQueue: this.taskQueue,
      ...testWorkflows(),
      interceptors: { activity: this.interceptors.activity },
      activities: this.activities(),
    });
    this.run = this.worker.run();
  }

  private activities(): Activities {
    const bankOf = (input: { subscriptionId: SubscriptionId }) => this.bank(input.subscriptionId);
    return {
      requestConsent: async (input) => (await bankOf(input)).requestConsent(input),
      adoptConsent: async (input) => (await bankOf(input)).adoptConsent(input),
      readLedger: async (input) => (await bankOf(input)).readLedger(input),
      discardDraft: async (input) => (await bankOf(input)).discardDraft(input),
      awaitConsent: async (input) => (await bankOf(input)).awaitConsent(input),
      lookAtConsent: async (input) => (await bankOf(input)).lookAtConsent(input),
      cancelConsent: async (input) => (await bankOf(input)).cancelConsent(input),
      collectPayment: async (input) => (await bankOf(input)).collectPayment(input),
      notifyPayer: async (input) => (await bankOf(input)).notifyPayer(input),
      resolveAttempt: async (input) => (await bankOf(input)).resolveAttempt(input),
      announceIncrease: async (input) => (await bankOf(input)).announceIncrease(input),
      record: async (change) => (await bankOf(change)).record(change),
      deliverNotice: async (input) => (await this.bank(input.noticeId.split('~')[0] ?? '')).deliverNotice(input),
    };
  }

  /** With the time of this call: Temporal's own where time is skipped; it stands still while an activity runs. */
  private async bank(subscriptionId: string): Promise<ScriptedBank> {
    const bank = this.banks.get(subscriptionId);
    if (bank === undefined) throw new Error(`no test has ordered ${subscriptionId}`);
    if (this.skipsTime) this.temporalNow = await this.env.currentTimeMs();
    return bank;
  }

  private timeOf(clock: ClockSetting): BankTime {
    const realNow = () => (this.skipsTime ? this.temporalNow : Date.now());
    return {
      realNow,
      now: () => toBusiness(clock, realNow()),
      delayUntil: (at: Instant) => realDelay(clock, realNow(), at),
    };
  }

  private startOperation(workflowId: string, input: SubscriptionInput) {
    const { repetition } = input.state.terms;
    return new WithStartWorkflowOperation(SUBSCRIPTION_WORKFLOW, {
      workflowId,
      taskQueue: this.taskQueue,
      args: [input],
      workflowIdConflictPolicy: 'FAIL',
      staticSummary: `${repetition} subscription`,
      typedSearchAttributes: [
        { key: DUEDAY_STATUS, value: 'pending_consent' },
        { key: DUEDAY_STANDING, value: 'good' },
        { key: DUEDAY_REPETITION, value: repetition },
      ],
    });
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

function termsOf(order: Order): Terms {
  return {
    subscriptionId: `sub-${randomBytes(6).toString('hex')}` as SubscriptionId,
    firstPaymentAt: instant(order.firstPaymentAt),
    repetition: order.repetition ?? 'MONTHLY',
    endAt: order.endAt === undefined ? null : instant(order.endAt),
    consentAmount: euros(order.cents ?? 1999),
    startAt: instant(order.now),
    onExhausted: order.onExhausted ?? 'continue',
  };
}
