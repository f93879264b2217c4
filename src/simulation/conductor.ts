import { ApplicationFailure } from '@temporalio/common';
import type { createActivities } from '../../activities';
import { type RefundInput, refundWorkflowId } from '../contract/payments';
import type { AttemptRef, Step, StepInput } from '../contract/steps';
import { SubscriptionRun } from '../contract/subscription-run';
import { attemptWorkflowId, subscriptionWorkflowId } from '../contract/workflows';
import type { SubscriptionId } from '../domain/ids';
import type { Instant } from '../domain/time';
import { deliverDueNotices, type NoticeDeps } from '../jobs/deliver-notices';
import { nextNoticeTry } from '../ledger';
import { ActivityRuns, type Next, type PauseAfterFault } from './activity-runs';
import type { HandClock } from './hand-clock';

type ConductedActivities = Pick<
  ReturnType<typeof createActivities>,
  'decide' | 'requestConsent' | 'awaitConsent' | 'cancelConsent' | 'collectPayment' | 'followAttempt' | 'refundPayment'
>;

type Call = (input: StepInput) => Promise<Step>;

/**
 * Delivers the notices that are due.
 * @param notify notifies the workflow of a subscription that waits for one
 * @returns when the next one is due; null if none waits
 */
export type DeliverNotices = (
  notify: (id: SubscriptionId, revision: number) => Promise<void>,
) => Promise<Instant | null>;

/** The workflow of a subscription that runs. */
interface Conducted {
  readonly run: SubscriptionRun;
  /** Since when it waits between two steps, real ms; null while it does not. */
  restsSince: number | null;
}

const UNTIL_CHANGED = Infinity;
const NOTICES = 'notices';

/** A fault is a defect, and ends what it comes up in. */
const throwFault: PauseAfterFault = (fault) => {
  throw fault;
};

/**
 * Carries out the steps of subscriptions as `workflows/subscription.ts` does, follows attempts and makes refunds as their workflows
 * do, and delivers notices, without Temporal: with the activities of the worker, on a clock that is set by hand.
 */
export class Conductor {
  private readonly runs: ActivityRuns;
  private readonly subscriptions = new Map<SubscriptionId, Conducted>();

  /** @param clock that of the activities, whose business time runs as fast as real time */
  constructor(
    private readonly clock: HandClock,
    private readonly activities: ConductedActivities,
    private readonly deliverNotices: DeliverNotices,
    pauseAfterFault: PauseAfterFault = throwFault,
  ) {
    this.runs = new ActivityRuns(clock, pauseAfterFault);
  }

  /** Lets time pass, and all that is due before the instant happen. @throws the fault of an activity */
  passUntil(at: Instant): Promise<void> {
    return this.runs.passUntil(at);
  }

  isRunning(id: SubscriptionId): boolean {
    return this.subscriptions.has(id);
  }

  /** Of any workflow that is conducted here. */
  isWorkflowRunning(workflowId: string): boolean {
    return this.runs.has(workflowId);
  }

  /** Starts the workflow of a subscription, unless it runs. */
  start(id: SubscriptionId): void {
    if (this.isRunning(id)) return;
    const run = new SubscriptionRun({ subscriptionId: id, clock: this.clock.setting });
    this.subscriptions.set(id, { run, restsSince: null });
    this.ask(id, run);
  }

  /**
   * The signal `changed`, which starts a workflow that does not run. One that runs leaves its timer, or the pause of its activity,
   * and asks the ledger; an activity with a run under way ends with its result.
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
    this.runs.begin(refundWorkflowId(input.refundId), { at: this.clock.now(), work });
  }

  /** One that has ended needs no signal. */
  private signal(id: SubscriptionId, revision: number): void {
    const conducted = this.subscriptions.get(id);
    if (conducted === undefined) return;
    conducted.run.handleChanged(revision);
    if (this.runs.isUnderWay(subscriptionWorkflowId(id))) return;
    this.endRest(conducted);
    this.ask(id, conducted.run);
  }

  private ask(id: SubscriptionId, run: SubscriptionRun): void {
    this.runs.begin(subscriptionWorkflowId(id), this.call(id, run, this.activities.decide));
  }

  /** An activity of a subscription, and then the step that it ends with. */
  private call(id: SubscriptionId, run: SubscriptionRun, activity: Call, isRepeated = true): Next {
    const at = this.clock.now() + run.countStep();
    const work = async () => {
      run.beginActivity();
      const step = await activity(run.reference()).catch((error: unknown) => {
        if (isRepeated && !isOver(error, run)) throw error;
        return null;
      });
      return this.carryOut(id, run, run.take(step));
    };
    return { at, work };
  }

  /** @param step null if the ledger has to be asked */
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
        return this.collect(id, run, step.attempt);
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
        throw new Error(`${step.kind} is no step of a subscription`);
    }
  }

  private collect(id: SubscriptionId, run: SubscriptionRun, attempt: AttemptRef | undefined): Next {
    const { decide, collectPayment } = this.activities;
    if (attempt === undefined) return this.call(id, run, decide);
    return this.call(id, run, (input) => collectPayment({ ...input, ...attempt }));
  }

  private wait(id: SubscriptionId, run: SubscriptionRun, { until = null, then }: Step): Next {
    const conducted = this.subscriptions.get(id);
    if (conducted !== undefined) conducted.restsSince = this.clock.realNow();
    const work = async () => {
      if (conducted !== undefined) this.endRest(conducted);
      return this.collect(id, run, then);
    };
    if (until !== null && until <= this.clock.now()) run.cameEarly();
    return { at: until ?? UNTIL_CHANGED, work };
  }

  private endRest(conducted: Conducted): void {
    if (conducted.restsSince !== null) conducted.run.rested(this.clock.realNow() - conducted.restsSince);
    conducted.restsSince = null;
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

  /** What could not be delivered is tried again when it is due. */
  private deliver(at: Instant): void {
    const work = async (): Promise<Next | null> => {
      const next = await this.deliverNotices(async (id, revision) => this.signal(id, revision));
      return next === null ? null : { at: next, work };
    };
    this.runs.begin(NOTICES, { at, work });
  }

  private beginOnce(workflowId: string, work: Next['work']): void {
    if (!this.runs.has(workflowId)) this.runs.begin(workflowId, { at: this.clock.now(), work });
  }
}

const IS_REPEATED = true;

/** Whether the activity ends without a result: it is not to be repeated, or was asked to stop meanwhile. */
function isOver(error: unknown, run: SubscriptionRun): boolean {
  return error instanceof ApplicationFailure && (error.nonRetryable === true || run.isChanged);
}

/** Delivers the notices of a ledger as the outbox does. */
export function deliveringFrom(outbox: Omit<NoticeDeps, 'notify'>): DeliverNotices {
  const { clock, db } = outbox;
  return async (notify) => {
    await deliverDueNotices({ ...outbox, notify });
    const next = await nextNoticeTry(db);
    // Real time passes as fast as business time here.
    return next === null ? null : clock.now() + Math.max(0, next - clock.realNow());
  };
}
