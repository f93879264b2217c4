import type { SubscriptionId } from '../../domain/ids';
import { refuseRetryOfClosed } from '../../domain/subscription/requests';
import { isTerminal } from '../../domain/subscription/state';
import { type Instant, LAST_INSTANT } from '../../domain/time';
import type { RequestOutcome } from '../../temporal';
import {
  getCycle,
  type PauseRequest,
  type Request,
  type RetryRequest,
  type SteeringRequests,
  type SubscriptionRecord,
  wasSteered,
} from '../../ledger';
import type { AdminDeps } from '../dependencies';
import { invalidRequest, Problem, stateConflict } from '../http/problems';
import { pastFaults } from '../http/validation';
import { refuseWhileHalted } from '../operations/halt';
import { findSubscription } from './read';
import { problemOf } from './steering';

/**
 * What a request about an existing subscription does, whether it is a call of its own or one of a bulk job. Each function resolves
 * once the request has taken effect in the ledger.
 * @throws Problem unless the request was carried out
 */
export const carryOut = {
  async resume(deps: AdminDeps, id: SubscriptionId, request: Request): Promise<void> {
    const before = await findSubscription(deps.db, id);
    await checkUnlessDone(deps, 'resume', id, request, () => refuseTerminal(before));
    await steer(deps, 'resume', id, request);
  },

  async pause(deps: AdminDeps, id: SubscriptionId, request: PauseRequest): Promise<void> {
    const before = await findSubscription(deps.db, id);
    // The last possible instant means "until resumed" (rule 3).
    const until = request.until === LAST_INSTANT ? null : request.until;
    await checkUnlessDone(deps, 'pause', id, request, () => {
      refusePast(until, deps.clock.now());
      refuseTerminal(before);
    });
    await steer(deps, 'pause', id, { ...request, until });
  },

  async cancel(deps: AdminDeps, id: SubscriptionId, request: Request): Promise<void> {
    const before = await findSubscription(deps.db, id);
    if (before.status === 'cancelled') return;
    await checkUnlessDone(deps, 'cancel', id, request, () => refuseTerminal(before));
    await steer(deps, 'cancel', id, request);
  },

  async acknowledge(deps: AdminDeps, id: SubscriptionId, request: Request): Promise<void> {
    const needsAttention = async () => (await findSubscription(deps.db, id)).attention.length > 0;
    if (!(await needsAttention())) return;
    const outcome = await deps.subscriptions.steer('acknowledge', id, request);
    // Another operator may have been first, or the items have closed: nothing needs attention any more.
    if (outcome.kind !== 'done' && (await needsAttention())) requireDone(outcome);
  },

  async checkConsent(deps: AdminDeps, id: SubscriptionId): Promise<void> {
    const hasEnded = async () => isTerminal((await findSubscription(deps.db, id)).status);
    // The consent has its final state, which is what the caller wants to know.
    if (await hasEnded()) return;
    const outcome = await deps.subscriptions.checkConsent(id);
    if (outcome.kind !== 'done' && !(await hasEnded())) requireDone(outcome);
  },

  async retry(deps: AdminDeps, id: SubscriptionId, request: RetryRequest): Promise<void> {
    const before = await findSubscription(deps.db, id);
    await checkUnlessDone(deps, 'retry', id, request, () => {
      refuseTerminal(before);
      return refuseWhileHalted(deps);
    });
    const outcome = await deps.subscriptions.steer('retry', id, request);
    if (outcome.kind === 'refused' && outcome.code === 'state_conflict') await refuseLimited(deps, id, request.cycle);
    requireDone(outcome);
  },
};

/**
 * Checks whether a request is possible. A request that was carried out before, and whose answer was lost, is answered again,
 * although it would no longer be possible.
 * @throws Problem of the check
 */
export async function checkUnlessDone(
  { db }: Pick<AdminDeps, 'db'>,
  verb: keyof SteeringRequests,
  id: SubscriptionId,
  { requestId }: Pick<Request, 'requestId'>,
  check: () => void | Promise<void>,
): Promise<void> {
  try {
    await check();
  } catch (problem) {
    if (!(problem instanceof Problem) || requestId === undefined) throw problem;
    if (!(await wasSteered(db, verb, id, requestId))) throw problem;
  }
}

/** @throws Problem unless the request was carried out */
export async function steer<V extends keyof SteeringRequests>(
  { subscriptions }: Pick<AdminDeps, 'subscriptions'>,
  verb: V,
  id: SubscriptionId,
  request: SteeringRequests[V],
): Promise<void> {
  requireDone(await subscriptions.steer(verb, id, request));
}

/** @throws Problem unless the request was carried out */
export function requireDone(outcome: RequestOutcome): void {
  if (outcome.kind !== 'done') throw problemOf(outcome);
}

/** @throws Problem if the subscription has ended: nothing can be changed in a terminal state (rule 23) */
export function refuseTerminal({ status }: SubscriptionRecord): void {
  if (isTerminal(status)) throw stateConflict(`The subscription is ${status} and cannot be changed.`);
}

/** Rule 23: the end of a pause must lie in the future. @throws Problem `invalid_request` */
function refusePast(until: Instant | null, now: Instant): void {
  const faults = until === null ? [] : pastFaults('until', until, now);
  if (faults.length > 0) throw invalidRequest(faults);
}

/**
 * The state by which a request is judged does not contain final cycles, so their retry is refused like that of any cycle that waits
 * for none. The row of the cycle tells why it ended.
 * @throws Problem if a limit of the service ended the cycle
 */
async function refuseLimited({ db }: AdminDeps, id: SubscriptionId, n: number): Promise<void> {
  const cycle = await getCycle(db, id, n);
  const refusal = cycle === null ? null : refuseRetryOfClosed(cycle);
  if (refusal !== null) throw problemOf({ kind: 'refused', ...refusal });
}
