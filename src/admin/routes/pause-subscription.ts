import { isTerminal } from '../../domain/subscription/state';
import { toIso, type Instant } from '../../domain/time';
import type { SubscriptionRecord } from '../../ledger';
import type { AdminDeps } from '../admin-deps';
import { callerOf } from '../caller';
import { findSubscription, subscriptionIdOf } from '../found-subscription';
import { invalidRequest } from '../problems';
import { FAULT_ANSWERS } from '../schemas/problem';
import { SubscriptionOut } from '../schemas/subscription';
import { PauseBody, ReasonBody, SubscriptionParams } from '../schemas/subscription-request';
import { refusedAsFinished, requestBy, requireDone } from '../steer-answers';
import { viewSubscription } from '../views/subscription-view';
import type { TypedApp } from './typed-app';

/** `POST /subscriptions/{id}/pause` and `…/resume`. */
export function pauseRoutes(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/pause',
    {
      config: { role: 'operator', asks: 'pause' },
      schema: {
        tags: ['subscriptions'],
        operationId: 'pauseSubscription',
        summary: 'Pauses: due dates inside the pause are skipped for good',
        params: SubscriptionParams,
        body: PauseBody,
        response: { 200: SubscriptionOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, subscriptionIdOf(request.params));
      const until = request.body?.until ?? null;
      refusePast(until, deps.clock.now());
      refuseTerminal(before);
      const asked = { ...requestBy(callerOf(request), request.body), until };
      requireDone(await deps.subscriptions.pause(before.subscriptionId, asked), before);
      return viewSubscription(await findSubscription(deps.db, before.subscriptionId));
    },
  );
  app.post(
    '/subscriptions/:id/resume',
    {
      config: { role: 'operator', asks: 'resume' },
      schema: {
        tags: ['subscriptions'],
        operationId: 'resumeSubscription',
        summary: 'Ends a pause: the calendar stays as it was, without arrears',
        params: SubscriptionParams,
        body: ReasonBody,
        response: { 200: SubscriptionOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, subscriptionIdOf(request.params));
      refuseTerminal(before);
      const asked = requestBy(callerOf(request), request.body);
      requireDone(await deps.subscriptions.resume(before.subscriptionId, asked), before);
      return viewSubscription(await findSubscription(deps.db, before.subscriptionId));
    },
  );
}

/** Decisions 23: "`until` (future, else 400)". */
function refusePast(until: Instant | null, now: Instant): void {
  if (until === null || until > now) return;
  throw invalidRequest([{ path: 'until', message: `expected a time after now, ${toIso(now)}; got ${toIso(until)}` }]);
}

function refuseTerminal(record: SubscriptionRecord): void {
  if (isTerminal(record.status)) throw refusedAsFinished(record);
}
