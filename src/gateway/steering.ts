import { setTimeout as pause } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { changedSignal, SUBSCRIPTION_WORKFLOW } from '../contract/messages';
import { subscriptionWorkflowId } from '../contract/workflows';
import type { SubscriptionId } from '../domain/ids';
import { type AmountChange, judgeChange, refusalOf } from '../domain/subscription/amount-request';
import { ORPHANED } from '../domain/subscription/pauses';
import { isTerminal } from '../domain/subscription/state';
import { type ChangedRow, getSubscription, readState, type Request, steer, type SteeringRequests, type SteerResult } from '../ledger';
import type { Money } from '../domain/money';
import { type NotDone, refused, type SteerOutcome } from './outcomes';
import { subscriptionStart } from './starts';
import { patienceOf, type TemporalGatewayDeps, unlessEnded, withPatience } from './temporal';

/**
 * Steering: judged and written in the ledger, which holds at once; Temporal is notified afterwards, and is not waited for. A job
 * notifies again until the workflow has acknowledged the change, see `src/jobs/watch-ledger.ts`.
 */

const BETWEEN_CHECKS_MS = 25;

export async function steerInLedger<V extends keyof SteeringRequests>(
  deps: TemporalGatewayDeps,
  verb: V,
  id: SubscriptionId,
  request: SteeringRequests[V],
): Promise<SteerOutcome> {
  const result = await steerAndNotify(deps, verb, id, request);
  if (result.kind === 'refused') return refused(result.refusal);
  if (verb !== 'cancel') return { kind: 'done' };
  return (await untilCancelled(deps, id)) ? { kind: 'done' } : { kind: 'not_ready' };
}

async function steerAndNotify<V extends keyof SteeringRequests>(
  deps: TemporalGatewayDeps,
  verb: V,
  id: SubscriptionId,
  request: SteeringRequests[V],
): Promise<SteerResult> {
  const { db, clock } = deps;
  const result = await steer(db, verb, id, request, { at: clock.now(), realAt: clock.realNow() });
  if (result.kind === 'steered') {
    const { revision, other } = result;
    void notifyQuietly(deps, { subscriptionId: id, revision });
    if (other !== undefined) void notifyQuietly(deps, other);
  }
  return result;
}

/** A cancellation holds at once; for the confirmation by the service its caller waits a moment (rule 24). */
async function untilCancelled(deps: TemporalGatewayDeps, id: SubscriptionId): Promise<boolean> {
  const until = performance.now() + patienceOf(deps).cancelMs;
  for (;;) {
    const subscription = await getSubscription(deps.db, id);
    if (subscription === null || isTerminal(subscription.status)) return true;
    if (performance.now() >= until) return false;
    await pause(BETWEEN_CHECKS_MS);
  }
}

/** What cannot be reached now is notified by the job. */
async function notifyQuietly(deps: TemporalGatewayDeps, { subscriptionId, revision }: ChangedRow): Promise<void> {
  await notifyWorkflow(deps, subscriptionId, revision).catch(() => undefined);
}

/**
 * Notifies the workflow of the revision that the row has; one that is missing is started. Of an orphan that an operator has to
 * restart, and of one that has ended, a missing workflow is left alone.
 * @throws if Temporal cannot be reached now.
 */
export async function notifyWorkflow(deps: TemporalGatewayDeps, id: SubscriptionId, revision: number): Promise<void> {
  const { client, db, taskQueue } = deps;
  const subscription = await getSubscription(db, id);
  if (subscription === null) return;
  const isToRun = !isTerminal(subscription.status) && !subscription.attention.includes(ORPHANED);
  const handle = client.workflow.getHandle(subscriptionWorkflowId(id));
  await withPatience(deps, patienceOf(deps).steerMs, async () => {
    try {
      await handle.signal(changedSignal, revision);
    } catch (error) {
      if (!isToRun || !(error instanceof WorkflowNotFoundError)) return unlessEnded(error);
      const { args, workflowIdConflictPolicy: _joined, ...options } = subscriptionStart(deps, subscription, taskQueue);
      await client.workflow.signalWithStart(SUBSCRIPTION_WORKFLOW, {
        ...options,
        args,
        signal: changedSignal,
        signalArgs: [revision],
      });
    }
  });
}

export type ChangeOutcome = { readonly kind: 'changed'; readonly change: AmountChange } | NotDone;

/** A new amount from a cycle on; null: from the next one on. */
export interface ChangeOrder extends Request {
  readonly amount: Money;
  readonly fromCycle: number | null;
}

export async function changeAmount(
  deps: TemporalGatewayDeps,
  id: SubscriptionId,
  order: ChangeOrder,
): Promise<ChangeOutcome> {
  const request = { ...order, announceAhead: deps.increaseNotice };
  const result = await steerAndNotify(deps, 'change_amount', id, request);
  if (result.kind === 'refused') return refused(result.refusal);
  // Written by an earlier call, whose answer was lost: what it came to follows from the row.
  const change = (result.kind === 'steered' ? result.change : undefined) ?? (await pendingChange(deps, id));
  return change === null ? { kind: 'not_ready' } : { kind: 'changed', change };
}

async function pendingChange({ db, clock }: TemporalGatewayDeps, id: SubscriptionId): Promise<AmountChange | null> {
  const { pendingChange: pending, lastIncreaseAt } = await readState(db, id, clock.now());
  return pending === null ? null : { ...pending, nextIncreaseAllowedFrom: lastIncreaseAt };
}

/** What the change would be; nothing is changed. */
export async function judgeAmount(
  { db, clock, increaseNotice }: TemporalGatewayDeps,
  id: SubscriptionId,
  { amount, fromCycle }: ChangeOrder,
): Promise<ChangeOutcome> {
  const state = await readState(db, id, clock.now());
  const judgement = judgeChange(state, { amount, fromCycle, announceAhead: increaseNotice });
  return judgement.kind === 'allowed'
    ? { kind: 'changed', change: judgement.change }
    : refused(refusalOf(judgement));
}
