import { setHandler } from '@temporalio/workflow';
import {
  acknowledgeUpdate,
  adoptConsentUpdate,
  type CycleRequest,
  cancelUpdate,
  checkConsentUpdate,
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
} from '../src/contract/messages';
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
} from '../src/domain/subscription/requests';
import type { Cancelling } from './cancelling';
import type { ConsentPhase } from './consent-phase';
import { heed } from './heed';
import type { Resolving } from './resolving';
import { retryRequestedDecision, skippedDecision } from './ledger-changes';
import type { SubscriptionContext } from './subscription-context';

/** What people may ask of a subscription. Each is refused, or accepted and in the ledger before it is answered. */
export class SubscriptionRequests {
  constructor(
    private readonly context: SubscriptionContext,
    private readonly consent: ConsentPhase,
    private readonly cancelling: Cancelling,
    private readonly resolving: Resolving,
  ) {}

  listen(): void {
    const { context } = this;
    setHandler(requestConsentUpdate, () => this.consent.requested());
    setHandler(adoptConsentUpdate, () => this.consent.adopted());
    setHandler(checkConsentUpdate, () => this.consent.look());
    setHandler(lookAtConsentSignal, () => heed(context, 'check_consent', () => this.consent.look()));
    setHandler(pauseUpdate, async (request) => context.refuse(await context.pause(request)), {
      validator: (request: PauseRequest) =>
        this.refuse(request, () => refusePause(context.state, request.until, context.now())),
    });
    setHandler(resumeUpdate, async (request) => context.refuse(await context.resume(request, context.now())), {
      validator: (request: Request) => this.refuse(request, () => refuseResume(context.state)),
    });
    setHandler(cancelUpdate, async (request) => context.refuse(await this.cancelling.run(request)), {
      validator: (request: Request) => this.refuse(request, () => refuseCancel(context.state)),
    });
    setHandler(skipCycleUpdate, (request) => this.skip(request), {
      validator: (request: CycleRequest) => this.refuse(request, () => refuseSkip(context.state, request.cycle)),
    });
    setHandler(retryCycleUpdate, (request) => this.retry(request), {
      validator: (request: CycleRequest) =>
        this.refuse(request, () => refuseRetryNow(context.state, request.cycle, context.now())),
    });
    setHandler(resolveCycleUpdate, (request) => this.resolving.run(request), {
      validator: (request: ResolveRequest) => context.refuse(refuseResolve(context.state, request.cycle)),
    });
    setHandler(acknowledgeUpdate, (request) => this.acknowledge(request), {
      validator: (request: Request) => this.refuse(request, () => refuseAcknowledge(context.state)),
    });
  }

  private async skip({ cycle, reason, ...request }: CycleRequest): Promise<void> {
    const { context } = this;
    const refusal = await context.steer(request, (state) => {
      const skipped = skipCycle(state, cycle);
      return refuseSkip(state, cycle) ?? { state: skipped, decision: skippedDecision(skipped, cycle, reason) };
    });
    context.refuse(refusal);
  }

  private async retry({ cycle, reason, ...request }: CycleRequest): Promise<void> {
    const { context } = this;
    const refusal = await context.steer(request, (state) => {
      return (
        refuseRetryNow(state, cycle, context.now()) ?? {
          state: retryNow(state),
          decision: retryRequestedDecision(state, cycle, reason),
        }
      );
    });
    context.refuse(refusal);
  }

  private async acknowledge({ reason, ...request }: Request): Promise<void> {
    const { context } = this;
    await context.steer(request, (state) => {
      const data = { matters: state.standing.attention, reason };
      return { state: acknowledge(state), decision: { events: [{ type: 'attention.acknowledged', data }] } };
    });
  }

  /** What is asked by whoever knows a newer revision of the row is judged once that has been heard of. */
  private refuse(request: Request, refusal: () => Refusal | null): void {
    const { context } = this;
    if ((request.revision ?? 0) <= context.recorder.revision) context.refuse(refusal());
  }
}
