import type { FastifyRequest } from 'fastify';
import { isActGuarded } from '../../domain/approvals';
import type { OrderId } from '../../domain/ids';
import {
  getCapture,
  getRefund,
  judgeResolution,
  type OrderKind,
  type OrderResolution,
  readPaymentRevision,
  resolveOrder,
} from '../../ledger';
import { actOf, type Asked, requireApproval } from '../approvals/require';
import type { AdminDeps, TypedApp } from '../dependencies';
import { callerOf } from '../http/caller';
import { ERROR_RESPONSES, notFound, stateConflict } from '../http/problems';
import { CaptureOut, CaptureParams, RefundOut, RefundParams, ResolveCapture, ResolveRefund, viewOrder } from './schema';

/**
 * `POST /captures/{orderId}/resolve` and `POST /refunds/{refundId}/resolve`: an admin resolves an order that waits for an operator
 * (rule 18).
 */
export function resolveOrderRoutes(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/captures/:orderId/resolve',
    {
      config: { role: 'admin', scope: 'payments:capture', approvable: true },
      schema: {
        tags: ['payments'],
        operationId: 'resolveCapture',
        summary: 'Resolves, with evidence, a capture whose outcome the payment service does not show',
        params: CaptureParams,
        body: ResolveCapture,
        response: { 200: CaptureOut, ...ERROR_RESPONSES },
      },
    },
    async (request) => {
      const orderId = request.params.orderId as OrderId;
      const find = async () => (await getCapture(deps.db, orderId)) ?? throwUnknown('capture', orderId);
      const { paymentId, amount } = await find();
      const { captureId: serviceId = null, ...resolution } = request.body;
      await resolve(deps, request, {
        kind: 'capture',
        orderId,
        ...resolution,
        serviceId,
        asked: { paymentId, amount },
      });
      // A job repeats the notification until the workflow has acknowledged it.
      deps.payments.notify(await readPaymentRevision(deps.db, paymentId)).catch(() => undefined);
      return viewOrder(await find());
    },
  );
  app.post(
    '/refunds/:refundId/resolve',
    {
      config: { role: 'admin', scope: 'refunds', approvable: true },
      schema: {
        tags: ['payments'],
        operationId: 'resolveRefund',
        summary: 'Resolves, with evidence, a refund whose outcome the payment service does not show',
        params: RefundParams,
        body: ResolveRefund,
        response: { 200: RefundOut, ...ERROR_RESPONSES },
      },
    },
    async (request) => {
      const orderId = request.params.refundId as OrderId;
      const find = async () => (await getRefund(deps.db, orderId)) ?? throwUnknown('refund', orderId);
      const { paymentId, subscriptionId, cycle, amount } = await find();
      const about = subscriptionId === null ? { paymentId } : { subscriptionId, facts: { cycle } };
      const { serviceRefundId: serviceId = null, ...resolution } = request.body;
      await resolve(deps, request, { kind: 'refund', orderId, ...resolution, serviceId, asked: { ...about, amount } });
      return viewOrder(await find());
    },
  );
}

function throwUnknown(kind: OrderKind, orderId: OrderId): never {
  throw notFound(`There is no ${kind} ${orderId}.`);
}

interface ToResolve extends Pick<OrderResolution, 'orderId' | 'outcome' | 'evidence' | 'serviceId'> {
  readonly kind: OrderKind;
  readonly asked: Asked;
}

/** The field that holds the payment service's id. */
const ID_FIELDS: Readonly<Record<OrderKind, string>> = { capture: 'captureId', refund: 'serviceRefundId' };

/**
 * @throws Problem if the order does not wait for an operator, the id belongs to another order, another order of the
 * payment has an unknown outcome, or a second person must approve
 */
async function resolve(deps: AdminDeps, request: FastifyRequest, { kind, asked, ...given }: ToResolve): Promise<void> {
  const { orderId, outcome, serviceId } = given;
  const resolution = { ...given, ...actOf(deps, callerOf(request)) };
  const known = await judgeResolution(deps.db, resolution);
  if (known === null && isActGuarded(deps.policy)) {
    await requireApproval(deps, request, { ...asked, facts: { ...asked.facts, orderId, outcome, serviceId } });
  }
  const resolved = known ?? (await resolveOrder(deps.db, resolution));
  switch (resolved.kind) {
    case 'resolved':
      return;
    case 'taken':
      throw stateConflict(
        `${ID_FIELDS[kind]} ${serviceId ?? ''} belongs to ${kind} ${resolved.by}; expected one that no other ${kind} has.`,
      );
    case 'blocked':
      throw stateConflict(
        `The outcome of order ${resolved.by} of the same payment is unknown; resolve that one first.`,
      );
    case 'not_resolvable':
      throw stateConflict(`The ${kind} is ${resolved.state} and does not wait for an operator.`);
  }
}
