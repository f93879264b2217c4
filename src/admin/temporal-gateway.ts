import type { UpdateDefinition } from '@temporalio/common';
import {
  acknowledgeUpdate,
  changeAmountUpdate,
  judgeChangeQuery,
  resolveCycleUpdate,
  resumeUpdate,
  retryCycleUpdate,
  skipCycleUpdate,
  withdrawChangeUpdate,
} from '../contract/messages';
import { subscriptionWorkflowId } from '../contract/workflow-ids';
import { refusalOf } from '../domain/subscription/amount-request';
import type { SubscriptionId } from '../domain/ids';
import { adoptByWorkflow } from './import/temporal-adoption';
import type { ChangeOrder, ChangeOutcome, SteerOutcome, SubscriptionGateway } from './subscription-gateway';
import { answered, outcomeOfRefusal } from './temporal-answers';
import { readRevision } from '../ledger';
import { checkConsent, RecentChecks } from './temporal-checks';
import { createByWorkflow } from './temporal-creation';
import { patienceOf, type TemporalGatewayDeps, withPatience } from './temporal-deps';
import { hasWorker } from './temporal-workers';
import { restartSubscription } from './temporal-restart';
import { cancelInLedger, pauseInLedger, tellWorkflow } from './temporal-stops';

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
    resume: (id, request) => steer(deps, id, resumeUpdate, request, patience.steerMs),
    cancel: (id, request) => cancelInLedger(deps, id, request),
    checkConsent: (id) => checkConsent(deps, recent, id, patience.createMs),
    skip: (id, request) => steer(deps, id, skipCycleUpdate, request, patience.steerMs),
    retry: (id, request) => steer(deps, id, retryCycleUpdate, request, patience.steerMs),
    changeAmount: (id, order) => changeAmount(deps, id, order, patience.steerMs),
    judgeAmount: (id, order) => judgeAmount(deps, id, order, patience.steerMs),
    withdrawChange: (id, request) => steer(deps, id, withdrawChangeUpdate, request, patience.steerMs),
    resolve: (id, request) => steer(deps, id, resolveCycleUpdate, request, patience.steerMs),
    acknowledge: (id, request) => steer(deps, id, acknowledgeUpdate, request, patience.steerMs),
    tell: (id, revision) => tellWorkflow(deps, id, revision),
    restart: (id, request) => restartSubscription(deps, id, request),
  };
}

/** With the row's revision: a workflow that has not heard of it yet does so first. */
async function steer<A extends object>(
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
