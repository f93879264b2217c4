import { isTerminal } from '../../domain/subscription/state';
import { getRefund, orderRefund } from '../../ledger';
import type { AdminDeps, TypedApp } from '../dependencies';
import { callerOf } from '../http/authentication';
import { idOfOrder, keyOfOrder } from '../http/idempotency';
import { FAULT_ANSWERS } from '../http/problems';
import { executeRefund } from '../orders/refund';
import { CreateRefund, RefundOut, viewRefund } from '../orders/schema';
import { refuseWhileHalted } from '../service/halt';
import { findCycle, findSubscription, subscriptionIdOf } from '../subscriptions/read';
import { CycleParams, ReasonBody, RequiredReasonBody, ResolveBody } from '../subscriptions/schema';
import { refusedAsFinished, requestBy, requireDone } from '../subscriptions/steer';
import { CycleOut, viewCycle } from './schema';

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

/** `POST /subscriptions/{id}/cycles/{n}/resolve`: a person's word on an unresolved attempt (rule 18). */
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

/** `POST /subscriptions/{id}/cycles/{n}/refunds`, in whatever state the subscription is (rule 27). */
export function refundCycleRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/cycles/:n/refunds',
    {
      config: { role: 'operator' },
      attachValidation: true,
      schema: {
        tags: ['cycles'],
        operationId: 'refundCycle',
        summary: 'Gives back what a cycle has collected, or part of it; needs an Idempotency-Key',
        params: CycleParams,
        body: CreateRefund,
        response: { 201: RefundOut, ...FAULT_ANSWERS },
      },
    },
    async (request, reply) => {
      const key = keyOfOrder(request, 'refund');
      const { amount, captureId = null, reason = null } = request.body;
      const caller = callerOf(request);
      const { subscriptionId } = await findSubscription(deps.db, subscriptionIdOf(request.params));
      const refundId = idOfOrder('refund', caller, key);
      await refuseWhileHalted(deps, async () => (await getRefund(deps.db, refundId)) !== null);
      const ordered = await orderRefund(deps.db, {
        ...{ refundId, subscriptionId, cycle: request.params.n },
        ...{ amount, captureId, reason, actor: caller.name },
        ...{ at: deps.clock.now(), realAt: deps.clock.realNow() },
      });
      return reply.code(201).send(viewRefund(await executeRefund(deps, ordered)));
    },
  );
}
