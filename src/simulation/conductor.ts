import { ApplicationFailure } from '@temporalio/common';
import type { createActivities } from '../../activities';
import { paymentWorkflowId, type RefundInput } from '../contract/payments';
import type { AttemptRef, Step, StepInput } from '../contract/steps';
import { SubscriptionRun } from '../contract/subscription-run';
import { attemptWorkflowId, subscriptionWorkflowId } from '../contract/workflows';
import { refundWorkflowId } from '../contract/workflow-ids';
import type { SubscriptionId } from '../domain/ids';
import type { Instant } from '../domain/time';
import { deliverDueNotices, type NoticeDeps } from '../jobs/deliver-notices';
import { nextNoticeTry } from '../ledger';
import { ActivityRuns, type Next, type WaitAfterFault } from './activity-runs';
import type { HandClock } from './hand-clock';

type ConductedActivities = Pick<
  ReturnType<typeof createActivities>,
  | 'decide'
  | 'requestConsent'
  | 'awaitConsent'
  | 'cancelConsent'
  | 'collectPayment'
  | 'followAttempt'
  | 'refundPayment'
  | 'requestPayment'
  | 'decidePayment'
  | 'followPayment'
>;

type Call = (input: StepInput) => Promise<Step>;

/**
 * Delivers due notices.
 * @param notify notifies the workflow of a subscription that waits for a notice
 * @returns when the next one is due; null if none is waiting
 */
export type DeliverNotices = (
  notify: (id: SubscriptionId, revision: number) => Promise<void>,
) => Promise<Instant | null>;

/** The running workflow of a subscription. */
interface Conducted {
  readonly run: SubscriptionRun;
  /** Since when the workflow waits between two steps, real ms; null while it does not wait. */
  waitsSince: number | null;
}

const UNTIL_CHANGED = Infinity;
const NOTICES = 'notices';

/** An error is a defect and ends the simulation. */
const throwFault: WaitAfterFault = (fault) => {
  throw fault;
};

/**
 * Carries out the steps of subscriptions as `workflows/subscription.ts` does, follows attempts, makes refunds and conducts Single
 * Immediate payments as their workflows do, and delivers notices, but without Temporal: with the worker's activities, on a manual clock.
 */
export class Conductor {
  private readonly runs: ActivityRuns;
  private readonly subscriptions = new Map<SubscriptionId, Conducted>();

  /** @param clock the activities' clock, whose business time runs at the speed of real time */
  constructor(
    private readonly clock: HandClock,
    private readonly activities: ConductedActivities,
    private readonly deliverNotices: DeliverNotices,
    waitAfterFault: WaitAfterFault = throwFault,
  ) {
    this.runs = new ActivityRuns(clock, waitAfterFault);
  }

  /** Advances the clock to the instant and runs everything that is due by then. @throws what `waitAfterFault` throws */
  passUntil(at: Instant): Promise<void> {
    return this.runs.passUntil(at);
  }

  isRunning(id: SubscriptionId): boolean {
    return this.subscriptions.has(id);
  }

  /** Whether any workflow with this id runs here. */
  isWorkflowRunning(workflowId: string): boolean {
    return this.runs.has(workflowId);
  }

  /** Starts the workflow of a subscription, unless it is running. */
  start(id: SubscriptionId): void {
    if (this.isRunning(id)) return;
    const run = new SubscriptionRun({ subscriptionId: id, clock: this.clock.setting });
    this.subscriptions.set(id, { run, waitsSince: null });
    this.ask(id, run);
  }

  /**
   * The signal `changed`, which starts a workflow that is not running. A running one ends its timer, or the wait of its
   * activity, and asks the ledger; an activity in progress ends with its result.
   */
  changed(id: SubscriptionId, revision: number): void {
    if (this.isRunning(id)) this.signal(id, revision);
    else this.start(id);
  }

  refund(input: RefundInput): void {
    const work = async () => {
      await this.activities.refundPayment(input);
      return null;
    };
    this.runs.start(refundWorkflowId(input.refundId), { at: this.clock.now(), work });
  }

  /** Conducts a Single Immediate payment whose draft is in the ledger. */
  payment(requestId: string): void {
    const { requestPayment } = this.activities;
    this.runs.start(paymentWorkflowId(requestId), this.callPayment(requestId, requestPayment));
  }

  private callPayment(requestId: string, activity: ConductedActivities['followPayment'], at = this.clock.now()): Next {
    const { decidePayment, followPayment } = this.activities;
    const work = async (): Promise<Next | null> => {
      const step = await activity({ requestId, revision: 0 });
      if (step.kind === 'finish') return null;
      if (step.kind === 'follow_payment') return this.callPayment(requestId, followPayment);
      if (step.kind === 'wait') return this.callPayment(requestId, decidePayment, step.until ?? UNTIL_CHANGED);
      throw new Error(`${step.kind} is not a step of a Single Immediate payment`);
    };
    return { at, work };
  }

  /** A workflow that has ended needs no signal. */
  private signal(id: SubscriptionId, revision: number): void {
    const conducted = this.subscriptions.get(id);
    if (conducted === undefined) return;
    conducted.run.handleChanged(revision);
    if (this.runs.isRunningNow(subscriptionWorkflowId(id))) return;
    this.endWait(conducted);
    this.ask(id, conducted.run);
  }

  private ask(id: SubscriptionId, run: SubscriptionRun): void {
    this.runs.start(subscriptionWorkflowId(id), this.call(id, run, this.activities.decide));
  }

  /** Runs an activity of a subscription, and then the step that it returns. */
  private call(id: SubscriptionId, run: SubscriptionRun, activity: Call, isRepeated = true): Next {
    const at = this.clock.now() + run.countStep();
    const work = async () => {
      run.beginActivity();
      const step = await activity(run.reference()).catch((error: unknown) => {
        if (isRepeated && !endsWithoutResult(error, run)) throw error;
        return null;
      });
      return this.carryOut(id, run, run.take(step));
    };
    return { at, work };
  }

  /** @param step null if the ledger must be asked */
  private carryOut(id: SubscriptionId, run: SubscriptionRun, step: Step | null): Next | null {
    const { activities } = this;
    this.deliver(this.clock.now());
    if (step === null) return this.call(id, run, activities.decide);
    switch (step.kind) {
      case 'request_consent':
        return this.call(id, run, activities.requestConsent, !IS_REPEATED);
      case 'await_consent':
        return this.call(id, run, activities.awaitConsent);
      case 'cancel_consent':
        return this.call(id, run, activities.cancelConsent);
      case 'collect':
        return this.collect(id, run, step, step.attempt);
      case 'follow':
        if (step.attempt !== undefined) this.follow(id, run, step.attempt);
        return this.call(id, run, activities.decide);
      case 'wait':
        return this.wait(id, run, step);
      case 'finish':
        this.subscriptions.delete(id);
        return null;
      case 'follow_payment':
      case 'release':
        throw new Error(`${step.kind} is not a step of a subscription`);
    }
  }

  private collect(id: SubscriptionId, run: SubscriptionRun, { on }: Step, attempt: AttemptRef | undefined): Next {
    const { decide, collectPayment } = this.activities;
    if (attempt === undefined) return this.call(id, run, decide);
    const collect: Call = (input) => collectPayment({ ...input, ...attempt });
    return on === 'here' ? this.callHere(id, run, collect) : this.call(id, run, collect);
  }

  /**
   * An activity that fails with an `ApplicationFailure` is called again on the queue. Any other error simulates the
   * death of the worker during its workflow task, which is then repeated.
   */
  private callHere(id: SubscriptionId, run: SubscriptionRun, activity: Call): Next {
    const onQueue = this.call(id, run, activity);
    const work = async () => {
      run.beginActivity();
      try {
        return this.carryOut(id, run, run.take(await activity(run.reference())));
      } catch (error) {
        if (!(error instanceof ApplicationFailure)) throw error;
        return run.isChanged ? this.carryOut(id, run, null) : { at: this.clock.now(), work: onQueue.work };
      }
    };
    return { at: onQueue.at, work, isLocal: true };
  }

  private wait(id: SubscriptionId, run: SubscriptionRun, step: Step): Next {
    const { until = null, then } = step;
    const conducted = this.subscriptions.get(id);
    if (conducted !== undefined) conducted.waitsSince = this.clock.realNow();
    const work = async () => {
      if (conducted !== undefined) this.endWait(conducted);
      return this.collect(id, run, step, then);
    };
    if (until !== null && until <= this.clock.now()) run.noteEarlyWait(until);
    return { at: until ?? UNTIL_CHANGED, work };
  }

  private endWait(conducted: Conducted): void {
    if (conducted.waitsSince !== null) conducted.run.noteWait(this.clock.realNow() - conducted.waitsSince);
    conducted.waitsSince = null;
  }

  private follow(id: SubscriptionId, run: SubscriptionRun, attempt: AttemptRef): void {
    const input = { subscriptionId: id, ...attempt, ...run.marked(), revision: 0, followed: [] };
    const work = async (): Promise<Next | null> => {
      const { kind, revision } = await this.activities.followAttempt(input);
      if (kind !== 'finish') return { at: this.clock.now(), work };
      this.signal(id, revision);
      return null;
    };
    run.follow(attempt);
    this.beginOnce(attemptWorkflowId(id, attempt), work);
  }

  /** Failed deliveries are retried when they are due. */
  private deliver(at: Instant): void {
    const work = async (): Promise<Next | null> => {
      const next = await this.deliverNotices(async (id, revision) => this.signal(id, revision));
      return next === null ? null : { at: next, work };
    };
    this.runs.start(NOTICES, { at, work });
  }

  private beginOnce(workflowId: string, work: Next['work']): void {
    if (!this.runs.has(workflowId)) this.runs.start(workflowId, { at: this.clock.now(), work });
  }
}

const IS_REPEATED = true;

/** Whether the activity ends without a result: it must not be repeated, or was asked to stop meanwhile. */
function endsWithoutResult(error: unknown, run: SubscriptionRun): boolean {
  return error instanceof ApplicationFailure && (error.nonRetryable === true || run.isChanged);
}

/** Delivers the notices of a ledger as the outbox does. */
export function deliveringFrom(outbox: Omit<NoticeDeps, 'notify'>): DeliverNotices {
  const { clock, db } = outbox;
  return async (notify) => {
    await deliverDueNotices({ ...outbox, notify });
    const next = await nextNoticeTry(db);
    // Real time passes at the speed of business time here.
    return next === null ? null : clock.now() + Math.max(0, next - clock.realNow());
  };
}
