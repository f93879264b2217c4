import { isTerminal } from '../../domain/subscription/state';
import type { AdminDeps } from '../admin-deps';
import { callerOf } from '../caller';
import { findCycle, findSubscription, subscriptionIdOf } from '../found-subscription';
import { refuseWhileHalted } from '../halted';
import { CycleOut } from '../schemas/cycle';
import { FAULT_ANSWERS } from '../schemas/problem';
import { CycleParams, ReasonBody, RequiredReasonBody } from '../schemas/subscription-request';
import { refusedAsFinished, requestBy, requireDone } from '../steer-answers';
import { viewCycle } from '../views/cycle-view';
import type { TypedApp } from './typed-app';

/** `POST /subscriptions/{id}/cycles/{n}/skip` and `…/retry`. */
export function steerCycleRoutes(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/cycles/:n/skip',
    {
      config: { role: 'operator', asks: 'skip' },
      schema: {
        tags: ['cycles'],
        operationId: 'skipCycle',
        summary: 'Skips a cycle for good; only before its first attempt',
        params: CycleParams,
        body: ReasonBody,
        response: { 200: CycleOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, subscriptionIdOf(request.params));
      if (isTerminal(before.status)) throw refusedAsFinished(before);
      const asked = { ...requestBy(callerOf(request), request.body), cycle: request.params.n };
      requireDone(await deps.subscriptions.skip(before.subscriptionId, asked), before);
      return viewCycle(await findCycle(deps.db, before.subscriptionId, request.params.n));
    },
  );
  app.post(
    '/subscriptions/:id/cycles/:n/retry',
    {
      config: { role: 'operator', asks: 'retry' },
      schema: {
        tags: ['cycles'],
        operationId: 'retryCycle',
        summary: 'Makes the next attempt now instead of at its planned time',
        params: CycleParams,
        body: RequiredReasonBody,
        response: { 202: CycleOut, ...FAULT_ANSWERS },
      },
    },
    async (request, reply) => {
      const before = await findSubscription(deps.db, subscriptionIdOf(request.params));
      if (isTerminal(before.status)) throw refusedAsFinished(before);
      await refuseWhileHalted(deps);
      const asked = { ...requestBy(callerOf(request), request.body), cycle: request.params.n };
      requireDone(await deps.subscriptions.retry(before.subscriptionId, asked), before);
      return reply.code(202).send(viewCycle(await findCycle(deps.db, before.subscriptionId, request.params.n)));
    },
  );
}
