import type { FastifyRequest } from 'fastify';
import { isAmountGuarded } from '../../domain/approvals';
import { getRefund, type OrderRefundResult, type RefundRecord, orderPaymentRefund, orderRefund } from '../../ledger';
import { type Asked, requireApproval } from '../approvals/require';
import type { AdminDeps, TypedApp } from '../dependencies';
import { actorOfCaller, callerOf } from '../http/authentication';
import { idOfOrder, keyOfOrder } from '../http/idempotency';
import { Problem, FAULT_ANSWERS } from '../http/problems';
import { limitExceeded } from '../keys/powers';
import { findPayment } from '../payments/read';
import { PaymentParams } from '../payments/schema';
import { refuseWhileHalted } from '../service/halt';
import { findSubscription, subscriptionIdOf } from '../subscriptions/read';
import { CycleParams } from '../subscriptions/schema';
import { orderStatus, CreateRefund, RefundOut, viewRefund } from './schema';

/** The refund as it stands once its workflow runs, after a short while. @throws Problem where there is none. */
async function executeRefund(deps: AdminDeps, result: OrderRefundResult): Promise<RefundRecord> {
  const refund = requireOrdered(result);
  if (orderStatus(refund) !== 'pending') return refund;
  const { kind } = await deps.refunds.run(refund);
  if (kind === 'not_ready') throw orderedAndToCome('refund');
  return (await getRefund(deps.db, refund.refundId)) ?? refund;
}

/** What the ledger has ordered is not lost: see jobs/restart-orders. */
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
    case 'beyond_limit':
      throw limitExceeded(result.actor, 'refundPerDay', result.limit, result.asked);
  }
}

/**
 * `POST /subscriptions/{id}/cycles/{n}/refunds`, in every state of the subscription, and `POST /payments/{id}/refunds`
 * (rule 27).
 */
export function refundRoutes(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/cycles/:n/refunds',
    {
      config: { role: 'operator', scope: 'refunds', approvable: true },
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
      const { subscriptionId } = await findSubscription(deps.db, subscriptionIdOf(request.params));
      const cycle = request.params.n;
      const asked = await refundAsked(deps, request, key, { subscriptionId, facts: { cycle } });
      const ordered = await orderRefund(deps.db, { ...asked, subscriptionId, cycle });
      return reply.code(201).send(viewRefund(await executeRefund(deps, ordered)));
    },
  );
  app.post(
    '/payments/:id/refunds',
    {
      config: { role: 'operator', scope: 'refunds', approvable: true },
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
      const { paymentId } = await findPayment(deps.db, request.params);
      const asked = await refundAsked(deps, request, key, { paymentId });
      const { eventDependentRefunds } = deps.policy;
      const ordered = await orderPaymentRefund(deps.db, { ...asked, paymentId, eventDependentRefunds });
      return reply.code(201).send(viewRefund(await executeRefund(deps, ordered)));
    },
  );
}

type RefundRequest = FastifyRequest<{ Body: CreateRefund }>;

/**
 * What is asked of any refund, under the id that follows from the key.
 * @throws Problem `halted`, or where a second person must approve it
 */
async function refundAsked(deps: AdminDeps, request: RefundRequest, key: string, of: Asked) {
  const { amount, captureId = null, reason = null } = request.body;
  const caller = callerOf(request);
  const refundId = idOfOrder('refund', caller, key);
  const isStored = async () => (await getRefund(deps.db, refundId)) !== null;
  await refuseWhileHalted(deps, isStored);
  if (isAmountGuarded(deps.policy, amount.value) && !(await isStored()))
    await requireApproval(deps, request, { ...of, amount });
  const { clock } = deps;
  const { refundPerDayAmount: perDay } = caller;
  return {
    refundId,
    amount,
    captureId,
    reason,
    ...actorOfCaller(caller),
    perDay,
    at: clock.now(),
    realAt: clock.realNow(),
  };
}
