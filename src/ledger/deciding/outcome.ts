import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { SubscriptionId } from '../../domain/ids';
import { planToSettle } from '../../domain/subscription/next-step';
import type { AttemptNumber } from '../../domain/subscription/step';
import { untriedBefore } from '../../domain/subscription/pending-change';
import type {
  CancelledBy,
  CollectPlan,
  AttemptResult,
  CollectResult,
  SubscriptionState,
} from '../../domain/subscription/state';
import { isTerminal } from '../../domain/subscription/state';
import { afterCollect, afterPending, beginCycle, endConsent } from '../../domain/subscription/transitions';
import type { Instant } from '../../domain/time';
import type { Actor } from '../../domain/audit/event';
import type { EventType } from '../../domain/audit/events';
import type { FinalResult } from '../rows/attempt';
import { inTransaction } from '../sql/database';
import { type Db, readValue } from '../sql/statements';
import { DUEDAY } from '../audit/entries';
import type { CycleRecordPatch } from '../rows/change';
import { isWithoutWrite, lockSubscription, type Transition, writeTransition } from './changes';
import { cancelledDecision, pendingDecision, resultDecision } from './decisions';
import { readState } from './facts';

/** Applies the outcome of an attempt to its subscription. */

/**
 * Applies a final outcome, in the transaction that records it and under the lock of the row.
 * @param before the state before the outcome was written
 */
export async function followOutcome(
  db: Db,
  before: SubscriptionState,
  { cycle }: AttemptNumber,
  result: FinalResult,
  at: Instant,
): Promise<void> {
  const followed = afterOutcome(before, cycle, result, at, await isLastStarted(db, before, cycle));
  if (followed !== null)
    await writeTransition(db, { key: `outcome/${randomUUID()}`, at, actor: DUEDAY, before, ...followed });
}

/** Whether no later cycle has started; true if nothing depends on that. */
async function isLastStarted(db: Db, { terms, pending }: SubscriptionState, cycle: number): Promise<boolean> {
  if (!pending.some((each) => each.cycle === cycle)) return true;
  return (await readValue<boolean>(db, 'select is_last_started($1, $2)', [terms.subscriptionId, cycle])) === true;
}

/** What `collect_cycle` writes to the standing, unless a later cycle has started (rule 25). */
const CLEARED_BY_DEBIT = { dunning: false, pastDue: false };

/**
 * Whether a debit writes nothing beyond its attempt, its cycle, and the amounts and the standing of the subscription.
 * @param isLast whether no later cycle has started
 */
export function isAllOfDebit(
  before: SubscriptionState,
  { cycle }: AttemptNumber,
  result: FinalResult,
  at: Instant,
  isLast: boolean,
): boolean {
  const followed = afterOutcome(before, cycle, result, at, isLast);
  return followed === null || isWithoutWrite({ before, ...followed }, isLast ? CLEARED_BY_DEBIT : {});
}

function afterOutcome(
  before: SubscriptionState,
  cycle: number,
  result: FinalResult,
  at: Instant,
  isLast: boolean,
): Pick<Transition, 'after' | 'decision' | 'raisesRevision'> | null {
  const plan = planToSettle(before, cycle, at);
  const parked = before.pending.find((each) => each.cycle === cycle);
  if (parked !== undefined) {
    const after = afterPending(before, parked, result, isLast);
    return { after, decision: pendingDecision(before, parked, result), raisesRevision: true };
  }
  if (plan === null) return null;
  const after = afterCollect(before, plan, result);
  const decision = resultDecision(before, after, plan, result) ?? { events: [] };
  const known =
    before.open?.unsettled === 'unresolved' && result.kind !== 'collected' ? { cycle: resolvedCycle(plan) } : {};
  return { after, decision: { ...decision, ...known } };
}

/** A cycle that was shown as unresolved continues from its outcome. */
function resolvedCycle({ cycle, dueAt, collectBy, amount }: CollectPlan): CycleRecordPatch {
  return { cycle, dueAt, collectBy, amount, status: 'collecting', reason: null };
}

/** Results that the row of an attempt does not show. */
export type OtherResult = Exclude<CollectResult, FinalResult>;

/** Records a result that leaves the attempt without an outcome, or ends the subscription. Repeating it changes nothing. */
export async function recordResult(
  pool: Pool,
  subscriptionId: SubscriptionId,
  plan: CollectPlan,
  result: OtherResult,
  at: Instant,
): Promise<void> {
  if (result.kind === 'stopped' || result.kind === 'window_closed' || result.kind === 'reopened') return;
  await inTransaction(pool, async (db) => {
    await lockSubscription(db, subscriptionId);
    const before = await readState(db, subscriptionId, at);
    if (result.kind !== 'consent_ended') await note(db, before, plan, result, at);
    else if (!isTerminal(before.status)) {
      const { by, reason } = result;
      await writeEnd(db, before, { by, reason, actor: DUEDAY, at, raisesRevision: false });
    }
  });
}

/** The key of an audit entry that an attempt has once. */
export function onceOf(
  type: EventType,
  { subscriptionId, cycle, attempt }: AttemptNumber & { readonly subscriptionId: SubscriptionId },
): string {
  return `${type}/${subscriptionId}/${cycle}/${attempt}`;
}

async function note(
  db: Db,
  before: SubscriptionState,
  plan: CollectPlan,
  result: Extract<AttemptResult, OtherResult>,
  at: Instant,
): Promise<void> {
  if (before.pending.some(({ cycle }) => cycle === plan.cycle)) return;
  const started = beginCycle(before, plan);
  // The cycle has ended since the result was found: what has ended it counts.
  if (started.open?.cycle !== plan.cycle) return;
  // Another worker has found the same.
  if (result.kind === 'unresolved' && before.open?.unsettled === 'unresolved') return;
  const after = afterCollect(started, plan, result);
  const decision = resultDecision(before, after, plan, result) ?? { events: [] };
  const { subscriptionId } = before.terms;
  // A later run that finds the window closed records the same.
  const key =
    result.kind === 'unknown'
      ? onceOf('attempt.unknown_past_window', { subscriptionId, ...plan })
      : `${result.kind}/${plan.cycle}/${plan.attempt}/${randomUUID()}`;
  await writeTransition(db, { key, at, actor: DUEDAY, before, after, decision });
}

interface ConsentEnd extends Actor {
  readonly by: CancelledBy;
  readonly reason: string | null;
  readonly at: Instant;
  /** Whether the workflow has to be notified. */
  readonly raisesRevision: boolean;
}

/**
 * The consent of a live subscription has ended, and the subscription with it.
 * @returns the revision of the row afterwards
 */
export function writeEnd(db: Db, before: SubscriptionState, { by, reason, ...end }: ConsentEnd): Promise<number> {
  const after = endConsent(before, by, untriedBefore(before, end.at) === null ? null : end.at);
  const decision = cancelledDecision(by, reason);
  return writeTransition(db, { key: `ended/${randomUUID()}`, ...end, before, after, decision });
}
