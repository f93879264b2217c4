import { randomUUID } from 'node:crypto';
import { isTerminal } from '../../domain/subscription/state';
import { applyChange, type SubscriptionRecord } from '../../ledger';
import type { Request } from '../../contract/messages';
import type { AdminDeps } from '../admin-deps';
import { callerOf } from '../caller';
import { findSubscription, subscriptionIdOf } from '../found-subscription';
import { FAULT_ANSWERS } from '../schemas/problem';
import { SubscriptionOut } from '../schemas/subscription';
import { RequiredReasonBody, EmptyBody, SubscriptionParams } from '../schemas/subscription-request';
import { requestBy, requireDone } from '../steer-answers';
import { viewSubscription } from '../views/subscription-view';
import type { TypedApp } from './typed-app';

/** `POST /subscriptions/{id}/consent-check` and `…/acknowledge`. */
export function attendRoutes(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/consent-check',
    {
      config: { role: 'operator', asks: 'check_consent' },
      schema: {
        tags: ['subscriptions'],
        operationId: 'checkConsent',
        summary: 'Asks the service for the consent now, for when the payer has come back',
        params: SubscriptionParams,
        body: EmptyBody,
        response: { 200: SubscriptionOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, subscriptionIdOf(request.params));
      // The consent has been answered for good: that answer is what the caller wants to know.
      if (isTerminal(before.status)) return viewSubscription(before);
      const outcome = await deps.subscriptions.checkConsent(before.subscriptionId, requestBy(callerOf(request), null));
      const after = await findSubscription(deps.db, before.subscriptionId);
      if (!isTerminal(after.status)) requireDone(outcome, after);
      return viewSubscription(after);
    },
  );
  app.post(
    '/subscriptions/:id/acknowledge',
    {
      config: { role: 'operator', asks: 'acknowledge' },
      schema: {
        tags: ['subscriptions'],
        operationId: 'acknowledgeSubscription',
        summary: 'A person has seen what needs attention: clears that standing',
        params: SubscriptionParams,
        body: RequiredReasonBody,
        response: { 200: SubscriptionOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, subscriptionIdOf(request.params));
      const asked = requestBy(callerOf(request), request.body);
      const outcome = await deps.subscriptions.acknowledge(before.subscriptionId, asked);
      if (outcome.kind === 'finished' && isTerminal(before.status)) await acknowledgeFinished(deps, before, asked);
      else requireDone(outcome, before);
      return viewSubscription(await findSubscription(deps.db, before.subscriptionId));
    },
  );
}

/** No workflow owns an ended subscription any more, so that nothing races this; its matters still wait for a person. */
async function acknowledgeFinished(deps: AdminDeps, record: SubscriptionRecord, asked: Request): Promise<void> {
  if (record.attention.length === 0) return;
  await applyChange(deps.db, {
    subscriptionId: record.subscriptionId,
    key: `acknowledge/${randomUUID()}`,
    at: deps.clock.now(),
    actor: asked.actor,
    events: [{ type: 'attention.acknowledged', data: { matters: record.attention, reason: asked.reason } }],
    subscription: { attention: [] },
  });
}
