import {
  CancellationScope,
  condition,
  patched,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
  isCancellation,
} from '@temporalio/workflow';
import { ApplicationFailure, rootCause, TemporalFailure } from '@temporalio/common';
import type { PaymentRef } from '../../src/contract/activities';
import {
  type Decision,
  pausedDecision,
  type PauseRequest,
  type Request,
  type SubscriptionInput,
} from '../../src/contract/messages';
import { DUEDAY_REPETITION, DUEDAY_STANDING, DUEDAY_STATUS } from '../../src/contract/workflows';
import type { Step } from '../../src/domain/subscription/next-step';
import { currentPause } from '../../src/domain/subscription/pauses';
import { pause, type Refusal, refusePause, refuseResume, resume } from '../../src/domain/subscription/requests';
import { continuedFrom, steeredBy } from '../../src/domain/subscription/restored-state';
import { standingOf, type SubscriptionState, upToDate } from '../../src/domain/subscription/state';
import { realDelay, toBusiness, type Instant, toIso } from '../../src/domain/time';
import { Mutex } from '../runtime';
import { describeState } from './details';
import { LedgerRecorder } from './ledger-recorder';

/** Since 0.2: the ledger is asked where it may know more, and a request holds from its acceptance on. */
export const LEDGER_FIRST = 'ledger-first';

/** The state of one subscription, its time, and the ways in which the state changes and is shown. */
export class SubscriptionContext {
  /** Requests change the state one at a time, in the order of their arrival (rule 25). */
  readonly turns = new Mutex();
  readonly recorder: LedgerRecorder;
  /** What goes on of itself once the ledger's word is known here. */
  whenHeard: () => void = () => undefined;
  private current: SubscriptionState;
  private changes = 0;

  constructor(private readonly input: SubscriptionInput) {
    this.current = upToDate(input.state);
    this.recorder = new LedgerRecorder(() => this.current);
  }

  get state(): SubscriptionState {
    return this.current;
  }

  /** What another run of the workflow goes on with. */
  get stateToKeep(): SubscriptionState {
    return { ...this.current, revision: this.recorder.revision };
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

  /** Waits until the instant, until the state changes, or the history gets too long; null: only for those. */
  async sleepUntil(until: Instant | null, summary: string): Promise<void> {
    const seen = this.changes;
    const changed = () => this.changes !== seen || isHistoryLong();
    if (until === null) return condition(changed);
    // eslint-disable-next-line no-restricted-syntax -- inside a workflow Date is the workflow's own time
    const delay = realDelay(this.input.clock, Date.now(), until);
    if (delay > 0) await condition(changed, delay, { summary });
  }

  /** The work's result, or null where `stop` came true first, or the history got too long; the work is cancelled then. */
  async until<T>(stop: () => boolean, work: () => Promise<T>): Promise<T | null> {
    const scope = new CancellationScope();
    const over = () => stop() || isHistoryLong();
    const result = await scope.run(() => Promise.race([work(), condition(over).then(() => null)]));
    scope.cancel();
    return result;
  }

  /** Writes what has come to pass, or what was judged; the latter not where the ledger's row has a newer revision. */
  record(decision: Decision): Promise<{ readonly stale: boolean }> {
    return this.recorder.write(this.now(), decision);
  }

  /**
   * A request, judged by the state when its turn has come, and once more by the ledger's where that was steered by
   * somebody else meanwhile (rules 4, 25).
   * @returns null where it is in the ledger, or there was nothing to do.
   */
  async steer(request: Pick<Request, 'actor' | 'revision'>, judge: Judge): Promise<Refusal | null> {
    return this.turns.take(async () => {
      if ((request.revision ?? 0) > this.recorder.revision) await this.hear();
      for (;;) {
        const before = this.current;
        const judged = judge(before);
        if (judged === null || 'code' in judged) return judged;
        this.update(judged.state);
        const decision = { ...judged.decision, judged: true, steers: true };
        if (!(await this.record({ actor: request.actor, ...decision })).stale) return null;
        this.update(withAttentionOf(this.current, before));
        await this.hear();
      }
    });
  }

  /** Takes over what was steered in the ledger, while a cycle may be under way (rule 31). */
  async hear(): Promise<void> {
    await this.recorder.read(({ state }) => {
      this.update(steeredBy(this.current, state));
      return true;
    });
    this.whenHeard();
  }

  /**
   * Goes on from where the ledger stands, if it knows more: a reset workflow, or one restored, knows less (rule 4). In a
   * turn of its own: a request that is judged and not yet written would be lost in it.
   */
  async continueFromLedger(isMore: (ledger: SubscriptionState) => boolean): Promise<boolean> {
    const taken = await this.turns.take(() =>
      this.recorder.read(({ state }) => {
        if (!isMore(state)) return false;
        this.update(continuedFrom(this.current, state));
        return true;
      }),
    );
    if (taken) this.whenHeard();
    return taken;
  }

  /** Null where it is paused now; the refusal where, when its turn came, it could not be. */
  pause({ until, reason, ...request }: PauseRequest): Promise<Refusal | null> {
    return this.steer(request, (state) => {
      const now = this.now();
      const decision = pausedDecision(until, reason);
      return refusePause(state, until, now) ?? { state: pause(state, now, until), decision };
    });
  }

  /**
   * Null where it is resumed as of `at`, when it was accepted (rule 23): due dates from then on are collected, and only
   * their POST waits for the ledger.
   */
  async resume(request: Request, at: Instant): Promise<Refusal | null> {
    if (!patched(LEDGER_FIRST)) return this.resumeOnceRecorded(request, at);
    return this.steer(request, (state) => {
      return refuseResume(state) ?? { state: resume(state, at), decision: this.resumed(request, at) };
    });
  }

  /** As releases of before did, whose histories are to be repeated. */
  private async resumeOnceRecorded(request: Request, at: Instant): Promise<Refusal | null> {
    return this.turns.take(async () => {
      const refusal = refuseResume(this.current);
      if (refusal !== null) return refusal;
      const decision = { actor: request.actor, ...this.resumed(request, at), judged: true, steers: true };
      await this.recorder.write(this.now(), decision, () => resume(this.current, at));
      this.update(resume(this.current, at));
      // A cycle closed in between has been recorded with the state of before.
      if (this.recorder.lags(this.current)) await this.record({ events: [] });
      return null;
    });
  }

  private resumed({ reason }: Request, at: Instant): Decision {
    const since = currentPause(this.current)?.since ?? at;
    const data = { reason, at: toIso(at) };
    return {
      events: [{ type: 'subscription.resumed', data: { ...data, since: toIso(since) } }],
      hold: null,
      notices: [{ type: 'subscription.resumed', cycle: null, attempt: null, data }],
    };
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

/** Whoever waits gives way to a new run, whatever is under way: the ledger's rows say how far it came (rule 31). */
function isHistoryLong(): boolean {
  return workflowInfo().continueAsNewSuggested;
}

/** What a request comes to; null where nothing is to be done. */
export type Judge = (
  state: SubscriptionState,
) => Refusal | { readonly state: SubscriptionState; readonly decision: Decision } | null;

/** What was to be acknowledged and could not be stands as before. */
function withAttentionOf(state: SubscriptionState, before: SubscriptionState): SubscriptionState {
  const attention = [...new Set([...before.standing.attention, ...state.standing.attention])];
  return { ...state, standing: { ...state.standing, attention } };
}

/** Fails the update, and not the workflow. */
export function failureOf(refusal: Refusal): ApplicationFailure {
  return ApplicationFailure.nonRetryable(refusal.message, refusal.code, refusal.verdict ?? null);
}

/** What a signal asks of a subscription, as the trail names it. */
type Asked = 'cancel' | 'check_consent';

/**
 * Does what a signal asks. Nobody waits for an answer to a signal, and a failure in its handler would fail the whole
 * workflow: what cannot be done is left in the trail, and the subscription goes on.
 */
export async function heed(context: SubscriptionContext, request: Asked, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
    const message = rootCause(error) ?? error.message;
    await context.record({ events: [{ type: 'request.refused', data: { request, code: codeOf(error), message } }] });
  }
}

/** A refusal's own code, or the type of the failure behind an activity's. */
function codeOf(error: TemporalFailure): string {
  const failure = error instanceof ApplicationFailure ? error : error.cause;
  return (failure instanceof ApplicationFailure ? failure.type : null) ?? 'fault';
}
