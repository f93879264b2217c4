import { setHandler } from '@temporalio/workflow';
import type { CollectInput, NotifyInput } from '../src/contract/activities';
import { stateQuery, type SubscriptionInput } from '../src/contract/messages';
import { type WhyNow, whyNow, whyThen } from '../src/domain/grounds';
import { MINUTE } from '../src/domain/instant';
import { type Closing, nextStep, type Step } from '../src/domain/next-step';
import { withdrawChange } from '../src/domain/pending-change';
import {
  type CollectPlan,
  type CollectResult,
  isTerminal,
  type PendingAttempt,
  type SubscriptionState,
} from '../src/domain/subscription';
import {
  afterClosing,
  afterCollect,
  afterNotice,
  afterPending,
  nextDueAt,
  startAttempt,
  startDunning,
} from '../src/domain/transitions';
import { collectPayment, notifyPayer } from './activity-options';
import { AmountChanges } from './amount-changes';
import { Cancelling } from './cancelling';
import { ConsentPhase } from './consent-phase';
import { closingDecision, pendingDecision, resultDecision } from './ledger-changes';
import { Replacing } from './replacing';
import { Resolving } from './resolving';
import { SubscriptionRequests } from './subscription-requests';
import { describePlan, describeStep } from './subscription-details';
import { SubscriptionContext } from './subscription-context';

/** Carries out, one after the other, what {@link nextStep} decides. */
export class SubscriptionLife {
  private readonly context: SubscriptionContext;
  private readonly consent: ConsentPhase;
  private readonly cancelling: Cancelling;
  private readonly amounts: AmountChanges;
  private readonly resolving: Resolving;
  private readonly replacing: Replacing;

  constructor(input: SubscriptionInput) {
    this.context = new SubscriptionContext(input);
    this.cancelling = new Cancelling(this.context);
    this.amounts = new AmountChanges(this.context);
    this.amounts.listen();
    this.resolving = new Resolving(this.context);
    this.replacing = new Replacing(this.context, this.cancelling);
    this.replacing.listen();
    this.consent = new ConsentPhase(this.context, this.replacing);
    new SubscriptionRequests(this.context, this.consent, this.cancelling, this.resolving).listen();
    setHandler(stateQuery, () => this.state);
  }

  get state(): SubscriptionState {
    return this.context.state;
  }

  get idle(): boolean {
    return this.context.recorder.idle;
  }

  async begin(): Promise<void> {
    await this.consent.run();
    this.state.pending.forEach((attempt) => void this.follow(attempt));
  }

  /** One step; false where it was the last. */
  async goOn(): Promise<boolean> {
    if (this.state.paymentId === null) return false;
    const step = nextStep(this.state, this.context.now());
    this.context.show(step);
    await this.carryOut(step);
    return step.kind !== 'complete' && step.kind !== 'finish';
  }

  private async carryOut(step: Step): Promise<void> {
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
        await this.context.resume({ actor: 'dueday', reason: 'the pause was to end then' }, step.at);
        return;
      case 'announce':
        void this.amounts.announce(step.change);
        return;
      case 'drop_change':
        return this.amounts.drop(step.change, step.cycle, step.reason);
      case 'complete':
        return this.complete();
      case 'finish':
        return;
    }
  }

  private async collect(plan: CollectPlan): Promise<void> {
    const why = plan.settleOnly ? undefined : whyNow(this.state, plan, this.context.now());
    this.context.update(startAttempt(this.state, plan));
    const result = await this.context.until(
      () => !this.resolving.isOpen(plan),
      () => this.attempt(plan, why),
    );
    if (result === null) return;
    if (result.kind === 'collected') {
      this.context.recorder.assumeCollected(plan);
    }
    const before = this.state;
    this.context.update(afterCollect(before, plan, result));
    const decision = resultDecision(before, this.state, plan, result);
    if (decision !== null) await this.context.record(decision);
    // The activity writes the next due date as planned; a pause that came meanwhile has moved it.
    else if (result.kind === 'collected' && this.context.recorder.lags(this.state)) {
      await this.context.record({ events: [] });
    }
    const parked = this.state.pending.find((attempt) => attempt.cycle === plan.cycle);
    if (result.kind === 'held') await this.standBy();
    if (result.kind === 'pending' && parked !== undefined) void this.follow(parked);
  }

  /** The ledger holds what this state does not: a reset workflow. Slowly asked again, until a person lifts the hold. */
  private async standBy(): Promise<void> {
    const held = this.state.status === 'paused' || this.state.cancellation !== null;
    if (!held) await this.context.sleepUntil(this.context.now() + MINUTE, 'held in the ledger');
  }

  private attempt(plan: CollectPlan, why?: WhyNow): Promise<CollectResult> {
    const input: CollectInput = { ...this.context.reference, ...plan, ...(why === undefined ? {} : { why }) };
    return collectPayment.executeWithOptions({ summary: describePlan(plan) }, [input]);
  }

  /** Polls an authorization that was pending past its window, beside the later cycles (decisions 10). */
  private async follow(attempt: PendingAttempt): Promise<void> {
    const result = await this.attempt(attempt);
    this.context.update(afterPending(this.state, attempt, result));
    await this.context.record(pendingDecision(attempt, result));
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
      ...{ cycle: open.cycle, amount: open.amount, dueAt, collectBy },
      ...{ rejection, retryAt, retriesLeft, retryUntil, nextDueAt: nextDue },
      why: whyThen(open, rejection, collectBy, retryAt),
    };
    const result = await this.context.until(
      () => this.state.cancellation !== null || isTerminal(this.state.status),
      () => notifyPayer.executeWithOptions({ summary: describeStep(step) }, [input]),
    );
    if (result !== null) this.context.update(afterNotice(this.state, result));
  }

  private async close(step: Closing): Promise<void> {
    const decision = closingDecision(this.state, step);
    const exhausted = step.reason === 'retries_used' || step.reason === 'no_time_left';
    this.context.update(afterClosing(this.state, step));
    await this.context.record(decision);
    if (exhausted && this.state.status === 'active' && this.state.cancellation === null)
      await this.onExhausted(step.cycle);
  }

  /** What was agreed for a cycle whose retries are exhausted (decisions 15). */
  private async onExhausted(cycle: number): Promise<void> {
    const reason = `retries of cycle ${cycle} exhausted`;
    switch (this.state.terms.onExhausted) {
      case 'continue':
        return;
      case 'pause':
        await this.context.pause({ actor: 'dueday', reason, until: null });
        return;
      case 'cancel':
        return this.cancelling.run({ actor: 'dueday', reason });
    }
  }

  private async complete(): Promise<void> {
    this.context.update({ ...withdrawChange(this.state), status: 'completed' });
    await this.context.record({
      events: [{ type: 'subscription.completed', data: { cycles: this.state.cycle } }],
      notices: [{ type: 'subscription.completed', cycle: null, attempt: null, data: {} }],
    });
  }
}
