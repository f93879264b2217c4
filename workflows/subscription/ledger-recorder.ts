import { workflowInfo } from '@temporalio/workflow';
import type { LedgerState, RecordResult, SubscriptionPatch } from '../../src/contract/activities';
import type { Decision } from '../../src/contract/messages';
import { isShownOtherwise, patchBetween, project, type Projection } from '../../src/contract/projection';
import type { CollectPlan, SubscriptionState } from '../../src/domain/subscription/state';
import type { Instant } from '../../src/domain/time';
import { readLedger, record } from '../activities';
import { Mutex, sendNotice } from '../runtime';
import { describeDecision, describeNotice } from './details';

/** What became of a change; neither stale nor refused, it is in the ledger. */
export interface Written {
  /** The decision was made by an older revision than the row has. */
  readonly stale: boolean;
  /** Why the request that was brought is none of the API's. */
  readonly refused?: string;
}

/** Keeps the ledger's view of one subscription equal to the workflow's state, one change after the other. */
export class LedgerRecorder {
  private recorded: Projection;
  private readonly turns = new Mutex();
  private count = 0;
  /** Changes whose turn has not come. */
  private toWrite = 0;
  private known: number;
  private newest: number;

  /** @param stateNow the state at the moment in which a change is written */
  constructor(private readonly stateNow: () => SubscriptionState) {
    const state = stateNow();
    this.recorded = project(state);
    this.known = this.newest = state.revision;
  }

  get idle(): boolean {
    return this.turns.idle;
  }

  /** The newest revision of the row that this workflow has heard of, or raised itself. */
  get revision(): number {
    return this.known;
  }

  /** Whether another caller has steered the row since. */
  get isBehind(): boolean {
    return this.newest > this.known;
  }

  /** The collecting activity has written these with the outcome. */
  assume(written: Partial<Projection>): void {
    this.recorded = { ...this.recorded, ...written };
  }

  /** What the ledger shows of a subscription as soon as a cycle is collected. */
  assumeCollected({ amount, nextDueAt }: CollectPlan): void {
    this.assume({ dunning: false, pastDue: false, nextDueAt, amount, current: amount });
  }

  /** Whether the ledger's view of this state is out of date. */
  lags(state: SubscriptionState): boolean {
    return isShownOtherwise(this.recorded, project(state));
  }

  /**
   * Writes the decision together with what has changed in the state since the last one, and sends its notices; nothing
   * where it is stale or refused.
   */
  async write(at: Instant, decision: Decision, stateNow = this.stateNow): Promise<Written> {
    const { hold, actor, ...rest } = decision;
    this.toWrite += 1;
    return this.turns.take(async () => {
      this.toWrite -= 1;
      const state = stateNow();
      const after = project(state);
      const patch: SubscriptionPatch = {
        ...patchBetween(this.recorded, after),
        ...(hold === undefined ? {} : { hold }),
      };
      const change = {
        subscriptionId: state.terms.subscriptionId,
        key: this.nextKey(),
        at,
        actor: actor ?? 'dueday',
        knows: this.known,
        subscription: patch,
        ...rest,
      };
      const result = await record.executeWithOptions({ summary: describeDecision(decision) }, [change]);
      const { stale = false, refused } = result;
      if (!stale && refused === undefined) this.recorded = after;
      this.hear(result, decision.steers === true);
      await Promise.all(result.noticeIds.map((id, index) => sendNotice(id, describeNotice(decision.notices?.[index]))));
      return refused === undefined ? { stale } : { stale, refused };
    });
  }

  /**
   * Reads the state as the ledger has it, between two changes. Where a change came while it was read, what was read is
   * older than the state: it is read again, once that change is written.
   * @param take takes the state over from it, or not
   * @returns what `take` has answered
   */
  async read(take: (read: LedgerState) => boolean): Promise<boolean> {
    let taken: boolean | null = null;
    while (taken === null) taken = await this.readOnce(take);
    return taken;
  }

  /** Null where a change waits to be written. */
  private async readOnce(take: (read: LedgerState) => boolean): Promise<boolean | null> {
    return this.turns.take(async () => {
      const { terms, policy, spread } = this.stateNow();
      const read = await readLedger({ subscriptionId: terms.subscriptionId, policy, spread });
      if (this.toWrite > 0) return null;
      const taken = take(read);
      if (taken) {
        this.recorded = project(read.state);
        this.known = this.newest = read.state.revision;
      }
      await Promise.all(read.noticeIds.map((id) => sendNotice(id)));
      return taken;
    });
  }

  /** A release of before answered no revision. What is answered again may be another caller's revision. */
  private hear({ revision = this.newest, stale, refused, repeated }: RecordResult, raised: boolean): void {
    this.newest = Math.max(this.newest, revision);
    const isOwn = raised && stale !== true && refused === undefined && repeated !== true;
    if (isOwn) this.known = this.newest;
  }

  /** Unique over resets and continued runs, and the same in a replay. */
  private nextKey(): string {
    this.count += 1;
    return `${workflowInfo().runId}/${this.count}`;
  }
}
