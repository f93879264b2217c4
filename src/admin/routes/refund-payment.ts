import { getRefund, orderPaymentRefund } from '../../ledger';
import type { AdminDeps } from '../admin-deps';
import { callerOf } from '../caller';
import { idOfOrder } from '../chosen-id';
import { findPayment } from '../found-payment';
import { refuseWhileHalted } from '../halted';
import { keyOfOrder } from '../order-requests';
import { carryOutRefund } from '../refunding';
import { PaymentParams } from '../schemas/payment-request';
import { FAULT_ANSWERS } from '../schemas/problem';
import { CreateRefund, RefundOut } from '../schemas/refund';
import { viewRefund } from '../views/refund-view';
import type { TypedApp } from './typed-app';

/** `POST /payments/{id}/refunds` (decisions 27). */
export function refundPaymentRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/payments/:id/refunds',
    {
      config: { role: 'operator' },
      attachValidation: true,
      schema: {
        tags: ['payments'],
        operationId: 'refundPayment',
        summary: 'Gives back what a capture has debited, or part of it; needs an Idempotency-Key',
        params: PaymentParams,
        body: CreateRefund,
        response: { 201: RefundOut, ...FAULT_ANSWERS },
      },
    },
    async (request, reply) => {
      const key = keyOfOrder(request, 'refund');
      const { amount, captureId = null, reason = null } = request.body;
      const caller = callerOf(request);
      const { paymentId } = await findPayment(deps.db, request.params);
      const refundId = idOfOrder('refund', caller, key);
      await refuseWhileHalted(deps, async () => (await getRefund(deps.db, refundId)) !== null);
      const ordered = await orderPaymentRefund(deps.db, {
        ...{ refundId, paymentId },
        ...{ amount, captureId, reason, actor: caller.name },
        ...{ at: deps.clock.now(), realAt: deps.clock.realNow() },
        eventDependentRefunds: deps.policy.eventDependentRefunds,
      });
      return reply.code(201).send(viewRefund(await carryOutRefund(deps, ordered)));
    },
  );
}
