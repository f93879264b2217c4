import { TemporalFailure } from '@temporalio/common';
import { condition, getExternalWorkflowHandle, isCancellation, patched, setHandler } from '@temporalio/workflow';
import { type ReplacementNews, replacementSignal } from '../src/contract/messages';
import { subscriptionWorkflowId } from '../src/contract/workflow-ids';
import type { EventData, EventType } from '../src/domain/trail/event';
import { dueAt } from '../src/domain/subscription/schedule';
import { toIso } from '../src/domain/time';
import { endReplacement, replacedBy, startReplacement, takesOver } from '../src/domain/subscription/pauses';
import { isTerminal } from '../src/domain/subscription/state';
import type { Cancelling } from './cancelling';
import { heed } from './heed';
import type { SubscriptionContext } from './subscription-context';

/** A new consent for a new amount is a new subscription in the place of the one before (decisions 22). */
export class Replacing {
  /** Whether the other one has been told that its place is not taken. */
  private hasEnded = false;

  constructor(
    private readonly context: SubscriptionContext,
    private readonly cancelling: Cancelling,
  ) {}

  listen(): void {
    setHandler(replacementSignal, (news) => heed(this.context, 'cancel', () => this.hear(news)));
  }

  /**
   * As soon as somebody cancels this one, it takes nobody's place, whatever its payer answers: the other one goes on and
   * waits for no confirmation by the service.
   */
  async standBack(): Promise<void> {
    const { context } = this;
    if (context.state.replaces === null) return;
    await condition(() => context.state.cancellation !== null || context.state.status !== 'pending_consent');
    if (takesOver(context.state) || isTerminal(context.state.status)) return;
    if (patched('a cancelled replacement stands back at once')) await this.end();
  }

  /** The payer has answered: this one takes the other's place, or never will (rule 22). */
  async conclude(): Promise<void> {
    const { context } = this;
    const { recorder } = context;
    if (context.state.replaces === null) return;
    // Somebody may have cancelled it in the ledger before the answer was written there (rule 31).
    if (!recorder.idle && patched('what is granted is recorded first')) await condition(() => recorder.idle);
    if (recorder.isBehind) await context.turns.take(() => context.hear());
    return takesOver(context.state) ? this.tell('granted') : this.end();
  }

  private async end(): Promise<void> {
    if (this.hasEnded) return;
    this.hasEnded = true;
    await this.tell('ended');
  }

  /**
   * Tells the subscription that this one is to replace how far it has come, and from when on it collects: an imported one
   * from its first cycle here.
   */
  async tell(stage: ReplacementNews['stage']): Promise<void> {
    const { replaces, terms, cycle } = this.context.state;
    if (replaces === null) return;
    const news = { by: terms.subscriptionId, from: dueAt(terms, cycle), stage };
    try {
      await getExternalWorkflowHandle(subscriptionWorkflowId(replaces)).signal(replacementSignal, news);
    } catch (error) {
      // It has ended: there is nobody to tell.
      if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
    }
  }

  private async hear({ by, from, stage }: ReplacementNews): Promise<void> {
    const { context } = this;
    if (isTerminal(context.state.status)) return;
    switch (stage) {
      case 'requested':
        context.update(startReplacement(context.state, { by, from }));
        return this.record('subscription.replacement_requested', { by, from: toIso(from) });
      case 'ended':
        if (!context.state.replacements.some((each) => each.by === by)) return;
        context.update(endReplacement(context.state, by));
        return this.record('subscription.replacement_failed', { by });
      case 'granted':
        context.update(replacedBy(context.state, { by, from }));
        await this.record('subscription.replaced', { by, from: toIso(from) });
        context.refuse(await this.cancelling.run({ actor: 'dueday', reason: `replaced by ${by}` }));
    }
  }

  private async record(type: EventType, data: EventData): Promise<void> {
    await this.context.record({ events: [{ type, data }] });
  }
}
