import { createHash } from 'node:crypto';
import type { OrderId } from '../../domain/ids';
import { getRefund, type OrderRefundResult, orderRefund, type RefundRecord } from '../../ledger';
import type { AdminDeps } from '../admin-deps';
import { type Caller, callerOf } from '../caller';
import { findSubscription, subscriptionIdOf } from '../found-subscription';
import { keyOf } from '../idempotency';
import { type Fault, invalidRequest, Problem } from '../problems';
import { schemaFaults } from '../request-validation';
import { FAULT_ANSWERS } from '../schemas/problem';
import { CreateRefund, RefundOut } from '../schemas/refund';
import { CycleParams } from '../schemas/subscription-request';
import { refundStatus, viewRefund } from '../views/refund-view';
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
      const key = keyOf(request);
      const faults = [...schemaFaults(request.validationError), ...missingKey(key)];
      if (key === null || faults.length > 0) throw invalidRequest(faults);
      const { amount, captureId = null, reason = null } = request.body;
      const caller = callerOf(request);
      const { subscriptionId } = await findSubscription(deps.db, subscriptionIdOf(request.params));
      const ordered = await orderRefund(deps.db, {
        ...{ refundId: refundIdOf(caller, key), subscriptionId, cycle: request.params.n },
        ...{ amount, captureId, reason, actor: caller.name },
        ...{ at: deps.clock.now(), realAt: deps.clock.realNow() },
      });
      const refund = await carryOut(deps, requireOrdered(ordered));
      return reply.code(201).send(viewRefund(refund));
    },
  );
}

/** It moves money: without a key, a request repeated after a lost answer would move it twice. */
function missingKey(key: string | null): readonly Fault[] {
  const message = 'expected 1 to 255 visible ASCII characters, chosen anew for each refund; got nothing';
  return key === null ? [{ path: 'Idempotency-Key', message }] : [];
}

/** Follows from API key and Idempotency-Key alone: a key once used for a refund stands for that refund for ever. */
function refundIdOf(caller: Caller, key: string): OrderId {
  const hash = createHash('sha256')
    .update(JSON.stringify(['refund', caller.keyId, key]))
    .digest('hex');
  return `ref_${hash.slice(0, 32)}` as OrderId;
}

/** @throws Problem where no refund was ordered. */
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

/** The refund as it stands once its workflow runs, after a short while. @throws Problem where none can be started. */
async function carryOut(deps: AdminDeps, refund: RefundRecord): Promise<RefundRecord> {
  if (refundStatus(refund) !== 'pending') return refund;
  const { kind } = await deps.refunds.run(refund);
  if (kind === 'not_ready') {
    throw new Problem(
      'not_ready',
      'The refund is ordered and will be made; repeat the request with the same Idempotency-Key to hear of it.',
    );
  }
  return (await getRefund(deps.db, refund.refundId)) ?? refund;
}
