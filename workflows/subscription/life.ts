import { condition, patched, setHandler } from '@temporalio/workflow';
import type { CollectInput, NotifyInput } from '../../src/contract/activities';
import { noticeSignal, stateQuery, steeredSignal, type SubscriptionInput } from '../../src/contract/messages';
import { announcedAnew } from '../../src/domain/subscription/pending-change';
import { type Closing, nextStep, type Step } from '../../src/domain/subscription/next-step';
import { isHeld } from '../../src/domain/subscription/pauses';
import { hasGoneFurther, knowsMore } from '../../src/domain/subscription/restored-state';
import {
  type CollectPlan,
  type CollectResult,
  isTerminal,
  type PendingAttempt,
  type SubscriptionState,
} from '../../src/domain/subscription/state';
import {
  afterClosing,
  afterCollect,
  afterNotice,
  afterPending,
  endConsent,
  nextDueAt,
  startAttempt,
  startDunning,
} from '../../src/domain/subscription/transitions';
import { MINUTE } from '../../src/domain/time';
import { plannedFor, whyNow, whyThen } from '../../src/domain/trail/grounds';
import { collectPayment, notifyPayer } from '../activities';
import { AmountChanges } from './amounts';
import { Cancelling } from './cancelling';
import { ConsentPhase, Replacing } from './consent';
import { LEDGER_FIRST, SubscriptionContext } from './context';
import { describePlan, describeStep } from './details';
import { cancelledDecision, closingDecision, pendingDecision, resultDecision } from './ledger-changes';
import { Pausing } from './pausing';
import { Resolving, SubscriptionRequests } from './requests';

/** Why a cycle fails though no answer of the bank has ended it. */
const CUT_SHORT = ['consent_ended', 'paused', 'out_of_time'] as const;

/** Histories from before it take whatever an attempt past its window is answered with for a refusal. */
const FOLLOWED_TO_ITS_END = 'what is pending past its window is followed to its end';

/** Carries out, one after the other, what {@link nextStep} decides. */
export class SubscriptionLife {
  private readonly context: SubscriptionContext;
  private readonly consent: ConsentPhase;
  private readonly pausing: Pausing;
  private readonly cancelling: Cancelling;
  private readonly amounts: AmountChanges;
  private readonly resolving: Resolving;
  private readonly replacing: Replacing;

  constructor(input: SubscriptionInput) {
    this.context = new SubscriptionContext(input);
    this.pausing = new Pausing(this.context);
    this.cancelling = new Cancelling(this.context);
    this.context.whenHeard = () => void this.cancelling.proceed();
    this.amounts = new AmountChanges(this.context);
    this.amounts.listen();
    this.resolving = new Resolving(this.context);
    this.replacing = new Replacing(this.context, this.cancelling);
    this.replacing.listen();
    this.consent = new ConsentPhase(this.context, this.replacing);
    new SubscriptionRequests(this.context, this.consent, this.pausing, this.cancelling, this.resolving).listen();
    setHandler(steeredSignal, (revision) => this.context.hearOf(revision));
    setHandler(noticeSignal, () => {
      this.context.noticeNews += 1;
    });
    setHandler(stateQuery, () => this.state);
  }

  get state(): SubscriptionState {
    return this.context.stateToKeep;
  }

  /**
   * What another run goes on with: notifying the payer of an increase is begun again, and done once. It keeps of which cycle the
   * current amount is, also where this run began before that was kept.
   */
  get stateToContinue(): SubscriptionState {
    return announcedAnew({ ...this.state, currentOf: this.state.currentOf ?? null });
  }

  get idle(): boolean {
    return this.context.recorder.idle;
  }

  async begin(): Promise<void> {
    void this.cancelling.proceed();
    await this.consent.run();
    this.state.pending.forEach((attempt) => void this.follow(attempt));
  }

  /** One step; false where it was the last. */
  async goOn(): Promise<boolean> {
    if (this.state.paymentId === null) return false;
    if (this.context.recorder.isBehind) await this.context.turns.take(() => this.context.hear());
    const step = nextStep(this.state, this.context.now());
    // Nothing but waiting follows from what the ledger may yet refuse.
    if (step.kind !== 'wait' && this.context.isUnsettled()) {
      await this.context.settled();
      return true;
    }
    this.context.show(step);
    if (step.kind === 'finish') return false;
    if (step.kind === 'complete') return !(await this.complete());
    await this.execute(step);
    return true;
  }

  private async execute(step: Exclude<Step, { readonly kind: 'complete' | 'finish' }>): Promise<void> {
    switch (step.kind) {
      case 'wait':
        return this.context.sleepUntil(step.until, describeStep(step));
      case 'collect':
        return this.collect(step.plan);
      case 'notify':
        return this.notify(step);
      case 'close':
        return this.close(step);
      case 'resume':
        await this.pausing.resume({ actor: 'dueday', reason: 'the pause was to end then' }, step.at);
        return;
      case 'announce':
        void this.amounts.announce(step.change);
        return;
      case 'drop_change':
        return this.amounts.drop(step.change, step.cycle, step.reason);
    }
  }

  private async collect(plan: CollectPlan): Promise<void> {
    if (!plan.settleOnly && !this.idle && patched(LEDGER_FIRST)) {
      await condition(() => this.idle);
      return;
    }
    const begun = plan.settleOnly ? {} : this.beginning(plan);
    this.context.update(startAttempt(this.state, plan));
    this.context.attempting = plan;
    const result = await this.context.until(
      () => !this.resolving.isOpen(plan),
      () => this.attempt(plan, begun),
    );
    const isOver = result === null || (await this.resolving.hasDecided(plan));
    this.context.attempting = null;
    if (isOver) return;
    if (result.kind === 'collected') {
      this.context.recorder.assumeCollected(plan);
    }
    const before = this.state;
    const followed = before.pending;
    const endHeardAt = result.kind === 'consent_ended' ? this.context.endHeardAt() : null;
    this.context.update(afterCollect(before, plan, result, endHeardAt));
    const decision = resultDecision(before, this.state, plan, result);
    if (decision !== null) await this.context.record(decision);
    // The activity writes the next due date as planned; a pause during the attempt has moved it.
    else if (result.kind === 'collected' && this.context.recorder.lags(this.state)) {
      await this.context.record({ events: [] });
    }
    if (result.kind === 'held') await this.standBy(result.why === 'no_notice' ? plan : null);
    else this.followNew(followed);
  }

  /**
   * The ledger holds what this state does not: steered a moment ago, or this workflow was reset (rule 4).
   * @param unnotified the retry that the ledger refused for want of a notice; asked again at most once a minute
   */
  private async standBy(unnotified: CollectPlan | null): Promise<void> {
    if (isHeld(this.state)) return;
    if (patched(LEDGER_FIRST)) await this.continueFromLedger(() => true);
    else await this.context.sleepUntil(this.context.now() + MINUTE, 'held in the ledger');
    const next = nextStep(this.state, this.context.now());
    const isSame = next.kind === 'collect' && next.plan.attempt === unnotified?.attempt && !next.plan.settleOnly;
    if (isSame) await this.context.sleepUntil(this.context.now() + MINUTE, 'the ledger has no notice for this retry');
  }

  private async continueFromLedger(isMore: (ledger: SubscriptionState) => boolean): Promise<boolean> {
    const followed = this.state.pending;
    const taken = await this.context.continueFromLedger(isMore);
    this.followNew(followed);
    return taken;
  }

  private followNew(followed: readonly PendingAttempt[]): void {
    this.state.pending.filter((each) => !followed.includes(each)).forEach((each) => void this.follow(each));
  }

  /** Read before the attempt changes the state. */
  private beginning(plan: CollectPlan): Pick<CollectInput, 'why' | 'plannedAt'> {
    const now = this.context.now();
    return { why: whyNow(this.state, plan, now), plannedAt: plannedFor(this.state, plan, now) };
  }

  private attempt(plan: CollectPlan, begun: Pick<CollectInput, 'why' | 'plannedAt'> = {}): Promise<CollectResult> {
    const { revision } = this.context.recorder;
    const { trailMark } = this.state;
    const known = trailMark === undefined ? { revision } : { revision, trailMark };
    const input: CollectInput = { ...this.context.reference, ...plan, ...known, ...begun };
    return collectPayment.executeWithOptions({ summary: describePlan(plan) }, [input]);
  }

  /** Polls an authorization that was pending past its window, beside the later cycles (rule 10). */
  private async follow(attempt: PendingAttempt): Promise<void> {
    const result = await this.attempt(attempt);
    // An operator has resolved it meanwhile.
    if (this.state.pending.every((each) => each.cycle !== attempt.cycle)) return;
    // The ledger lost what it knew of it: that is in doubt, and no failure.
    if (result.kind === 'unresolved' && patched(FOLLOWED_TO_ITS_END)) {
      return this.follow({ ...attempt, knownUnresolved: true });
    }
    this.context.update(afterPending(this.state, attempt, result));
    await this.context.record(pendingDecision(attempt, result));
    if (result.kind !== 'consent_ended' || isTerminal(this.state.status) || !patched(FOLLOWED_TO_ITS_END)) return;
    this.context.update(endConsent(this.state, result.by, this.context.endHeardAt()));
    await this.context.record(cancelledDecision(result.by, result.reason));
  }

  private async notify(step: Step & { kind: 'notify' }): Promise<void> {
    const { open } = this.state;
    if (open === null) return;
    this.context.update(startDunning(this.state));
    this.context.show(step);
    const nextDue = nextDueAt(this.state);
    this.context.recorder.assume({ dunning: true, nextDueAt: nextDue });
    const { rejection, retryAt, retriesLeft, retryUntil, dueAt, collectBy } = step;
    const input: NotifyInput = {
      ...this.context.reference,
      cycle: open.cycle,
      amount: open.amount,
      dueAt,
      collectBy,
      rejection,
      retryAt,
      retriesLeft,
      retryUntil,
      nextDueAt: nextDue,
      why: whyThen(open, rejection, collectBy, retryAt),
    };
    const { noticeNews } = this.context;
    const result = await this.context.until(
      // What is to be looked at anew is begun anew: the next step is the same, and finds what a person has done.
      () => this.state.cancellation !== null || isTerminal(this.state.status) || this.context.noticeNews !== noticeNews,
      () => notifyPayer.executeWithOptions({ summary: describeStep(step) }, [input]),
    );
    if (result !== null) this.context.update(afterNotice(this.state, result));
  }

  private async close(step: Closing): Promise<void> {
    if (await this.isKnownOtherwise(step)) return;
    const decision = closingDecision(this.state, step);
    const exhausted = step.reason === 'retries_used' || step.reason === 'no_time_left';
    this.context.update(afterClosing(this.state, step));
    const { stale } = await this.context.record(decision);
    if (stale) {
      await this.continueFromLedger(() => true);
      return;
    }
    if (exhausted && this.state.status === 'active' && this.state.cancellation === null)
      await this.onExhausted(step.cycle);
  }

  /**
   * The ledger is asked before a cycle is closed past its window, or cut short: what it has goes on from there, and an attempt
   * under way is never left alone (rules 4, 23, 24).
   */
  private async isKnownOtherwise({ cycle, status, reason }: Closing): Promise<boolean> {
    if (status === 'missed') {
      if (!patched(LEDGER_FIRST)) return false;
      const { revision } = this.context.recorder;
      const isOver = isTerminal(this.state.status) && patched('an end that both know is no news');
      return this.continueFromLedger((ledger) => knowsMore(ledger, { revision, cycle, isOver }));
    }
    const isCutShort = status === 'skipped' || CUT_SHORT.some((each) => each === reason);
    if (!isCutShort || !patched('what is cut short is asked of the ledger first')) return false;
    return this.continueFromLedger((ledger) => hasGoneFurther(ledger, this.state, cycle));
  }

  /** What was agreed for a cycle whose retries are exhausted (rule 15). */
  private async onExhausted(cycle: number): Promise<void> {
    const reason = `retries of cycle ${cycle} exhausted`;
    switch (this.state.terms.onExhausted) {
      case 'continue':
        return;
      case 'pause':
        await this.pausing.pause({ actor: 'dueday', reason, until: null });
        return;
      case 'cancel':
        // Where the subscription has ended by then, nothing is left to cancel.
        await this.cancelling.run({ actor: 'dueday', reason });
    }
  }

  /** False where it was steered in the ledger meanwhile, a cancellation above all: it goes on with that (rule 24). */
  private async complete(): Promise<boolean> {
    this.context.update({ ...this.state, pendingChange: null, status: 'completed' });
    const { stale } = await this.context.record({
      events: [{ type: 'subscription.completed', data: { cycles: this.state.cycle } }],
      notices: [{ type: 'subscription.completed', cycle: null, attempt: null, data: {} }],
      judged: true,
    });
    if (stale) await this.continueFromLedger(() => true);
    return !stale;
  }
}
