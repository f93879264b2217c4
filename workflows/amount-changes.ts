import { setHandler } from '@temporalio/workflow';
import {
  type AmountChangeRequest,
  changeAmountUpdate,
  judgeChangeQuery,
  type Request,
  withdrawChangeUpdate,
} from '../src/contract/messages';
import { collectionWindow } from '../src/domain/subscription/schedule';
import {
  acceptChange,
  type AmountChange,
  judgeChange,
  refusalOf,
  refuseChange,
  refuseWithdrawal,
} from '../src/domain/subscription/amount-request';
import {
  afterAnnouncing,
  dropChange,
  type DropReason,
  isPending,
  startAnnouncing,
  withdrawChange,
} from '../src/domain/subscription/amount';
import type { PendingChange } from '../src/domain/subscription/state';
import { announceIncrease } from './activity-options';
import { announcedDecision, changedDecision, droppedDecision, withdrawnDecision } from './amount-decisions';
import type { SubscriptionContext } from './subscription-context';

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

  private async change({ actor, revision, ...request }: AmountChangeRequest): Promise<AmountChange> {
    const { context } = this;
    const made: AmountChange[] = [];
    const refusal = await context.steer({ actor, revision }, (state) => {
      const judgement = judgeChange(state, request);
      if (judgement.kind !== 'allowed') return refusalOf(judgement);
      const { change } = judgement;
      made.push(change);
      const decision = changedDecision(change, state.pendingChange, request.reason);
      return { state: acceptChange(state, change, request.announceAhead, context.now()), decision };
    });
    context.refuse(refusal);
    const change = made.at(-1);
    if (change === undefined) throw new Error('a change was neither made nor refused');
    return change;
  }

  private async withdraw({ actor, revision, reason }: Request): Promise<void> {
    const { context } = this;
    const refusal = await context.steer({ actor, revision }, (state) => {
      const { pendingChange } = state;
      if (pendingChange === null) return refuseWithdrawal(state);
      const decision = withdrawnDecision(pendingChange, reason);
      return refuseWithdrawal(state) ?? { state: withdrawChange(state), decision };
    });
    context.refuse(refusal);
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
