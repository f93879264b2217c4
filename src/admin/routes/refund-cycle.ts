import { getRefund, orderRefund } from '../../ledger';
import type { AdminDeps } from '../admin-deps';
import { callerOf } from '../caller';
import { idOfOrder } from '../chosen-id';
import { findSubscription, subscriptionIdOf } from '../found-subscription';
import { refuseWhileHalted } from '../halted';
import { keyOfOrder } from '../order-requests';
import { carryOutRefund } from '../refunding';
import { FAULT_ANSWERS } from '../schemas/problem';
import { CreateRefund, RefundOut } from '../schemas/refund';
import { CycleParams } from '../schemas/subscription-request';
import { viewRefund } from '../views/refund-view';
import type { TypedApp } from './typed-app';

/** `POST /subscriptions/{id}/cycles/{n}/refunds`, in whatever state the subscription is (decisions 27). */
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
      return reply.code(201).send(viewRefund(await carryOutRefund(deps, ordered)));
    },
  );
}
