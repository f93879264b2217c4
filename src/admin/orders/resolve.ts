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
import { FAULT_ANSWERS, notFound, stateConflict } from '../http/problems';
import { CaptureOut, CaptureParams, RefundOut, RefundParams, ResolveCapture, ResolveRefund, viewOrder } from './schema';

/** `POST /captures/{orderId}/resolve` and `POST /refunds/{refundId}/resolve`: a person's word on an order in doubt (rule 18). */
export function resolveOrderRoutes(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/captures/:orderId/resolve',
    {
      config: { role: 'admin', scope: 'payments:capture', approvable: true },
      schema: {
        tags: ['payments'],
        operationId: 'resolveCapture',
        summary: 'Decides, with evidence, whether a capture was made of which the service does not tell',
        params: CaptureParams,
        body: ResolveCapture,
        response: { 200: CaptureOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const orderId = request.params.orderId as OrderId;
      const find = async () => (await getCapture(deps.db, orderId)) ?? unknown('capture', orderId);
      const { paymentId, amount } = await find();
      const { captureId: serviceId = null, ...word } = request.body;
      await resolve(deps, request, { kind: 'capture', orderId, ...word, serviceId, asked: { paymentId, amount } });
      // A job notifies again until the workflow has acknowledged it.
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
        summary: 'Decides, with evidence, whether a refund was made of which the service does not tell',
        params: RefundParams,
        body: ResolveRefund,
        response: { 200: RefundOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const orderId = request.params.refundId as OrderId;
      const find = async () => (await getRefund(deps.db, orderId)) ?? unknown('refund', orderId);
      const { paymentId, subscriptionId, cycle, amount } = await find();
      const of = subscriptionId === null ? { paymentId } : { subscriptionId, facts: { cycle } };
      const { serviceRefundId: serviceId = null, ...word } = request.body;
      await resolve(deps, request, { kind: 'refund', orderId, ...word, serviceId, asked: { ...of, amount } });
      return viewOrder(await find());
    },
  );
}

function unknown(kind: OrderKind, orderId: OrderId): never {
  throw notFound(`There is no ${kind} ${orderId}.`);
}

interface ToResolve extends Pick<OrderResolution, 'orderId' | 'outcome' | 'evidence' | 'serviceId'> {
  readonly kind: OrderKind;
  readonly asked: Asked;
}

/** The field by which the service's own record is named. */
const NAMED: Readonly<Record<OrderKind, string>> = { capture: 'captureId', refund: 'serviceRefundId' };

/** @throws Problem where it does not wait for a person, or the id is another order's, or a second person must approve */
async function resolve(deps: AdminDeps, request: FastifyRequest, { kind, asked, ...said }: ToResolve): Promise<void> {
  const { orderId, outcome, serviceId } = said;
  const word = { ...said, ...actOf(deps, callerOf(request)) };
  const known = await judgeResolution(deps.db, word);
  if (known === null && isActGuarded(deps.policy)) {
    await requireApproval(deps, request, { ...asked, facts: { ...asked.facts, orderId, outcome, serviceId } });
  }
  const resolved = known ?? (await resolveOrder(deps.db, word));
  switch (resolved.kind) {
    case 'resolved':
      return;
    case 'taken':
      throw stateConflict(
        `${NAMED[kind]} ${serviceId ?? ''} is that of ${kind} ${resolved.by}; expected one that no other has.`,
      );
    case 'blocked':
      throw stateConflict(`The order ${resolved.by} of the same payment is in doubt: that one first.`);
    case 'stands':
      throw stateConflict(`The ${kind} is ${resolved.state} and waits for no person.`);
  }
}
