import { patched, setHandler } from '@temporalio/workflow';
import type { NotifyResult } from '../../src/contract/activities';
import {
  type Decision,
  type AmountChangeRequest,
  changeAmountUpdate,
  judgeChangeQuery,
  type Request,
  withdrawChangeUpdate,
  CHANGE_AMOUNT,
  JUDGE_CHANGE,
  WITHDRAW_CHANGE,
} from '../../src/contract/messages';
import {
  type DropReason,
  afterAnnouncing,
  dropChange,
  isPending,
  startAnnouncing,
  withdrawChange,
} from '../../src/domain/subscription/pending-change';
import {
  type AmountChange,
  acceptChange,
  frozenChange,
  judgeChange,
  refusalOf,
  refuseChange,
  refuseWithdrawal,
} from '../../src/domain/subscription/amount-request';
import { collectionWindow } from '../../src/domain/subscription/schedule';
import type { PendingChange, SubscriptionState } from '../../src/domain/subscription/state';
import { toIso } from '../../src/domain/time';
import type { EventData } from '../../src/domain/trail/event';
import type { EventType } from '../../src/domain/trail/events';
import { announceIncrease } from '../activities';
import { requireArgument } from '../runtime';
import type { SubscriptionContext } from './context';

function viewChange(change: AmountChange | PendingChange) {
  const { amount, previousAmount, fromCycle, effectiveAt, kind, countsAsIncrease } = change;
  return { amount, previousAmount, fromCycle, effectiveAt: toIso(effectiveAt), kind, countsAsIncrease };
}

/** An entry of the trail about a change. */
function decisionOn(change: AmountChange | PendingChange, type: EventType, more: EventData): Decision {
  return { events: [{ type, data: { ...viewChange(change), ...more } }] };
}

/** Histories from before it lose with the next request what a cycle under way has frozen. */
const FROZEN_STAYS = 'what a cycle has frozen stays beside the next change';

/** What a request leaves pending beside its own change; null: nothing. */
function keptBeside(state: SubscriptionState): PendingChange | null {
  const frozen = frozenChange(state);
  return frozen !== null && patched(FROZEN_STAYS) ? frozen : null;
}

/** Changes of the amount: asked for, taken back, announced to the payer, dropped (rule 19 to 21). */
export class AmountChanges {
  constructor(private readonly context: SubscriptionContext) {}

  listen(): void {
    const { context } = this;
    setHandler(judgeChangeQuery, (request) => {
      requireArgument(JUDGE_CHANGE, request);
      return judgeChange(context.state, request);
    });
    setHandler(changeAmountUpdate, (request) => this.change(request), {
      validator: (request: AmountChangeRequest) =>
        context.refuseAtOnce(CHANGE_AMOUNT, request, () => refuseChange(context.state, request)),
    });
    setHandler(withdrawChangeUpdate, (request) => this.withdraw(request), {
      validator: (request: Request) =>
        context.refuseAtOnce(WITHDRAW_CHANGE, request, () => refuseWithdrawal(context.state)),
    });
  }

  private async change(request: AmountChangeRequest): Promise<AmountChange> {
    const { context } = this;
    const made: AmountChange[] = [];
    const judge = (state: SubscriptionState) => {
      const judgement = judgeChange(state, request);
      if (judgement.kind !== 'allowed') return refusalOf(judgement);
      const { change } = judgement;
      made.push(change);
      const { pendingChange } = state;
      const kept = keptBeside(state);
      const replaces = pendingChange === null || pendingChange === kept ? null : viewChange(pendingChange);
      const decision = decisionOn(change, 'amount_change.accepted', { replaces, reason: request.reason });
      return { state: acceptChange(state, change, request.announceAhead, context.now(), kept), decision };
    };
    context.refuse(await context.steer(request, judge, 'change_amount'));
    const change = made.at(-1);
    if (change === undefined) throw new Error('a change was neither made nor refused');
    return change;
  }

  private async withdraw(request: Request): Promise<void> {
    const { context } = this;
    const judge = (state: SubscriptionState) => {
      const { pendingChange } = state;
      if (pendingChange === null) return refuseWithdrawal(state);
      const decision = decisionOn(pendingChange, 'amount_change.withdrawn', { reason: request.reason });
      return refuseWithdrawal(state) ?? { state: withdrawChange(state), decision };
    };
    context.refuse(await context.steer(request, judge, 'withdraw_change'));
  }

  /** Beside the cycles: one that comes before the payer has been notified collects the old amount (rule 21). */
  async announce(change: PendingChange): Promise<void> {
    const { context } = this;
    context.update(startAnnouncing(context.state));
    const { fromCycle: cycle, amount, previousAmount, requestedAt } = change;
    const { dueAt, collectBy } = collectionWindow(context.state.terms, cycle);
    const input = { ...context.reference, cycle, amount, previousAmount, requestedAt, dueAt, collectBy };
    const summary = `tell the payer of the increase from cycle ${cycle} on`;
    const result = await this.untilNotified(change, () => announceIncrease.executeWithOptions({ summary }, [input]));
    if (result === null || !isPending(context.state, change)) return;
    context.update(afterAnnouncing(context.state, change, result));
    const outcome = result.kind === 'delivered' ? { at: toIso(result.at) } : { reason: result.reason };
    await context.record(decisionOn(change, `amount_change.notice_${result.kind}`, outcome));
  }

  /** Begun anew where a person has done something about the notice; null where the change is no longer pending. */
  private async untilNotified(
    change: PendingChange,
    notify: () => Promise<NotifyResult>,
  ): Promise<NotifyResult | null> {
    const { context } = this;
    for (;;) {
      const { noticeNews } = context;
      const isOver = () => !isPending(context.state, change);
      const result = await context.until(() => isOver() || context.noticeNews !== noticeNews, notify);
      if (result !== null || isOver() || context.noticeNews === noticeNews) return result;
    }
  }

  /** The cycle may not collect it after all: the old amount is collected, and people are alerted. */
  async drop(change: PendingChange, cycle: number, reason: DropReason): Promise<void> {
    this.context.update(dropChange(this.context.state));
    await this.context.record(decisionOn(change, 'amount_change.dropped', { cycle, reason }));
  }
}
