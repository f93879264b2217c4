import { isTerminal } from '../../domain/subscription/state';
import type { SubscriptionRecord } from '../../ledger';
import type { AdminDeps } from '../admin-deps';
import { callerOf } from '../caller';
import { findSubscription, subscriptionIdOf } from '../found-subscription';
import { FAULT_ANSWERS } from '../schemas/problem';
import { SubscriptionOut } from '../schemas/subscription';
import { ReasonBody, SubscriptionParams } from '../schemas/subscription-request';
import { refusedAsFinished, requestBy, requireDone } from '../steer-answers';
import type { SteerOutcome } from '../subscription-gateway';
import { viewSubscription } from '../views/subscription-view';
import type { TypedApp } from './typed-app';

/** `POST /subscriptions/{id}/cancel`: 200 once the service has confirmed, 202 until then (decisions 24). */
export function cancelRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/cancel',
    {
      config: { role: 'admin', asks: 'cancel' },
      schema: {
        tags: ['subscriptions'],
        operationId: 'cancelSubscription',
        summary: 'Cancels: no new attempt from now on, and the consent is ended at the service',
        params: SubscriptionParams,
        body: ReasonBody,
        response: { 200: SubscriptionOut, 202: SubscriptionOut, ...FAULT_ANSWERS },
      },
    },
    async (request, reply) => {
      const before = await findSubscription(deps.db, subscriptionIdOf(request.params));
      if (before.status === 'cancelled') return viewSubscription(before);
      if (isTerminal(before.status)) throw refusedAsFinished(before);
      const asked = requestBy(callerOf(request), request.body);
      const outcome = await deps.subscriptions.cancel(before.subscriptionId, asked);
      const after = await findSubscription(deps.db, before.subscriptionId);
      return reply.code(statusOf(outcome, after)).send(viewSubscription(after));
    },
  );
}

/** The ledger's word counts for more than an answer that came late or not at all. */
function statusOf(outcome: SteerOutcome, after: SubscriptionRecord): 200 | 202 {
  if (after.status === 'cancelled') return 200;
  if (outcome.kind === 'not_ready' && after.hold === 'cancel') return 202;
  requireDone(outcome, after);
  return 200;
}
