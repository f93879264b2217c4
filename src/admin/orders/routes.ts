import type { FastifyRequest } from 'fastify';
import { isAmountGuarded } from '../../domain/approvals';
import type { PaymentId } from '../../domain/ids';
import { adviceOn } from '../../domain/payment/refund-rules';
import { refuseMissing } from '../../domain/subscription/requests';
import {
  findReversal,
  getCapture,
  getRefund,
  judgeCaptureOrder,
  type JudgedCapture,
  type JudgedRefund,
  judgePaymentRefundOrder,
  judgeRefundOrder,
  orderCapture,
  type OrderCaptureResult,
  type OrderedCapture,
  type OrderKind,
  orderPaymentRefund,
  orderRefund,
  paidByLink,
  type OrderRefundResult,
  type RefundRecord,
} from '../../ledger';
import { actOf, type Asked, requireApproval } from '../approvals/require';
import type { AdminDeps, TypedApp } from '../dependencies';
import { callerOf } from '../http/caller';
import { requireOrderKey, orderIdOf } from '../http/idempotency';
import { ERROR_RESPONSES, Problem } from '../http/problems';
import { limitExceeded } from '../access/powers';
import { findPayment } from '../payments/read';
import { PaymentParams } from '../payments/schema';
import { refuseWhileHalted } from '../operations/halt';
import { findSubscription } from '../subscriptions/read';
import { CycleParams } from '../subscriptions/schema';
import { problemOf } from '../subscriptions/steering';
import { CaptureOut, CreateCapture, CreateRefund, orderStatus, RefundOut, viewOrder } from './schema';

/** `POST /payments/{id}/captures` (rule 26). */
export function capturePaymentRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/payments/:id/captures',
    {
      config: { role: 'operator', scope: 'payments:capture', approvable: true, needsIdempotencyKey: true },
      attachValidation: true,
      schema: {
        tags: ['payments'],
        operationId: 'capturePayment',
        summary: 'Captures the authorized amount, or part of it as far as the flags allow',
        params: PaymentParams,
        body: CreateCapture,
        response: {
          201: CaptureOut.describe('The capture was accepted; its `status` says whether it has succeeded.'),
          ...ERROR_RESPONSES,
        },
      },
    },
    async (request, reply) => {
      const key = requireOrderKey(request, 'capture');
      const { paymentId } = await findPayment(deps.db, request.params.id);
      const { transit } = deps.policy;
      const order = { ...(await orderBy(deps, request, 'capture', key)), ...request.body, paymentId, transit };
      const asked = { paymentId, facts: { finalCapture: order.finalCapture } };
      await requireOrderApproval(deps, request, 'capture', asked, () => judgeCaptureOrder(deps.db, order));
      const ordered = await orderCapture(deps.db, order);
      if (!('capture' in ordered)) throw refusalOf('capture', ordered);
      return reply.code(201).send(viewOrder(await executeCapture(deps, ordered.capture)));
    },
  );
}

const REFUND = {
  config: { role: 'operator', scope: 'refunds', approvable: true, needsIdempotencyKey: true },
  attachValidation: true,
} as const;

const refundSchema = {
  body: CreateRefund,
  response: {
    201: RefundOut.describe('The refund was accepted; its `status` says whether it has succeeded.'),
    ...ERROR_RESPONSES,
  },
};

/**
 * `POST /subscriptions/{id}/cycles/{n}/refunds`, in every state of the subscription, and `POST /payments/{id}/refunds`
 * (rule 27).
 */
export function refundRoutes(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/cycles/:n/refunds',
    {
      ...REFUND,
      schema: {
        ...refundSchema,
        tags: ['cycles'],
        operationId: 'refundCycle',
        summary: 'Refunds what a cycle has collected, or part of it',
        params: CycleParams,
      },
    },
    async (request, reply) => {
      const key = requireOrderKey(request, 'refund');
      const subscription = await findSubscription(deps.db, request.params.id);
      const { subscriptionId } = subscription;
      const cycle = request.params.n;
      const missing = refuseMissing(subscription, cycle);
      if (missing !== null) throw problemOf({ kind: 'refused', ...missing });
      const linkPaymentId = await paidByLink(deps.db, subscriptionId, cycle);
      if (linkPaymentId !== null) {
        const refund = await refundPayment(deps, request, linkPaymentId, key);
        return reply.code(201).send({ ...(await withWarnings(deps, refund)), cycle });
      }
      const order = { ...(await refundTerms(deps, request, key)), subscriptionId, cycle };
      const asked = { subscriptionId, facts: { cycle } };
      await requireOrderApproval(deps, request, 'refund', asked, () => judgeRefundOrder(deps.db, order));
      const ordered = await orderRefund(deps.db, order);
      return reply.code(201).send(await withWarnings(deps, await executeRefund(deps, ordered)));
    },
  );
  app.post(
    '/payments/:id/refunds',
    {
      ...REFUND,
      schema: {
        ...refundSchema,
        tags: ['payments'],
        operationId: 'refundPayment',
        summary: 'Refunds a capture, or part of it',
        params: PaymentParams,
      },
    },
    async (request, reply) => {
      const key = requireOrderKey(request, 'refund');
      const { paymentId } = await findPayment(deps.db, request.params.id);
      return reply.code(201).send(await withWarnings(deps, await refundPayment(deps, request, paymentId, key)));
    },
  );
}

/** Orders a refund of a one-time payment and starts it. @throws Problem why it is not ordered, or cannot be started now */
async function refundPayment(
  deps: AdminDeps,
  request: OrderRequest<CreateRefund>,
  paymentId: PaymentId,
  key: string,
): Promise<RefundRecord> {
  const { eventDependentRefunds } = deps.policy;
  const order = { ...(await refundTerms(deps, request, key)), paymentId, eventDependentRefunds };
  const judge = () => judgePaymentRefundOrder(deps.db, order);
  await requireOrderApproval(deps, request, 'refund', { paymentId }, judge);
  return executeRefund(deps, await orderPaymentRefund(deps.db, order));
}

type OrderRequest<Body extends CreateCapture | CreateRefund> = FastifyRequest<{ Body: Body }>;

/** Who orders, when, and the order id derived from the Idempotency-Key. @throws Problem `halted` */
async function orderBy(deps: AdminDeps, request: FastifyRequest, kind: OrderKind, key: string) {
  const caller = callerOf(request);
  const orderId = orderIdOf(kind, caller, key);
  const find = kind === 'capture' ? getCapture : getRefund;
  await refuseWhileHalted(deps, async () => (await find(deps.db, orderId)) !== null);
  return { orderId, ...actOf(deps, caller) };
}

/**
 * Requires approval by a second person if the amount needs it, after checking that no rule or limit of the key forbids the
 * order. An order that is already stored needs no approval.
 * @param judge checks the order; it is checked again when it is placed, because another order may have used the amount by then
 * @throws Problem why nothing is ordered, or that a second person must approve it
 */
async function requireOrderApproval(
  deps: AdminDeps,
  request: OrderRequest<CreateCapture | CreateRefund>,
  kind: OrderKind,
  asked: Asked,
  judge: () => Promise<JudgedCapture | JudgedRefund>,
): Promise<void> {
  const { amount } = request.body;
  if (!isAmountGuarded(deps.policy, amount.value)) return;
  const judged = await judge();
  if (judged.kind === 'exists') return;
  if (judged.kind !== 'allowed') throw refusalOf(kind, judged);
  const refunded = 'captureId' in judged ? { captureId: judged.captureId } : {};
  await requireApproval(deps, request, { ...asked, amount, facts: { ...asked.facts, ...refunded } });
}

/** What all refund orders have in common. @throws Problem as {@link orderBy} does */
async function refundTerms(deps: AdminDeps, request: OrderRequest<CreateRefund>, key: string) {
  const { amount, captureId = null, reason = null } = request.body;
  const { orderId: refundId, ...act } = await orderBy(deps, request, 'refund', key);
  return { refundId, ...act, amount, captureId, reason, perDay: callerOf(request).refundPerDayAmount };
}

/** Why nothing was ordered. */
function refusalOf(
  kind: OrderKind,
  result: Exclude<OrderCaptureResult | OrderRefundResult, { kind: 'ordered' | 'exists' }>,
): Problem {
  switch (result.kind) {
    case 'reused':
      return new Problem('idempotency_key_reused', `This Idempotency-Key was already used for another ${kind}.`);
    case 'refused': {
      const { message, rule, highestAllowed } = result;
      return new Problem(`${kind}_not_allowed`, message, { rule, highestAllowed });
    }
    case 'beyond_limit':
      return limitExceeded(result.actor, 'refundPerDay', result.limit, result.asked);
  }
}

/** Starts the capture, and waits briefly for its end. @throws Problem if it cannot be started now */
async function executeCapture(deps: AdminDeps, capture: OrderedCapture): Promise<OrderedCapture> {
  if (orderStatus(capture) !== 'pending') return capture;
  const { kind } = await deps.payments.runCapture(capture);
  const after = (await getCapture(deps.db, capture.orderId)) ?? capture;
  // The state in the ledger takes precedence over a missing answer.
  if (kind === 'not_ready' && orderStatus(after) === 'pending') throw acceptedNotStarted('capture');
  return after;
}

/** Starts the refund, and waits briefly for its end. @throws Problem if it was not ordered, or cannot be started now */
async function executeRefund(deps: AdminDeps, result: OrderRefundResult): Promise<RefundRecord> {
  if (!('refund' in result)) throw refusalOf('refund', result);
  const { refund } = result;
  if (orderStatus(refund) !== 'pending') return refund;
  const { kind } = await deps.refunds.run(refund);
  const after = (await getRefund(deps.db, refund.refundId)) ?? refund;
  // Here, too, the state in the ledger takes precedence.
  if (kind === 'not_ready' && orderStatus(after) === 'pending') throw acceptedNotStarted('refund');
  return after;
}

/**
 * A refund of a debit that was reversed elsewhere is carried out, as a difference changes nothing about what is sent (rule 41), but
 * the operator who ordered it must know.
 */
async function withWarnings({ db }: AdminDeps, refund: RefundRecord) {
  const reversal = await findReversal(db, refund);
  return { ...viewOrder(refund), ...(reversal === null ? {} : { warnings: [adviceOn(reversal)] }) };
}

/** An order in the ledger is not lost: see jobs/restart-orders. */
function acceptedNotStarted(kind: OrderKind): Problem {
  return new Problem(
    'not_ready',
    `The ${kind} was accepted and will be made; repeat the request with the same Idempotency-Key to get its result.`,
  );
}
