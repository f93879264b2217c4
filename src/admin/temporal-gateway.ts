import type { UpdateDefinition } from '@temporalio/common';
import {
  acknowledgeUpdate,
  cancelUpdate,
  checkConsentUpdate,
  pauseUpdate,
  resumeUpdate,
  retryCycleUpdate,
  skipCycleUpdate,
} from '../contract/messages';
import { subscriptionWorkflowId } from '../contract/workflow-ids';
import type { SubscriptionId } from '../domain/ids';
import type { SteerOutcome, SubscriptionGateway } from './subscription-gateway';
import { readSteerError } from './temporal-answers';
import { createByWorkflow } from './temporal-creation';
import { PATIENCE, type TemporalGatewayDeps, withPatience } from './temporal-deps';

/** Steers subscriptions by updates of their workflows. */
export function createTemporalGateway(deps: TemporalGatewayDeps): SubscriptionGateway {
  const patience = { ...PATIENCE, ...deps.patience };
  return {
    create: (draft, actor) => createByWorkflow(deps, draft, actor, patience.createMs),
    pause: (id, request) => steer(deps, id, pauseUpdate, request, patience.steerMs),
    resume: (id, request) => steer(deps, id, resumeUpdate, request, patience.steerMs),
    cancel: (id, request) => steer(deps, id, cancelUpdate, request, patience.cancelMs),
    checkConsent: (id, request) => steer(deps, id, checkConsentUpdate, request, patience.createMs),
    skip: (id, request) => steer(deps, id, skipCycleUpdate, request, patience.steerMs),
    retry: (id, request) => steer(deps, id, retryCycleUpdate, request, patience.steerMs),
    acknowledge: (id, request) => steer(deps, id, acknowledgeUpdate, request, patience.steerMs),
  };
}

async function steer<A>(
  deps: TemporalGatewayDeps,
  id: SubscriptionId,
  update: UpdateDefinition<void, [A]>,
  request: A,
  patienceMs: number,
): Promise<SteerOutcome> {
  const handle = deps.client.workflow.getHandle(subscriptionWorkflowId(id));
  try {
    await withPatience(deps, patienceMs, () => handle.executeUpdate(update, { args: [request] }));
    return { kind: 'done' };
  } catch (error) {
    const outcome = readSteerError(error);
    if (outcome === null) throw error;
    return outcome;
  }
}
