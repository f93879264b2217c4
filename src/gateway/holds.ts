import { setTimeout as pause } from 'node:timers/promises';
import {
  cancelRequestedDecision,
  pausedDecision,
  type PauseRequest,
  type Request,
  steeredSignal,
} from '../contract/messages';
import { subscriptionWorkflowId } from '../contract/workflows';
import type { SubscriptionId } from '../domain/ids';
import { pause as paused, refuseCancel, refusePause, startCancelling } from '../domain/subscription/requests';
import { isTerminal } from '../domain/subscription/state';
import type { Instant } from '../domain/time';
import { type Actor, actorOf } from '../domain/trail/event';
import { getSubscription, steer, type Steering } from '../ledger';
import { refused, type SteerOutcome } from './outcomes';
import { frozenFor } from './subscription-start';
import { patienceOf, type TemporalGatewayDeps, withPatience } from './temporal';

/** Real ms for which an answer waits until the workflow is notified. The hold is in the ledger, notified or not. */
const NOTIFY_PATIENCE_MS = 250;
const BETWEEN_LOOKS_MS = 25;

/** Pauses in the ledger, by the instant of the request (rules 23, 31); then notifies the workflow. */
export async function pauseInLedger(
  deps: TemporalGatewayDeps,
  id: SubscriptionId,
  { reason, until, ...request }: PauseRequest,
): Promise<SteerOutcome> {
  const at = deps.clock.now();
  return stop(deps, id, { ...request, verb: 'pause', at }, (state) => {
    const decision = pausedDecision(until, reason);
    return refusePause(state, until, at) ?? { state: paused(state, at, until), decision };
  });
}

/**
 * Holds every further attempt in the ledger (rules 24, 31), and waits a moment for the service to confirm that the
 * consent has ended: `not_ready` until then.
 */
export async function cancelInLedger(
  deps: TemporalGatewayDeps,
  id: SubscriptionId,
  request: Request,
): Promise<SteerOutcome> {
  const { reason } = request;
  const patience = new AbortController();
  const tooLate = pause(patienceOf(deps).cancelMs, undefined, { signal: patience.signal }).catch(() => undefined);
  const at = deps.clock.now();
  const outcome = await stop(deps, id, { ...request, verb: 'cancel', at }, (state) => {
    if (state.status === 'cancelled' || state.cancellation !== null) return null;
    const cancelling = startCancelling(state, { at, ...actorOf(request), reason });
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

interface Stop extends Actor, Pick<Request, 'requestId'> {
  readonly verb: 'pause' | 'cancel';
  readonly at: Instant;
}

async function stop(
  deps: TemporalGatewayDeps,
  id: SubscriptionId,
  { verb, at, requestId, ...by }: Stop,
  judge: Steering['judge'],
): Promise<SteerOutcome> {
  const known = requestId === undefined ? undefined : `${verb}/${requestId}`;
  const otherwise = frozenFor(deps, id);
  const result = await steer(deps.db, { ...actorOf(by), subscriptionId: id, at, requestId: known, otherwise, judge });
  if (result.kind === 'refused') return refused(result.refusal);
  if (result.kind === 'steered') await notifyInTime(deps, id, result.revision);
  return { kind: 'done' };
}

/** Does not wait long: the ledger holds, and a job notifies the workflow again, see `src/jobs/watch-ledger.ts`. */
async function notifyInTime(deps: TemporalGatewayDeps, id: SubscriptionId, revision: number): Promise<void> {
  const notified = notifyWorkflow(deps, id, revision).catch(() => undefined);
  await Promise.race([notified, pause(NOTIFY_PATIENCE_MS)]);
}

/** Notifies the workflow of the revision that the row has. @throws where it cannot be reached now. */
export async function notifyWorkflow(deps: TemporalGatewayDeps, id: SubscriptionId, revision: number): Promise<void> {
  const handle = deps.client.workflow.getHandle(subscriptionWorkflowId(id));
  const { steerMs } = patienceOf(deps);
  await withPatience(deps, steerMs, () => handle.signal(steeredSignal, revision));
}
