import { isSettled } from '../../domain/payment/payment';
import type { RequestOutcome } from '../../temporal';
import { orderRelease, type PaymentRecord } from '../../ledger';
import type { AdminDeps, TypedApp } from '../dependencies';
import { callerOf } from '../http/caller';
import { stateConflict } from '../http/problems';
import { problemOf, requestBy } from '../subscriptions/steering';
import { EmptyBody, ReasonBody, RequiredReasonBody } from '../http/bodies';
import { findPayment } from './read';
import { OF_PAYMENT, PaymentOut, viewPayment } from './schema';

/** `POST /payments/{id}/release`, `…/consent-check` and `…/restart`. */
export function steerPaymentRoutes(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/payments/:id/release',
    {
      config: { role: 'operator', scope: 'payments:capture' },
      schema: {
        ...OF_PAYMENT,
        operationId: 'releasePayment',
        summary:
          'Releases an authorization of which nothing has been captured; 200 once the payment service has confirmed, 202 until then',
        body: ReasonBody,
        response: {
          ...OF_PAYMENT.response,
          202: PaymentOut.describe('The release was accepted; the payment service has not confirmed it yet.'),
        },
      },
    },
    async (request, reply) => {
      const payment = await findPayment(deps.db, request.params.id);
      if (payment.status === 'released') return viewPayment(payment, callerOf(request));
      const asked = requestBy(request, request.body);
      const { paymentId } = payment;
      const ordered = await orderRelease(deps.db, { ...asked, paymentId, at: deps.clock.now() });
      if (ordered.kind === 'refused') throw stateConflict(ordered.message);
      await deps.payments.steer('release', payment, asked);
      const after = await findPayment(deps.db, request.params.id);
      return reply.code(statusOfRelease(after)).send(viewPayment(after, callerOf(request)));
    },
  );
  app.post(
    '/payments/:id/consent-check',
    {
      config: { role: 'operator', scope: ['payments:create', 'payments:capture'] },
      schema: {
        ...OF_PAYMENT,
        operationId: 'checkPayment',
        summary:
          'Checks the consent to a one-time payment at the payment service now, for example when the payer has returned',
        body: EmptyBody,
      },
    },
    async (request) => {
      const before = await findPayment(deps.db, request.params.id);
      // The consent has its final state, which is what the caller wants to know.
      if (isSettled(before.status)) return viewPayment(before, callerOf(request));
      const outcome = await deps.payments.steer('check', before, requestBy(request, null));
      const after = await findPayment(deps.db, request.params.id);
      if (!isSettled(after.status)) requireDone(outcome);
      return viewPayment(after, callerOf(request));
    },
  );
  app.post(
    '/payments/:id/restart',
    {
      config: { role: 'admin', scope: 'payments:capture' },
      schema: {
        ...OF_PAYMENT,
        operationId: 'restartPayment',
        summary: 'Restarts the workflow of a one-time payment from the ledger if none is running; otherwise 409',
        body: RequiredReasonBody,
      },
    },
    async (request) => {
      const before = await findPayment(deps.db, request.params.id);
      requireDone(await deps.payments.steer('restart', before, requestBy(request, request.body)));
      return viewPayment(await findPayment(deps.db, request.params.id), callerOf(request));
    },
  );
}

/** @throws Problem unless the request was carried out */
function requireDone(outcome: RequestOutcome): void {
  if (outcome.kind !== 'done') throw problemOf(outcome);
}

/** The HTTP status, judged by the ledger. No capture is accepted until the release has ended. */
function statusOfRelease(after: PaymentRecord): 200 | 202 {
  if (after.status === 'released') return 200;
  if (isSettled(after.status)) throw stateConflict(`The payment is ${after.status}: there is nothing to release.`);
  return 202;
}
