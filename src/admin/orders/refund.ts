import { getRefund, type OrderRefundResult, type RefundRecord, orderPaymentRefund } from '../../ledger';
import type { AdminDeps, TypedApp } from '../dependencies';
import { callerOf } from '../http/authentication';
import { idOfOrder, keyOfOrder } from '../http/idempotency';
import { Problem, FAULT_ANSWERS } from '../http/problems';
import { findPayment } from '../payments/read';
import { PaymentParams } from '../payments/schema';
import { refuseWhileHalted } from '../service/halt';
import { refundStatus, CreateRefund, RefundOut, viewRefund } from './schema';

/** The refund as it stands once its workflow runs, after a short while. @throws Problem where there is none. */
export async function executeRefund(deps: AdminDeps, result: OrderRefundResult): Promise<RefundRecord> {
  const refund = requireOrdered(result);
  if (refundStatus(refund) !== 'pending') return refund;
  const { kind } = await deps.refunds.run(refund);
  if (kind === 'not_ready') throw orderedAndToCome('refund');
  return (await getRefund(deps.db, refund.refundId)) ?? refund;
}

/** What the ledger has ordered is not lost: see orders-left-behind. */
export function orderedAndToCome(what: 'refund' | 'capture'): Problem {
  return new Problem(
    'not_ready',
    `The ${what} is ordered and will be made; repeat the request with the same Idempotency-Key to hear of it.`,
  );
}

function requireOrdered(result: OrderRefundResult): RefundRecord {
  switch (result.kind) {
    case 'ordered':
    case 'exists':
      return result.refund;
    case 'reused':
      throw new Problem('idempotency_key_reused', 'This key was used for another refund.');
    case 'refused': {
      const { message, rule, highestAllowed } = result;
      throw new Problem('refund_not_allowed', message, { rule, highestAllowed });
    }
  }
}

/** `POST /payments/{id}/refunds` (rule 27). */
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
      return reply.code(201).send(viewRefund(await executeRefund(deps, ordered)));
    },
  );
}
