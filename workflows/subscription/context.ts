import { CancellationScope, condition, patched, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { ApplicationFailure, rootCause, type TemporalFailure } from '@temporalio/common';
import type { PaymentRef } from '../../src/contract/activities';
import type { MessageShape } from '../../src/contract/arguments';
import { type AttemptRef, type Decision, type Request, type SubscriptionInput } from '../../src/contract/messages';
import { broughtBy, type RecordedVerb } from '../../src/contract/requests';
import { DUEDAY_REPETITION, DUEDAY_STANDING, DUEDAY_STATUS } from '../../src/contract/workflows';
import { untriedBefore } from '../../src/domain/subscription/pending-change';
import type { Step } from '../../src/domain/subscription/next-step';
import { isHeld } from '../../src/domain/subscription/pauses';
import { conflict, type Refusal } from '../../src/domain/subscription/requests';
import { continuedFrom, steeredBy } from '../../src/domain/subscription/restored-state';
import { standingOf, type SubscriptionState, upToDate } from '../../src/domain/subscription/state';
import type { Instant } from '../../src/domain/time';
import { type Actor, actorOf } from '../../src/domain/trail/event';
import { isFailure, requireArgument, showAttributes, WorkflowContext } from '../runtime';
import { describeState } from './details';
import { LedgerRecorder, type Written } from './ledger-recorder';

/** Since 0.2: the ledger is asked where it may know more, and a request holds from its acceptance on. */
export const LEDGER_FIRST = 'ledger-first';

/** Histories from before it end with no word of a due date that waited. */
const WAITING_RECORDED = 'a due date that waits at the end of the consent is recorded';

/** Histories from before it hear of no revision that they know already, also where the ledger was set back since. */
const SET_BACK = 'a ledger that was set back is heard';

/** The state of one subscription, its time, and the ways in which the state changes and is shown. */
export class SubscriptionContext extends WorkflowContext<SubscriptionState> {
  readonly recorder: LedgerRecorder;
  /** Called once the ledger's state has been read here. */
  whenHeard: () => void = () => undefined;
  /** The attempt whose outcome is awaited; null between attempts. */
  attempting: AttemptRef | null = null;
  /** How often it was heard that a notice is to be looked at anew. */
  noticeNews = 0;
  /** What updates have asked and the ledger has not yet taken: nothing is to follow from it before. */
  private unsettled = 0;

  constructor(input: SubscriptionInput) {
    super(upToDate(input.state), input);
    this.recorder = new LedgerRecorder(() => this.state);
  }

  /** What another run of the workflow goes on with. */
  get stateToKeep(): SubscriptionState {
    return { ...this.state, revision: this.recorder.revision };
  }

  /** @throws Error before the service has opened the payment: nothing that needs it runs then. */
  get reference(): PaymentRef {
    const { terms, paymentId } = this.state;
    if (paymentId === null) throw new Error(`subscription ${terms.subscriptionId} has no payment yet`);
    return { subscriptionId: terms.subscriptionId, paymentId };
  }

  /** The work's result, or null where `stop` came true first, or the history got too long; the work is cancelled then. */
  async until<T>(stop: () => boolean, work: () => Promise<T>): Promise<T | null> {
    const scope = new CancellationScope();
    const over = () => stop() || isHistoryLong();
    const result = await scope.run(() => Promise.race([work(), condition(over).then(() => null)]));
    scope.cancel();
    return result;
  }

  /** Of an end of the consent that is heard now, where a due date waits; null where none does. */
  endHeardAt(): Instant | null {
    const now = this.now();
    return untriedBefore(this.state, now) !== null && patched(WAITING_RECORDED) ? now : null;
  }

  /** Writes what has happened, or a decision by the state; the latter not where the ledger's row has a newer revision. */
  record(decision: Decision): Promise<Written> {
    return this.recorder.write(this.now(), decision);
  }

  /**
   * A request, judged by the state when its turn has come, and once more by the ledger's where another caller has changed
   * that first (rules 4, 25). A change without a request of the API behind it is taken back.
   * @param verb of an update; absent where the workflow itself decides
   * @returns null where it is in the ledger, or there was nothing to do.
   */
  async steer(request: Asked, judge: Judge, verb?: RecordedVerb): Promise<Refusal | null> {
    const brought = verb === undefined ? {} : { request: broughtBy(verb, request) };
    if (this.isOnItsWay(request.settled)) await condition(() => !this.isOnItsWay(request.settled));
    return this.turns.take(async () => {
      if ((request.revision ?? 0) > this.recorder.revision) await this.hear();
      this.unsettled += 1;
      try {
        for (;;) {
          const before = this.state;
          const judged = judge(before);
          if (judged === null || 'code' in judged) return judged;
          this.update(judged.state);
          const decision = { ...judged.decision, ...brought, judged: true, steers: true };
          const { stale, refused } = await this.record({ ...actorOf(request), ...decision });
          if (!stale && refused === undefined) {
            // Written by a call whose answer was lost: another caller may have steered the row since.
            if (this.recorder.isBehind) await this.hear();
            return null;
          }
          this.update(withAttentionOf(this.state, before));
          await this.hear();
          if (refused !== undefined) return conflict(refused);
        }
      } finally {
        this.unsettled -= 1;
      }
    });
  }

  /**
   * Whether what was asked last is on its way to the ledger, which may refuse it: {@link settled} is to be awaited before
   * anything follows from it. In histories from before requests were on record it held at once.
   */
  isUnsettled(): boolean {
    return this.unsettled > 0 && patched('what is asked is on record first');
  }

  settled(): Promise<void> {
    return condition(() => this.unsettled === 0);
  }

  /**
   * Refuses at once what is no such request, and what cannot be had. A request that was made when the ledger had more than
   * this workflow knows is judged only once it knows as much: the caller may have seen it there.
   * @throws ApplicationFailure, see {@link refuse}.
   */
  refuseAtOnce<T extends Asked>(shape: MessageShape<T>, request: T, refusal: () => Refusal | null): void {
    requireArgument(shape, request);
    const isBehind = (request.revision ?? 0) > this.recorder.revision || this.isOnItsWay(request.settled);
    if (!isBehind) this.refuse(refusal());
  }

  /** Whether the outcome of the attempt is in the ledger, and not here yet. */
  private isOnItsWay(settled: AttemptRef | undefined): boolean {
    const { attempting } = this;
    return settled !== undefined && attempting?.cycle === settled.cycle && attempting.attempt === settled.attempt;
  }

  /**
   * The ledger's row was steered, and has this revision: what holds there holds here (rule 31). A ledger that was set back counts
   * from a lower revision on: what holds the subscription there holds it here, and nothing else is taken over.
   */
  async hearOf(revision: number): Promise<void> {
    await this.turns.take(async () => {
      if (revision > this.recorder.revision) await this.hear();
      else if (patched(SET_BACK)) await this.hear(isHeld);
    });
  }

  /** Takes over what was steered in the ledger, if that is to be, while a cycle may be under way (rule 31). */
  async hear(isTaken: IsTaken = () => true): Promise<void> {
    if (await this.takeOver(steeredBy, isTaken)) this.whenHeard();
  }

  /**
   * Goes on from where the ledger stands, if it knows more: a reset workflow, or one restored, knows less (rule 4). In a
   * turn of its own: a request that is judged and not yet written would be lost in it.
   */
  async continueFromLedger(isMore: IsTaken): Promise<boolean> {
    const taken = await this.turns.take(() => this.takeOver(continuedFrom, isMore));
    if (taken) this.whenHeard();
    return taken;
  }

  /** @returns whether what the ledger has was taken over. */
  private takeOver(merge: typeof steeredBy, isTaken: IsTaken): Promise<boolean> {
    return this.recorder.read(({ state }) => {
      if (!isTaken(state)) return false;
      this.update(merge(this.state, state));
      return true;
    });
  }

  /** @throws ApplicationFailure of the refusal's code, which fails the update and not the workflow. */
  refuse(refusal: Refusal | null): void {
    if (refusal !== null) throw failureOf(refusal);
  }

  /** Current details for the Web UI; they cost no event. */
  show(step: Step): void {
    const page = this.consoleLink(`/subscriptions/${encodeURIComponent(this.state.terms.subscriptionId)}`);
    setCurrentDetails(describeState(this.state, step, page));
  }

  protected override wakes(): boolean {
    return isHistoryLong();
  }

  protected mark(): void {
    showAttributes([
      { key: DUEDAY_STATUS, value: this.state.status },
      { key: DUEDAY_STANDING, value: standingOf(this.state.standing) },
      { key: DUEDAY_REPETITION, value: this.state.terms.repetition },
    ]);
  }
}

/**
 * A long history ends every wait, also in the middle of a step: the next run continues by the ledger's rows (rule 31).
 */
function isHistoryLong(): boolean {
  return workflowInfo().continueAsNewSuggested;
}

/** Whether what the ledger has is to be taken over. */
type IsTaken = (ledger: SubscriptionState) => boolean;

type Asked = Actor & Pick<Request, 'revision' | 'settled' | 'onRecord'>;

/** Decides on a request by the state; null where nothing is to be done. */
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
type Signalled = 'cancel' | 'check_consent';

/**
 * Does what a signal asks. A signal has no answer, and a failure in its handler would fail the whole workflow: what
 * cannot be done is left in the trail, and the subscription goes on.
 */
export async function heed(context: SubscriptionContext, request: Signalled, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isFailure(error)) throw error;
    const message = rootCause(error) ?? error.message;
    await context.record({ events: [{ type: 'request.refused', data: { request, code: codeOf(error), message } }] });
  }
}

/** A refusal's own code, or the type of the failure behind an activity's. */
function codeOf(error: TemporalFailure): string {
  const failure = error instanceof ApplicationFailure ? error : error.cause;
  return (failure instanceof ApplicationFailure ? failure.type : null) ?? 'fault';
}
