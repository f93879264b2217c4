import { isAmountGuarded } from '../../domain/approvals';
import {
  getCapture,
  orderCapture,
  type OrderCaptureResult,
  type OrderedCapture,
  type PaymentRecord,
} from '../../ledger';
import { requireApproval } from '../approvals/require';
import type { AdminDeps, TypedApp } from '../dependencies';
import { actorOfCaller, callerOf } from '../http/authentication';
import { idOfOrder, keyOfOrder } from '../http/idempotency';
import { Problem, FAULT_ANSWERS } from '../http/problems';
import { findPayment } from '../payments/read';
import { PaymentParams } from '../payments/schema';
import { refuseWhileHalted } from '../service/halt';
import { orderedAndToCome } from './refund';
import { CaptureOut, CreateCapture, orderStatus, viewCapture } from './schema';

/** `POST /payments/{id}/captures` (rule 26). */
export function capturePaymentRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/payments/:id/captures',
    {
      config: { role: 'operator', scope: 'payments:capture', approvable: true },
      attachValidation: true,
      schema: {
        tags: ['payments'],
        operationId: 'capturePayment',
        summary: 'Debits what was authorized, or part of it, as the flags allow; needs an Idempotency-Key',
        params: PaymentParams,
        body: CreateCapture,
        response: { 201: CaptureOut, ...FAULT_ANSWERS },
      },
    },
    async (request, reply) => {
      const key = keyOfOrder(request, 'capture');
      const caller = callerOf(request);
      const { paymentId } = await findPayment(deps.db, request.params);
      const orderId = idOfOrder('capture', caller, key);
      const isStored = async () => (await getCapture(deps.db, orderId)) !== null;
      await refuseWhileHalted(deps, isStored);
      const { amount } = request.body;
      if (isAmountGuarded(deps.policy, amount.value) && !(await isStored()))
        await requireApproval(deps, request, { paymentId, amount });
      const ordered = await orderCapture(deps.db, {
        orderId,
        paymentId,
        ...request.body,
        ...actorOfCaller(caller),
        transit: deps.policy.transit,
        at: deps.clock.now(),
        realAt: deps.clock.realNow(),
      });
      const capture = requireOrdered(ordered);
      // Read anew: the authorization, and with it the deadline, may have come with the order.
      const payment = await findPayment(deps.db, request.params);
      return reply.code(201).send(viewCapture(await executeCapture(deps, payment, capture)));
    },
  );
}

/** @throws Problem where no capture was ordered. */
function requireOrdered(result: OrderCaptureResult): OrderedCapture {
  switch (result.kind) {
    case 'ordered':
    case 'exists':
      return result.capture;
    case 'reused':
      throw new Problem('idempotency_key_reused', 'This key was used for another capture.');
    case 'refused': {
      const { message, rule, highestAllowed } = result;
      throw new Problem('capture_not_allowed', message, { rule, highestAllowed });
    }
  }
}

/** The capture as it stands after a short while. @throws Problem where it cannot be begun now. */
async function executeCapture(
  deps: AdminDeps,
  payment: PaymentRecord,
  capture: OrderedCapture,
): Promise<OrderedCapture> {
  if (orderStatus(capture) !== 'pending') return capture;
  const { kind } = await deps.payments.runCapture(payment, capture);
  const after = (await getCapture(deps.db, capture.orderId)) ?? capture;
  // The state in the ledger counts for more than an answer that did not come.
  if (kind === 'not_ready' && orderStatus(after) === 'pending') throw orderedAndToCome('capture');
  return after;
}
