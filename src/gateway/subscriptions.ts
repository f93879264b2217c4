import { setTimeout as pause } from 'node:timers/promises';
import type { UpdateDefinition } from '@temporalio/common';
import {
  cancelRequestedDecision,
  pausedDecision,
  acknowledgeUpdate,
  changeAmountUpdate,
  judgeChangeQuery,
  resolveCycleUpdate,
  resumeUpdate,
  retryCycleUpdate,
  skipCycleUpdate,
  withdrawChangeUpdate,
  type PauseRequest,
  type Request,
  steeredSignal,
} from '../contract/messages';
import { subscriptionWorkflowId } from '../contract/workflows';
import type { SubscriptionId } from '../domain/ids';
import { refusalOf } from '../domain/subscription/amount-request';
import { pause as paused, refuseCancel, refusePause, startCancelling } from '../domain/subscription/requests';
import { isTerminal } from '../domain/subscription/state';
import { readRevision, getSubscription, steer, type Steering } from '../ledger';
import { checkConsent, RecentChecks } from './checks';
import type { ChangeOrder, ChangeOutcome, SteerOutcome, SubscriptionGateway } from './outcomes';
import { restartSubscription } from './restart';
import { adoptByWorkflow } from './subscription-import';
import { createByWorkflow, frozenFor } from './subscription-start';
import { answered, outcomeOfRefusal, patienceOf, type TemporalGatewayDeps, withPatience, hasWorker } from './temporal';

/** Steers subscriptions by updates of their workflows. */
export function createTemporalGateway(deps: TemporalGatewayDeps): SubscriptionGateway {
  const patience = patienceOf(deps);
  const recent = new RecentChecks();
  return {
    hasWorker: () => hasWorker(deps),
    create: (draft, actor) => createByWorkflow(deps, draft, actor, patience.createMs),
    adopt: (order, answerMs = patience.createMs) =>
      adoptByWorkflow(deps, order, { draftMs: patience.createMs, answerMs }),
    pause: (id, request) => pauseInLedger(deps, id, request),
    resume: (id, request) => updateWorkflow(deps, id, resumeUpdate, request, patience.steerMs),
    cancel: (id, request) => cancelInLedger(deps, id, request),
    checkConsent: (id) => checkConsent(deps, recent, id, patience.createMs),
    skip: (id, request) => updateWorkflow(deps, id, skipCycleUpdate, request, patience.steerMs),
    retry: (id, request) => updateWorkflow(deps, id, retryCycleUpdate, request, patience.steerMs),
    changeAmount: (id, order) => changeAmount(deps, id, order, patience.steerMs),
    judgeAmount: (id, order) => judgeAmount(deps, id, order, patience.steerMs),
    withdrawChange: (id, request) => updateWorkflow(deps, id, withdrawChangeUpdate, request, patience.steerMs),
    resolve: (id, request) => updateWorkflow(deps, id, resolveCycleUpdate, request, patience.steerMs),
    acknowledge: (id, request) => updateWorkflow(deps, id, acknowledgeUpdate, request, patience.steerMs),
    tell: (id, revision) => tellWorkflow(deps, id, revision),
    restart: (id, request) => restartSubscription(deps, id, request),
  };
}

/** With the row's revision: a workflow that has not heard of it yet does so first. */
async function updateWorkflow<A extends object>(
  deps: TemporalGatewayDeps,
  id: SubscriptionId,
  update: UpdateDefinition<void, [A]>,
  request: A,
  patienceMs: number,
): Promise<SteerOutcome> {
  const handle = deps.client.workflow.getHandle(subscriptionWorkflowId(id));
  return answered(async () => {
    const asked = { ...request, ...(await revisionOf(deps, id)) };
    await withPatience(deps, patienceMs, () => handle.executeUpdate(update, { args: [asked] }));
    return { kind: 'done' };
  });
}

async function changeAmount(
  deps: TemporalGatewayDeps,
  id: SubscriptionId,
  order: ChangeOrder,
  patienceMs: number,
): Promise<ChangeOutcome> {
  const handle = deps.client.workflow.getHandle(subscriptionWorkflowId(id));
  return answered(async () => {
    const request = { ...order, announceAhead: deps.increaseNotice, ...(await revisionOf(deps, id)) };
    const change = await withPatience(deps, patienceMs, () =>
      handle.executeUpdate(changeAmountUpdate, { args: [request] }),
    );
    return { kind: 'changed', change };
  });
}

async function revisionOf({ db }: TemporalGatewayDeps, id: SubscriptionId): Promise<{ readonly revision?: number }> {
  const revision = await readRevision(db, id);
  return revision === null ? {} : { revision };
}

async function judgeAmount(
  deps: TemporalGatewayDeps,
  id: SubscriptionId,
  { amount, fromCycle }: ChangeOrder,
  patienceMs: number,
): Promise<ChangeOutcome> {
  const handle = deps.client.workflow.getHandle(subscriptionWorkflowId(id));
  const request = { amount, fromCycle, announceAhead: deps.increaseNotice };
  return answered(async () => {
    const judgement = await withPatience(deps, patienceMs, () => handle.query(judgeChangeQuery, request));
    return judgement.kind === 'allowed'
      ? { kind: 'changed', change: judgement.change }
      : outcomeOfRefusal(refusalOf(judgement));
  });
}

/** Real ms for which an answer waits until the workflow has been told: it holds in the ledger whatever comes of that. */
const TELL_PATIENCE_MS = 250;
const BETWEEN_LOOKS_MS = 25;

/** Pauses in the ledger, by the instant of the request (rules 23, 31); then the workflow is told. */
export async function pauseInLedger(
  deps: TemporalGatewayDeps,
  id: SubscriptionId,
  { actor, reason, until }: PauseRequest,
): Promise<SteerOutcome> {
  const at = deps.clock.now();
  return stop(deps, id, actor, at, (state) => {
    const decision = pausedDecision(until, reason);
    return refusePause(state, until, at) ?? { state: paused(state, at, until), decision };
  });
}

/**
 * Holds every further attempt in the ledger (rules 24, 31), and waits a moment for the service's word that the consent
 * has ended: `not_ready` until then.
 */
export async function cancelInLedger(
  deps: TemporalGatewayDeps,
  id: SubscriptionId,
  { actor, reason }: Request,
): Promise<SteerOutcome> {
  const patience = new AbortController();
  const tooLate = pause(patienceOf(deps).cancelMs, undefined, { signal: patience.signal }).catch(() => undefined);
  const at = deps.clock.now();
  const outcome = await stop(deps, id, actor, at, (state) => {
    if (state.status === 'cancelled' || state.cancellation !== null) return null;
    const cancelling = startCancelling(state, { at, actor, reason });
    return refuseCancel(state) ?? { state: cancelling, decision: cancelRequestedDecision(reason) };
  });
  if (outcome.kind !== 'done') return outcome;
  const confirmed = await Promise.race([tooLate, untilCancelled(deps, id, patience.signal)]);
  patience.abort();
  return confirmed === true ? outcome : { kind: 'not_ready' };
}

async function untilCancelled({ db }: TemporalGatewayDeps, id: SubscriptionId, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const subscription = await getSubscription(db, id);
    if (subscription === null || isTerminal(subscription.status)) return true;
    await pause(BETWEEN_LOOKS_MS);
  }
  return false;
}

async function stop(
  deps: TemporalGatewayDeps,
  id: SubscriptionId,
  actor: string,
  at: number,
  judge: Steering['judge'],
): Promise<SteerOutcome> {
  const otherwise = frozenFor(deps, id);
  const result = await steer(deps.db, { subscriptionId: id, actor, at, otherwise, judge });
  if (result.kind === 'refused') return outcomeOfRefusal(result.refusal);
  if (result.kind === 'steered') await tellInTime(deps, id, result.revision);
  return { kind: 'done' };
}

/** Whether the workflow hears of it now or later, see {@link tellWorkflow}, the ledger holds. */
async function tellInTime(deps: TemporalGatewayDeps, id: SubscriptionId, revision: number): Promise<void> {
  const told = tellWorkflow(deps, id, revision).catch(() => undefined);
  await Promise.race([told, pause(TELL_PATIENCE_MS)]);
}

/** Tells the workflow which revision the row has. @throws where it cannot be told now. */
export async function tellWorkflow(deps: TemporalGatewayDeps, id: SubscriptionId, revision: number): Promise<void> {
  const handle = deps.client.workflow.getHandle(subscriptionWorkflowId(id));
  const { steerMs } = patienceOf(deps);
  await withPatience(deps, steerMs, () => handle.signal(steeredSignal, revision));
}
