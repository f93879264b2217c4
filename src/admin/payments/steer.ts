import { isSettled } from '../../domain/payment/payment';
import type { SteerOutcome } from '../../gateway';
import { orderRelease, type PaymentRecord } from '../../ledger';
import type { AdminDeps, TypedApp } from '../dependencies';
import { callerOf } from '../http/authentication';
import { stateConflict, FAULT_ANSWERS } from '../http/problems';
import { EmptyBody, ReasonBody } from '../subscriptions/schema';
import { problemOfRefusal } from '../subscriptions/steer';
import { findPayment } from './read';
import { PaymentOut, PaymentParams, viewPayment } from './schema';

/** `POST /payments/{id}/release` and `…/consent-check`. */
export function steerPaymentRoutes(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/payments/:id/release',
    {
      config: { role: 'operator' },
      schema: {
        tags: ['payments'],
        operationId: 'releasePayment',
        summary: 'Gives back what was authorized and not captured; 200 once the service has confirmed, 202 until then',
        params: PaymentParams,
        body: ReasonBody,
        response: { 200: PaymentOut, 202: PaymentOut, ...FAULT_ANSWERS },
      },
    },
    async (request, reply) => {
      const payment = await findPayment(deps.db, request.params);
      if (payment.status === 'released') return viewPayment(payment);
      const reason = request.body?.reason ?? null;
      const about = { paymentId: payment.paymentId, reason, actor: callerOf(request).name, at: deps.clock.now() };
      const ordered = await orderRelease(deps.db, about);
      if (ordered.kind === 'refused') throw stateConflict(ordered.message);
      const outcome = await deps.payments.release(payment);
      const after = await findPayment(deps.db, request.params);
      return reply.code(statusOfRelease(outcome, after)).send(viewPayment(after));
    },
  );
  app.post(
    '/payments/:id/consent-check',
    {
      config: { role: 'operator' },
      schema: {
        tags: ['payments'],
        operationId: 'checkPayment',
        summary: 'Asks the service for the consent now, for when the payer has come back',
        params: PaymentParams,
        body: EmptyBody,
        response: { 200: PaymentOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const before = await findPayment(deps.db, request.params);
      // The consent has been answered for good: that answer is what the caller wants to know.
      if (isSettled(before.status)) return viewPayment(before);
      const outcome = await deps.payments.check(before);
      const after = await findPayment(deps.db, request.params);
      const isAnswered = outcome.kind === 'done' || outcome.kind === 'finished' || isSettled(after.status);
      if (!isAnswered) throw problemOfRefusal(outcome);
      return viewPayment(after);
    },
  );
}

/** The ledger's word counts for more than an answer that came late or not at all. */
function statusOfRelease(outcome: SteerOutcome, after: PaymentRecord): 200 | 202 {
  if (after.status === 'released') return 200;
  if (isSettled(after.status)) throw stateConflict(`The payment is ${after.status}: there is nothing to release.`);
  if (outcome.kind === 'finished') throw stateConflict('The workflow of the payment has ended: nobody can release it.');
  // It is ordered: no capture is taken any more, whatever becomes of the answer.
  if (outcome.kind === 'done' || outcome.kind === 'not_ready') return 202;
  throw problemOfRefusal(outcome);
}
