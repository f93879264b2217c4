import {
  CancellationScope,
  condition,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { ApplicationFailure } from '@temporalio/common';
import type { PaymentRef } from '../src/contract/activities';
import type { PauseRequest, Request, SubscriptionInput } from '../src/contract/messages';
import { DUEDAY_REPETITION, DUEDAY_STANDING, DUEDAY_STATUS } from '../src/contract/search-attributes';
import { realDelay, toBusiness } from '../src/domain/business-clock';
import { type Instant, toIso } from '../src/domain/instant';
import type { Step } from '../src/domain/next-step';
import { currentPause } from '../src/domain/pauses';
import { pause, type Refusal, refusePause, refuseResume, resume } from '../src/domain/requests';
import { standingOf } from '../src/domain/standing';
import { type SubscriptionState, upToDate } from '../src/domain/subscription';
import type { Decision } from './ledger-changes';
import { LedgerRecorder } from './ledger-recorder';
import { describeState } from './subscription-details';
import { Turns } from './turns';

/** The state of one subscription, its time, and the ways in which the state changes and is shown. */
export class SubscriptionContext {
  /** Requests change the state one at a time, in the order of their arrival (decisions 25). */
  readonly turns = new Turns();
  readonly recorder: LedgerRecorder;
  private current: SubscriptionState;
  private changes = 0;

  constructor(private readonly input: SubscriptionInput) {
    this.current = upToDate(input.state);
    this.recorder = new LedgerRecorder(this.current);
  }

  get state(): SubscriptionState {
    return this.current;
  }

  /** @throws Error before the service has opened the payment: nothing that needs it runs then. */
  get reference(): PaymentRef {
    const { terms, paymentId } = this.current;
    if (paymentId === null) throw new Error(`subscription ${terms.subscriptionId} has no payment yet`);
    return { subscriptionId: terms.subscriptionId, paymentId };
  }

  /** Business time, from the workflow's own deterministic time. */
  now(): Instant {
    // eslint-disable-next-line no-restricted-syntax -- inside a workflow Date is the workflow's own time
    return toBusiness(this.input.clock, Date.now());
  }

  /** Takes a new state and wakes whoever waits for news. */
  update(state: SubscriptionState): void {
    this.current = state;
    this.changes += 1;
    this.mark();
  }

  /** Waits until the instant, or until the state changes; null: only for a change. */
  async sleepUntil(until: Instant | null, summary: string): Promise<void> {
    const seen = this.changes;
    const changed = () => this.changes !== seen;
    if (until === null) return condition(changed);
    // eslint-disable-next-line no-restricted-syntax -- inside a workflow Date is the workflow's own time
    const delay = realDelay(this.input.clock, Date.now(), until);
    if (delay > 0) await condition(changed, delay, { summary });
  }

  /** The work's result, or null where `stop` came true first; the work is cancelled then. */
  async until<T>(stop: () => boolean, work: () => Promise<T>): Promise<T | null> {
    const scope = new CancellationScope();
    const result = await scope.run(() => Promise.race([work(), condition(stop).then(() => null)]));
    scope.cancel();
    return result;
  }

  record(decision: Decision): Promise<void> {
    return this.recorder.write(this.current, this.now(), decision);
  }

  /** Null where it is paused now; the refusal where, when its turn came, it could not be. */
  async pause(request: PauseRequest): Promise<Refusal | null> {
    return this.turns.take(async () => {
      const now = this.now();
      const refusal = refusePause(this.current, request.until, now);
      if (refusal !== null) return refusal;
      this.update(pause(this.current, now, request.until));
      const data = { reason: request.reason, until: request.until === null ? null : toIso(request.until) };
      await this.record({
        actor: request.actor,
        events: [{ type: 'subscription.paused', data }],
        hold: 'pause',
        notices: [{ type: 'subscription.paused', cycle: null, attempt: null, data }],
      });
      return null;
    });
  }

  /**
   * Null where it is resumed. The ledger's hold is lifted first, so that no attempt begun at once is held by it; never
   * one of a cancellation, which may have come first.
   */
  async resume(request: Request, at: Instant): Promise<Refusal | null> {
    return this.turns.take(async () => {
      const refusal = refuseResume(this.current);
      if (refusal !== null) return refusal;
      const since = currentPause(this.current)?.since ?? at;
      const data = { reason: request.reason, at: toIso(at) };
      await this.recorder.write(resume(this.current, at), this.now(), {
        actor: request.actor,
        events: [{ type: 'subscription.resumed', data: { ...data, since: toIso(since) } }],
        hold: null,
        notices: [{ type: 'subscription.resumed', cycle: null, attempt: null, data }],
      });
      this.update(resume(this.current, at));
      // A cycle closed in between has been recorded with the state of before.
      if (this.recorder.lags(this.current)) await this.record({ events: [] });
      return null;
    });
  }

  /** @throws ApplicationFailure of the refusal's code, which fails the update and not the workflow. */
  refuse(refusal: Refusal | null): void {
    if (refusal !== null) throw failureOf(refusal);
  }

  /** Current details for the Web UI; they cost no event. */
  show(step: Step): void {
    setCurrentDetails(describeState(this.current, step));
  }

  /** Search attributes, each only when it changes: an upsert is an event. */
  private mark(): void {
    const shown = workflowInfo().typedSearchAttributes;
    const wanted = [
      { key: DUEDAY_STATUS, value: this.current.status },
      { key: DUEDAY_STANDING, value: standingOf(this.current.standing) },
      { key: DUEDAY_REPETITION, value: this.current.terms.repetition },
    ];
    const changed = wanted.filter(({ key, value }) => shown.get(key) !== value);
    if (changed.length > 0) upsertSearchAttributes(changed);
  }
}

/** Fails the update, and not the workflow. */
export function failureOf(refusal: Refusal): ApplicationFailure {
  return ApplicationFailure.nonRetryable(refusal.message, refusal.code, refusal.verdict ?? null);
}
