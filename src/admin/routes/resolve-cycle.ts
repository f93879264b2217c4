import { callerOf } from '../caller';
import type { AdminDeps } from '../admin-deps';
import { findCycle, findSubscription, subscriptionIdOf } from '../found-subscription';
import { CycleOut } from '../schemas/cycle';
import { FAULT_ANSWERS } from '../schemas/problem';
import { CycleParams, ResolveBody } from '../schemas/subscription-request';
import { requireDone } from '../steer-answers';
import { viewCycle } from '../views/cycle-view';
import type { TypedApp } from './typed-app';

/** `POST /subscriptions/{id}/cycles/{n}/resolve`: a person's word on an unresolved attempt (decisions 18). */
export function resolveCycleRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/cycles/:n/resolve',
    {
      config: { role: 'admin', asks: 'resolve' },
      schema: {
        tags: ['cycles'],
        operationId: 'resolveCycle',
        summary: 'Decides, with evidence, what became of an attempt of which the service does not tell',
        params: CycleParams,
        body: ResolveBody,
        response: { 200: CycleOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const { outcome, evidence, authorizationId = null, captureId = null } = request.body;
      const before = await findSubscription(deps.db, subscriptionIdOf(request.params));
      const word = { outcome, evidence, authorizationId, captureId, actor: callerOf(request).name };
      const asked = { ...word, cycle: request.params.n };
      requireDone(await deps.subscriptions.resolve(before.subscriptionId, asked), before);
      return viewCycle(await findCycle(deps.db, before.subscriptionId, request.params.n));
    },
  );
}
