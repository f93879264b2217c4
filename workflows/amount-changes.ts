import { setHandler } from '@temporalio/workflow';
import {
  type AmountChangeRequest,
  changeAmountUpdate,
  judgeChangeQuery,
  type Request,
  withdrawChangeUpdate,
} from '../src/contract/messages';
import { collectionWindow } from '../src/domain/collection-window';
import {
  acceptChange,
  type AmountChange,
  judgeChange,
  refusalOf,
  refuseChange,
  refuseWithdrawal,
} from '../src/domain/amount-request';
import {
  afterAnnouncing,
  dropChange,
  type DropReason,
  isPending,
  startAnnouncing,
  withdrawChange,
} from '../src/domain/pending-change';
import type { PendingChange } from '../src/domain/subscription';
import { announceIncrease } from './activity-options';
import { announcedDecision, changedDecision, droppedDecision, withdrawnDecision } from './amount-decisions';
import { failureOf, type SubscriptionContext } from './subscription-context';

/** Changes of the amount: asked for, taken back, announced to the payer, dropped (decisions 19 to 21). */
export class AmountChanges {
  constructor(private readonly context: SubscriptionContext) {}

  listen(): void {
    const { context } = this;
    setHandler(judgeChangeQuery, (request) => judgeChange(context.state, request));
    setHandler(changeAmountUpdate, (request) => this.change(request), {
      validator: (request: AmountChangeRequest) => context.refuse(refuseChange(context.state, request)),
    });
    setHandler(withdrawChangeUpdate, (request) => this.withdraw(request), {
      validator: (_request: Request) => context.refuse(refuseWithdrawal(context.state)),
    });
  }

  private change(request: AmountChangeRequest): Promise<AmountChange> {
    const { context } = this;
    return context.turns.take(async () => {
      const { pendingChange: replaced } = context.state;
      const judgement = judgeChange(context.state, request);
      if (judgement.kind !== 'allowed') throw failureOf(refusalOf(judgement));
      const { change } = judgement;
      context.update(acceptChange(context.state, change, request.announceAhead, context.now()));
      await context.record({ actor: request.actor, ...changedDecision(change, replaced, request.reason) });
      return change;
    });
  }

  private async withdraw(request: Request): Promise<void> {
    const { context } = this;
    await context.turns.take(async () => {
      const { pendingChange } = context.state;
      context.refuse(refuseWithdrawal(context.state));
      if (pendingChange === null) return;
      context.update(withdrawChange(context.state));
      await context.record({ actor: request.actor, ...withdrawnDecision(pendingChange, request.reason) });
    });
  }

  /** Beside the cycles: one that comes before the payer has been told collects the old amount (decisions 21). */
  async announce(change: PendingChange): Promise<void> {
    const { context } = this;
    context.update(startAnnouncing(context.state));
    const { fromCycle: cycle, amount, previousAmount, requestedAt } = change;
    const { dueAt, collectBy } = collectionWindow(context.state.terms, cycle);
    const input = { ...context.reference, cycle, amount, previousAmount, requestedAt, dueAt, collectBy };
    const summary = `tell the payer of the increase from cycle ${cycle} on`;
    const result = await context.until(
      () => !isPending(context.state, change),
      () => announceIncrease.executeWithOptions({ summary }, [input]),
    );
    if (result === null || !isPending(context.state, change)) return;
    context.update(afterAnnouncing(context.state, change, result));
    await context.record(announcedDecision(change, result));
  }

  /** The cycle may not collect it after all: the old amount is collected, and people are alerted. */
  async drop(change: PendingChange, cycle: number, reason: DropReason): Promise<void> {
    this.context.update(dropChange(this.context.state));
    await this.context.record(droppedDecision(change, cycle, reason));
  }
}
