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
import { collectionWindow } from '../src/domain/collection-window';
import { retryGrounds } from '../src/domain/grounds';
import { acknowledge, refuseAcknowledge, refuseCancel, refusePause, refuseResume } from '../src/domain/requests';
import { refuseResolve, refuseRetryNow, refuseSkip, retryNow, skipCycle } from '../src/domain/cycle-requests';
import type { Cancelling } from './cancelling';
import type { ConsentPhase } from './consent-phase';
import type { Resolving } from './resolving';
import { skippedDecision } from './ledger-changes';
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
    setHandler(lookAtConsentSignal, () => this.consent.look());
    setHandler(pauseUpdate, async (request) => context.refuse(await context.pause(request)), {
      validator: (request: PauseRequest) => context.refuse(refusePause(context.state, request.until, context.now())),
    });
    setHandler(resumeUpdate, async (request) => context.refuse(await context.resume(request, context.now())), {
      validator: (_request: Request) => context.refuse(refuseResume(context.state)),
    });
    setHandler(cancelUpdate, (request) => this.cancelling.run(request), {
      validator: (_request: Request) => context.refuse(refuseCancel(context.state)),
    });
    setHandler(skipCycleUpdate, (request) => this.skip(request), {
      validator: (request: CycleRequest) => context.refuse(refuseSkip(context.state, request.cycle)),
    });
    setHandler(retryCycleUpdate, (request) => this.retry(request), {
      validator: (request: CycleRequest) => context.refuse(refuseRetryNow(context.state, request.cycle, context.now())),
    });
    setHandler(resolveCycleUpdate, (request) => this.resolving.run(request), {
      validator: (request: ResolveRequest) => context.refuse(refuseResolve(context.state, request.cycle)),
    });
    setHandler(acknowledgeUpdate, (request) => this.acknowledge(request), {
      validator: (_request: Request) => context.refuse(refuseAcknowledge(context.state)),
    });
  }

  private async skip({ cycle, actor, reason }: CycleRequest): Promise<void> {
    const { context } = this;
    await context.turns.take(async () => {
      context.refuse(refuseSkip(context.state, cycle));
      context.update(skipCycle(context.state, cycle));
      await context.record({ actor, ...skippedDecision(context.state, cycle, reason) });
    });
  }

  private async retry({ cycle, actor, reason }: CycleRequest): Promise<void> {
    const { context } = this;
    await context.turns.take(async () => {
      context.refuse(refuseRetryNow(context.state, cycle, context.now()));
      context.update(retryNow(context.state));
      const grounds = retryGrounds(context.state, collectionWindow(context.state.terms, cycle).collectBy);
      await context.record({ actor, events: [{ type: 'cycle.retry_requested', data: { cycle, ...grounds, reason } }] });
    });
  }

  private async acknowledge(request: Request): Promise<void> {
    await this.context.turns.take(async () => {
      const matters = this.context.state.standing.attention;
      this.context.update(acknowledge(this.context.state));
      await this.context.record({
        actor: request.actor,
        events: [{ type: 'attention.acknowledged', data: { matters, reason: request.reason } }],
      });
    });
  }
}
