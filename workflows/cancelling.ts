import { condition } from '@temporalio/workflow';
import type { Request } from '../src/contract/messages';
import { refuseCancel, startCancelling } from '../src/domain/requests';
import { isTerminal } from '../src/domain/subscription';
import { endConsent } from '../src/domain/transitions';
import { cancelConsent } from './activity-options';
import { cancelledDecision } from './ledger-changes';
import type { SubscriptionContext } from './subscription-context';

/** Cancelling by the merchant: a hold in the ledger at once, then the end of the consent at the service (decisions 24). */
export class Cancelling {
  private ending: Promise<void> | null = null;

  constructor(private readonly context: SubscriptionContext) {}

  /** Completes once the service has confirmed. Cancelling again joins the one under way. */
  async run(request: Request): Promise<void> {
    await this.context.turns.take(() => this.hold(request));
    this.ending ??= this.end(request);
    await this.ending;
  }

  private async hold(request: Request): Promise<void> {
    const { state } = this.context;
    if (state.status === 'cancelled' || state.cancellation !== null) return;
    this.context.refuse(refuseCancel(state));
    this.context.update(startCancelling(state, { at: this.context.now(), ...request }));
    await this.context.record({
      actor: request.actor,
      events: [{ type: 'subscription.cancel_requested', data: { reason: request.reason } }],
      hold: 'cancel',
    });
  }

  private async end(request: Request): Promise<void> {
    await condition(() => this.context.state.paymentId !== null || isTerminal(this.context.state.status));
    if (this.context.state.status === 'cancelled') return;
    this.context.refuse(refuseCancel(this.context.state));
    await cancelConsent(this.context.reference);
    if (isTerminal(this.context.state.status)) return;
    this.context.update(endConsent(this.context.state, 'merchant'));
    await this.context.record({ ...cancelledDecision('merchant', request.reason), actor: request.actor });
  }
}
