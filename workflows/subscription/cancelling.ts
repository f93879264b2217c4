import { condition } from '@temporalio/workflow';
import { cancelRequestedDecision, type Request } from '../../src/contract/messages';
import { type Refusal, refuseCancel, startCancelling } from '../../src/domain/subscription/requests';
import { isTerminal, type SubscriptionState } from '../../src/domain/subscription/state';
import { endConsent } from '../../src/domain/subscription/transitions';
import { actorOf } from '../../src/domain/trail/event';
import { cancelConsent } from '../activities';
import type { SubscriptionContext } from './context';
import { cancelledDecision } from './ledger-changes';

/** Cancelling by the merchant: a hold in the ledger at once, then the end of the consent at the service (rule 24). */
export class Cancelling {
  private ending: Promise<void> | null = null;

  constructor(private readonly context: SubscriptionContext) {}

  /**
   * Completes once the service has confirmed. Cancelling again joins the one under way. The refusal where, when its turn
   * came, nothing was left to cancel.
   */
  async run(request: Request, verb?: 'cancel'): Promise<Refusal | null> {
    const { context } = this;
    const judge = (state: SubscriptionState) => {
      if (state.status === 'cancelled' || state.cancellation !== null) return null;
      const { reason } = request;
      const cancelling = startCancelling(state, { at: context.now(), ...actorOf(request), reason });
      return refuseCancel(state) ?? { state: cancelling, decision: cancelRequestedDecision(reason) };
    };
    const refusal = await context.steer(request, judge, verb);
    if (refusal !== null) return refusal;
    await this.proceed();
    return refuseCancel(context.state);
  }

  /** Ends the consent of a subscription that is being cancelled, by a message or in the ledger. */
  async proceed(): Promise<void> {
    if (this.context.state.cancellation === null) return;
    this.ending ??= this.end();
    await this.ending;
  }

  private async end(): Promise<void> {
    const { context } = this;
    await condition(() => context.state.paymentId !== null || isTerminal(context.state.status));
    if (isTerminal(context.state.status)) {
      // The end itself may be taken back: where it came to the ledger behind this cancellation.
      this.ending = null;
      return;
    }
    const { by: endedBy } = await cancelConsent(context.reference);
    if (isTerminal(context.state.status)) return;
    const { reason, ...by } = context.state.cancellation ?? { actor: 'dueday', reason: null };
    context.update(endConsent(context.state, endedBy));
    await context.record({ ...cancelledDecision(endedBy, reason), ...actorOf(by) });
  }
}
