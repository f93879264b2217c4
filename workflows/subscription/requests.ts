import { condition, currentUpdateInfo, patched, setHandler, workflowInfo } from '@temporalio/workflow';
import type { TakenId } from '../../src/contract/activities';
import {
  acknowledgeUpdate,
  adoptConsentUpdate,
  type CycleRequest,
  cancelUpdate,
  checkConsentUpdate,
  type Decision,
  lookAtConsentSignal,
  type PauseRequest,
  pauseUpdate,
  type Request,
  requestConsentUpdate,
  resolveCycleUpdate,
  type ResolveRequest,
  resumeUpdate,
  retryCycleUpdate,
  skipCycleUpdate,
  ACKNOWLEDGE,
  CANCEL,
  CHECK_CONSENT,
  PAUSE,
  RESOLVE,
  RESUME,
  RETRY,
  SKIP,
} from '../../src/contract/messages';
import { broughtBy } from '../../src/contract/requests';
import { planToResolve } from '../../src/domain/subscription/next-step';
import {
  acknowledge,
  type Refusal,
  refuseAcknowledge,
  refuseCancel,
  refusePause,
  refuseResume,
  refuseResolve,
  refuseRetryNow,
  refuseSkip,
  retryNow,
  skipCycle,
  conflict,
} from '../../src/domain/subscription/requests';
import type { CollectPlan, SubscriptionState } from '../../src/domain/subscription/state';
import { afterCollect, afterPending, nextDueAt } from '../../src/domain/subscription/transitions';
import { resolveAttempt } from '../activities';
import { requireArgument } from '../runtime';
import type { Cancelling } from './cancelling';
import type { ConsentPhase } from './consent';
import { heed, type SubscriptionContext, failureOf } from './context';
import type { Pausing } from './pausing';
import { pendingDecision, retryRequestedDecision, skippedDecision, resultDecision } from './ledger-changes';

/** What people may ask of a subscription. Each is refused, or accepted and in the ledger before it is answered. */
export class SubscriptionRequests {
  constructor(
    private readonly context: SubscriptionContext,
    private readonly consent: ConsentPhase,
    private readonly pausing: Pausing,
    private readonly cancelling: Cancelling,
    private readonly resolving: Resolving,
  ) {}

  listen(): void {
    const { context } = this;
    setHandler(requestConsentUpdate, () => this.consent.requested(), {
      validator: () => context.refuse(this.consent.refuseToTell('request')),
    });
    setHandler(adoptConsentUpdate, () => this.consent.adopted(), {
      validator: () => context.refuse(this.consent.refuseToTell('adoption')),
    });
    setHandler(checkConsentUpdate, () => this.consent.look(), {
      validator: (request: Request) => requireArgument(CHECK_CONSENT, request),
    });
    setHandler(lookAtConsentSignal, () => heed(context, 'check_consent', () => this.consent.look()));
    setHandler(pauseUpdate, async (request) => context.refuse(await this.pausing.pause(request, 'pause')), {
      validator: (request: PauseRequest) =>
        context.refuseAtOnce(PAUSE, request, () => refusePause(context.state, request.until, context.now())),
    });
    setHandler(
      resumeUpdate,
      async (request) => context.refuse(await this.pausing.resume(request, context.now(), 'resume')),
      {
        validator: (request: Request) => context.refuseAtOnce(RESUME, request, () => refuseResume(context.state)),
      },
    );
    setHandler(cancelUpdate, async (request) => context.refuse(await this.cancelling.run(request, 'cancel')), {
      validator: (request: Request) => context.refuseAtOnce(CANCEL, request, () => refuseCancel(context.state)),
    });
    setHandler(skipCycleUpdate, (request) => this.skip(request), {
      validator: (request: CycleRequest) =>
        context.refuseAtOnce(SKIP, request, () => refuseSkip(context.state, request.cycle)),
    });
    setHandler(retryCycleUpdate, (request) => this.retry(request), {
      validator: (request: CycleRequest) => context.refuseAtOnce(RETRY, request, () => this.refuseRetry(request.cycle)),
    });
    setHandler(resolveCycleUpdate, (request) => this.resolving.run(request), {
      validator: (request: ResolveRequest) => {
        requireArgument(RESOLVE, request);
        context.refuse(refuseResolve(context.state, request.cycle));
      },
    });
    setHandler(acknowledgeUpdate, (request) => this.acknowledge(request), {
      validator: (request: Request) =>
        context.refuseAtOnce(ACKNOWLEDGE, request, () => refuseAcknowledge(context.state)),
    });
  }

  private async skip(request: CycleRequest): Promise<void> {
    const { cycle, reason } = request;
    const judge = (state: SubscriptionState) => {
      const skipped = skipCycle(state, cycle);
      return refuseSkip(state, cycle) ?? { state: skipped, decision: skippedDecision(skipped, cycle, reason) };
    };
    this.context.refuse(await this.context.steer(request, judge, 'skip'));
  }

  private refuseRetry(cycle: number): Refusal | null {
    const { state, attempting } = this.context;
    if (attempting?.cycle === cycle) return conflict(`attempt ${attempting.attempt} of cycle ${cycle} is under way`);
    return refuseRetryNow(state, cycle, this.context.now());
  }

  private async retry(request: CycleRequest): Promise<void> {
    const { context } = this;
    const { cycle, reason } = request;
    const judge = (state: SubscriptionState) =>
      refuseRetryNow(state, cycle, context.now()) ?? {
        state: retryNow(state),
        decision: retryRequestedDecision(state, cycle, reason),
      };
    context.refuse(await context.steer(request, judge, 'retry'));
  }

  private async acknowledge(request: Request): Promise<void> {
    const { reason } = request;
    const judge = (state: SubscriptionState) => {
      const data = { matters: state.standing.attention, reason };
      const decision: Decision = { events: [{ type: 'attention.acknowledged', data }] };
      return { state: acknowledge(state), decision };
    };
    this.context.refuse(await this.context.steer(request, judge, 'acknowledge'));
  }
}

/** A person's resolution of an attempt whose outcome the service does not show (rule 18). */
export class Resolving {
  constructor(private readonly context: SubscriptionContext) {}

  /** Resolutions under way: accepted in their turn, and not answered yet. */
  private underWay = 0;

  /** Whether the service still decides the attempt; it is asked as long as that. */
  isOpen(plan: CollectPlan): boolean {
    return !plan.knownUnresolved || refuseResolve(this.context.state, plan.cycle) === null;
  }

  /**
   * Whether a person's resolution came before the service's answer. One under way is waited for: only the ledger knows
   * which of the two it took, and the service's answer may be older.
   */
  async hasDecided(plan: CollectPlan): Promise<boolean> {
    if (this.isOpen(plan) && this.underWay === 0) return false;
    if (!patched('a word under way is waited for')) return false;
    await condition(() => this.underWay === 0);
    return !this.isOpen(plan);
  }

  async run(request: ResolveRequest): Promise<void> {
    const key = `${workflowInfo().runId}/${currentUpdateInfo()?.id ?? 'resolve'}`;
    await this.context.turns.take(async () => {
      this.underWay += 1;
      try {
        await this.resolve(request, key);
      } finally {
        this.underWay -= 1;
      }
    });
  }

  /** Within a turn: nothing but what the ledger answers is waited for. */
  private async resolve(asked: ResolveRequest, key: string): Promise<void> {
    const { context } = this;
    await this.recorded();
    context.refuse(refuseResolve(context.state, asked.cycle));
    const plan = planToResolve(context.state, asked.cycle);
    if (plan === null) return;
    const { cycle, attempt, amount, dueAt } = plan;
    // Later cycles have moved the next due date past one that is followed beside them.
    const dueNext = plan.parked ? nextDueAt(context.state) : plan.nextDueAt;
    const about = { cycle, attempt, amount, dueAt, nextDueAt: dueNext };
    const request = broughtBy('resolve', asked);
    const result = await resolveAttempt({ ...context.reference, ...about, ...asked, request, key });
    if (result.kind === 'unrecorded') throw failureOf(conflict(result.why));
    if (result.kind === 'stands') throw failureOf(refusalOf(plan, result.taken));
    const parked = context.state.pending.find((each) => each.cycle === cycle);
    if (parked !== undefined) {
      context.update(afterPending(context.state, parked, result));
      await context.record(pendingDecision(parked, result));
      return;
    }
    if (plan.parked) return;
    // In a history from before resolutions were waited for, the loop may have heard of it first.
    if (!this.isOpen(plan)) return;
    const before = context.state;
    context.update(afterCollect(before, plan, result));
    if (result.kind === 'collected') context.recorder.assumeCollected(plan);
    await context.record(resultDecision(before, context.state, plan, result) ?? { events: [] });
  }

  /** The ledger has the cycle as unresolved before it takes a resolution. */
  private async recorded(): Promise<void> {
    const { recorder } = this.context;
    if (!recorder.idle && patched('what is resolved is recorded first')) await condition(() => recorder.idle);
  }
}

function refusalOf({ cycle, attempt }: CollectPlan, taken: TakenId | undefined): Refusal {
  if (taken === undefined) return conflict('the service has told the outcome meanwhile');
  const { field, given } = taken;
  const whose = `${field} ${given} is that of cycle ${taken.cycle}, attempt ${taken.attempt}`;
  return conflict(
    `${whose}; expected one that no other attempt of the payment has, for cycle ${cycle}, attempt ${attempt}`,
  );
}
