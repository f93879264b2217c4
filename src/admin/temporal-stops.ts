import { setTimeout as pause } from 'node:timers/promises';
import { cancelRequestedDecision, pausedDecision } from '../contract/decisions';
import { type PauseRequest, type Request, steeredSignal } from '../contract/messages';
import { subscriptionWorkflowId } from '../contract/workflow-ids';
import type { SubscriptionId } from '../domain/ids';
import { pause as paused, refuseCancel, refusePause, startCancelling } from '../domain/subscription/requests';
import { isTerminal } from '../domain/subscription/state';
import { getSubscription, steer, type Steering } from '../ledger';
import type { SteerOutcome } from './subscription-gateway';
import { frozenFor } from './subscription-spread';
import { outcomeOfRefusal } from './temporal-answers';
import { patienceOf, type TemporalGatewayDeps, withPatience } from './temporal-deps';

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
