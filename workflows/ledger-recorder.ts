import { workflowInfo } from '@temporalio/workflow';
import type { SubscriptionPatch } from '../src/contract/activities';
import type { Instant } from '../src/domain/instant';
import type { CollectPlan, SubscriptionState } from '../src/domain/subscription';
import { record } from './activity-options';
import { type Decision, patchBetween, project, type Projection } from './ledger-changes';
import { sendNotice } from './send-notice';
import { Turns } from './turns';

/** Keeps the ledger's view of one subscription equal to the workflow's state, one change after the other. */
export class LedgerRecorder {
  private recorded: Projection;
  private readonly turns = new Turns();
  private count = 0;

  constructor(state: SubscriptionState) {
    this.recorded = project(state);
  }

  get idle(): boolean {
    return this.turns.idle;
  }

  /** The collecting activity has written these with the outcome. */
  assume(written: Partial<Projection>): void {
    this.recorded = { ...this.recorded, ...written };
  }

  /** What the ledger shows of a subscription as soon as a cycle is collected. */
  assumeCollected({ amount, nextDueAt }: CollectPlan): void {
    this.assume({ dunning: false, pastDue: false, nextDueAt, amount });
  }

  /** Whether the ledger's view of this state is out of date. */
  lags(state: SubscriptionState): boolean {
    return Object.keys(patchBetween(this.recorded, project(state))).length > 0;
  }

  /** Writes the decision together with what has changed in the state since the last one, and sends its notices. */
  async write(state: SubscriptionState, at: Instant, decision: Decision): Promise<void> {
    const after = project(state);
    const { hold, actor, ...rest } = decision;
    await this.turns.take(async () => {
      const patch: SubscriptionPatch = {
        ...patchBetween(this.recorded, after),
        ...(hold === undefined ? {} : { hold }),
      };
      const { noticeIds } = await record({
        subscriptionId: state.terms.subscriptionId,
        key: this.nextKey(),
        at,
        actor: actor ?? 'dueday',
        subscription: patch,
        ...rest,
      });
      this.recorded = after;
      await Promise.all(noticeIds.map(sendNotice));
    });
  }

  /** Unique over resets and continued runs, and the same in a replay. */
  private nextKey(): string {
    this.count += 1;
    return `${workflowInfo().runId}/${this.count}`;
  }
}
