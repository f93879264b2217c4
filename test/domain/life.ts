import type { Instant } from '../../src/domain/time';
import { nextStep, planToSettle } from '../../src/domain/subscription/next-step';
import type { AttemptNumber, Closing, Step } from '../../src/domain/subscription/step';
import {
  acknowledge,
  afterConsent,
  refuseAcknowledge,
  refuseCancel,
  refusePause,
  refuseResume,
  startCancelling,
} from '../../src/domain/subscription/requests';
import { pause, resume } from '../../src/domain/subscription/pauses';
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
  afterPending,
  endConsent,
  startDunning,
} from '../../src/domain/subscription/transitions';
import type { Message, Script } from './life-script';
import type { Interval, Life, Outcome, Post, Refusal } from './life-record';
import { type Answered, ScriptedService, type World } from './scripted-service';
import { afterNotice, isLast, newSubscription, startAttempt } from './steps-of-a-life';

type Event =
  | Message
  | { readonly kind: 'confirmed'; readonly at: Instant }
  | {
      readonly kind: 'settled';
      readonly at: Instant;
      readonly attempt: PendingAttempt;
      readonly result: CollectResult;
    };

const MAX_STEPS = 20_000;

/** Simulates the life that a script describes, to its end. @throws Error if a step visibly breaks a rule of the domain */
export function live(script: Script): Life {
  return new LifeSimulation(script).run();
}

class LifeSimulation implements World {
  now: Instant;
  consentGoneAt: Instant | null = null;
  private state: SubscriptionState;
  private events: Event[];
  private readonly service: ScriptedService;
  private readonly notices: (number | null)[];
  private readonly log = {
    posts: [] as Post[],
    refusals: [] as Refusal[],
    noticed: [] as { cycle: number; attempt: number; at: Instant }[],
    outcomes: [] as Outcome[],
    pauses: [] as { from: Instant; to: Instant }[],
    hindrances: [] as Interval[],
    exhausted: [] as number[],
  };

  constructor(private readonly script: Script) {
    this.state = newSubscription({ terms: script.terms, policy: script.policy, spread: script.spread, replaces: null });
    this.now = script.grantedAt;
    this.events = [...script.messages].sort((a, b) => a.at - b.at);
    this.service = new ScriptedService(this, script.answers);
    this.notices = [...script.notices];
    this.log.hindrances.push({ from: -Infinity, to: script.grantedAt }, ...script.outages);
  }

  get isStopped(): boolean {
    return this.state.status === 'paused' || this.state.cancellation !== null;
  }

  run(): Life {
    const first = nextStep(this.state, this.now);
    if (first.kind !== 'await_consent') throw new Error(`goes on without a consent: ${JSON.stringify(first)}`);
    this.state = afterConsent(this.state, { kind: 'granted' });
    this.passTo(this.now);
    for (let steps = 0; steps < MAX_STEPS; steps += 1) {
      const before = { state: this.state, now: this.now };
      const followed = this.followed();
      const step = nextStep(this.state, this.now, followed);
      if (step.kind === 'complete' || step.kind === 'finish') return this.ended(step.kind);
      this.execute(step);
      const isUnchanged = this.now === before.now && JSON.stringify(this.state) === JSON.stringify(before.state);
      if (isUnchanged) throw new Error(`a hot loop: ${JSON.stringify(step)} changes nothing at ${this.now}`);
    }
    throw new Error(`the life has not ended after ${MAX_STEPS} steps`);
  }

  private ended(kind: 'complete' | 'finish'): Life {
    if (kind === 'complete') this.state = { ...this.state, status: 'completed' };
    return {
      ...this.log,
      script: this.script,
      state: this.state,
      endedAt: this.now,
      consentGoneAt: this.consentGoneAt,
    };
  }

  private execute(step: Step): void {
    switch (step.kind) {
      case 'wait': {
        this.wait(step.until);
        return;
      }
      case 'collect': {
        this.collect(step.plan);
        return;
      }
      case 'notify': {
        this.notify(step.rejection.attempt, step.retryUntil);
        return;
      }
      case 'close': {
        this.close(step);
        return;
      }
      case 'resume':
        this.state = resume(this.state, step.at);
        this.endPause(step.at);
        return;
      case 'cancel_consent':
        // The next event may be the service's confirmation.
        this.wait(null);
        return;
      case 'await_consent':
      case 'follow':
      case 'announce':
      case 'drop_change':
        throw new Error(`the test expected no ${step.kind}`);
      case 'complete':
      case 'finish':
        return;
    }
  }

  /**
   * The attempts that are followed beside the current cycle; events settle them. When the subscription ends, an attempt of the
   * open cycle with an unknown outcome is settled first.
   */
  private followed(): readonly AttemptNumber[] {
    const { open } = this.state;
    const isEnding = this.state.cancellation !== null || isTerminal(this.state.status);
    if (open === null || open.unsettled === 'none' || !isEnding) return this.state.pending;
    const plan = planToSettle(this.state, open.cycle, this.now);
    if (plan === null) throw new Error('an attempt with an unknown outcome cannot be settled');
    this.collect(plan);
    return this.followed();
  }

  private wait(until: Instant | null): void {
    if (until !== null && until <= this.now) throw new Error(`a wait until ${until} at ${this.now}`);
    const next = this.events[0]?.at;
    if (until === null && next === undefined) throw new Error('sleeps for ever');
    this.passTo(Math.min(until ?? Infinity, Math.max(this.now, next ?? Infinity)));
  }

  /** Lets time pass to an instant, or to the end of an outage that it lies in, and handles the events until then in order. */
  passTo(instant: Instant): void {
    let to = Math.max(this.now, instant);
    for (const outage of this.script.outages) if (outage.from <= to && to < outage.to) to = outage.to;
    for (let event = this.events[0]; event !== undefined && event.at <= to; event = this.events[0]) {
      this.events.shift();
      this.now = Math.max(this.now, this.running(event.at));
      this.take(event);
    }
    this.now = to;
  }

  private running(instant: Instant): Instant {
    return this.script.outages.reduce(
      (time, outage) => (outage.from <= time && time < outage.to ? outage.to : time),
      instant,
    );
  }

  private take(event: Event): void {
    switch (event.kind) {
      case 'pause': {
        const until = event.lasts === null ? null : this.now + event.lasts;
        if (refusePause(this.state, until, this.now) === null) this.pauseUntil(until);
        return;
      }
      case 'resume':
        if (refuseResume(this.state) !== null) return;
        this.state = resume(this.state, this.now);
        {
          this.endPause(this.now);
          return;
        }
      case 'cancel':
        if (refuseCancel(this.state) === null) this.cancel(event.confirmedAfter);
        return;
      case 'payer_cancels':
        this.consentGoneAt ??= this.now;
        if (event.isSeen) this.state = endConsent(this.state, 'payer', this.now);
        return;
      case 'confirmed':
        this.consentGoneAt ??= this.now;
        this.state = endConsent(this.state, 'merchant');
        return;
      case 'retry_now':
        if (this.state.open?.rejection?.retryable === true)
          this.state = { ...this.state, open: { ...this.state.open, retryFrom: this.now } };
        return;
      case 'acknowledge':
        if (refuseAcknowledge(this.state) === null) this.state = acknowledge(this.state);
        return;
      case 'settled': {
        this.settlePending(event.attempt, event.result);
        return;
      }
    }
  }

  private pauseUntil(until: Instant | null): void {
    this.state = pause(this.state, this.now, until);
    this.log.pauses.push({ from: this.now, to: until ?? Infinity });
  }

  private endPause(at: Instant): void {
    const last = this.log.pauses.at(-1);
    if (last !== undefined) last.to = Math.min(last.to, at);
  }

  private cancel(confirmedAfter: number): void {
    if (this.state.status === 'cancelled' || this.state.cancellation !== null) return;
    this.state = startCancelling(this.state, { at: this.now, actor: 'merchant', reason: null });
    this.expect({ kind: 'confirmed', at: this.now + confirmedAfter });
  }

  private expect(event: Event): void {
    this.events = [...this.events, event].sort((a, b) => a.at - b.at);
  }

  private collect(plan: CollectPlan): void {
    if (!plan.settleOnly) this.checkPlan(plan);
    this.state = startAttempt(this.state, plan);
    const result = plan.settleOnly ? this.service.settle(plan) : this.service.attempt(plan);
    if (result.kind === 'collected') this.outcome(plan.cycle, 'collected', '');
    if (result.kind === 'rejected') this.refusal(plan, result.at, result.retryable);
    if (result.kind === 'consent_ended') this.consentGoneAt ??= this.now;
    this.state = this.afterAnswer(plan, result);
    const parked = this.state.pending.find((each) => each.cycle === plan.cycle);
    if (result.kind === 'pending' && parked !== undefined) {
      const { result: final, settledAt } = this.service.takeUnknown();
      this.expect({ kind: 'settled', at: settledAt, attempt: parked, result: final });
    }
  }

  /** The state after an answer, changed in the order of the ledger's writes: first the refusal, then the end of the consent. */
  private afterAnswer(plan: CollectPlan, result: Answered): SubscriptionState {
    if (result.kind === 'window_closed' || result.kind === 'stopped' || result.kind === 'reopened') return this.state;
    if (result.kind !== 'consent_ended') return afterCollect(this.state, plan, result);
    const { refusal, by } = result;
    const refused =
      refusal === undefined ? this.state : afterCollect(this.state, plan, { kind: 'rejected', ...refusal });
    return endConsent(refused, by, this.now);
  }

  private checkPlan(plan: CollectPlan): void {
    const { state, now } = this;
    const faults = [
      now < plan.dueAt && 'before the due date',
      now >= plan.sendBefore && 'at or past the limit',
      plan.sendBefore > plan.collectBy - this.script.policy.transit && 'with a limit past the window',
      this.isPaused(now) && 'while paused',
      state.cancellation !== null && 'while being cancelled',
      isTerminal(state.status) && 'after the end',
      this.service.hasUnknownOutcome && 'while the outcome of another is unknown',
    ].filter((fault) => fault !== false);
    if (faults.length > 0) throw new Error(`a collect plan ${faults.join(', ')}: ${JSON.stringify(plan)} at ${now}`);
  }

  private isPaused(instant: Instant): boolean {
    return this.log.pauses.some(({ from, to }) => from <= instant && instant < to);
  }

  post(plan: CollectPlan, debits: boolean): void {
    this.checkPlan(plan);
    this.log.posts.push({ cycle: plan.cycle, attempt: plan.attempt, cents: plan.amount.value, at: this.now, debits });
  }

  hindered(lasts: number): void {
    this.log.hindrances.push({ from: this.now, to: this.now + lasts });
  }

  private refusal(plan: CollectPlan, at: Instant, retryable: boolean): void {
    this.log.refusals.push({ cycle: plan.cycle, attempt: plan.attempt, at, retryable });
  }

  private notify(attempt: number, retryUntil: Instant): void {
    const { open } = this.state;
    if (open === null) throw new Error('a notice about no cycle');
    this.state = startDunning(this.state);
    const takes = this.notices.length === 0 ? 0 : (this.notices.shift() ?? Infinity);
    this.passTo(Math.min(this.now + takes, Math.max(this.now, retryUntil)));
    if (this.state.cancellation !== null || isTerminal(this.state.status)) return;
    if (takes === Infinity || this.now > retryUntil) {
      this.state = afterNotice(this.state, { kind: 'undeliverable', reason: 'no such address' });
    } else {
      this.log.noticed.push({ cycle: open.cycle, attempt, at: this.now });
      this.state = afterNotice(this.state, { kind: 'delivered', at: this.now });
    }
  }

  private close(step: Closing): void {
    this.outcome(step.cycle, step.status, step.reason);
    this.state = afterClosing(this.state, step);
    const isExhausted = step.reason === 'retries_used' || step.reason === 'no_time_left';
    if (!isExhausted) return;
    this.log.exhausted.push(step.cycle);
    if (this.state.status !== 'active' || this.state.cancellation !== null) return;
    if (this.script.terms.onExhausted === 'pause') this.pauseUntil(null);
    if (this.script.terms.onExhausted === 'cancel') this.cancel(1000);
  }

  private settlePending(attempt: PendingAttempt, result: CollectResult): void {
    const collected = result.kind === 'collected';
    this.outcome(attempt.cycle, collected ? 'collected_late' : 'failed_late', collected ? '' : result.kind);
    this.state = afterPending(this.state, attempt, result, isLast(this.state, attempt));
  }

  private outcome(cycle: number, outcome: Outcome['outcome'], reason: string): void {
    this.log.outcomes.push({ cycle, outcome, reason, at: this.now });
  }
}
