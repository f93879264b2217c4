import type { AdminDeps, TypedApp } from '../dependencies';
import { callerOf } from '../http/authentication';
import { FAULT_ANSWERS } from '../http/problems';
import { findPayment } from '../payments/read';
import { PaymentOut, PaymentParams, viewPayment } from '../payments/schema';
import { findSubscription, subscriptionIdOf } from '../subscriptions/read';
import { SubscriptionOut, RequiredReasonBody, SubscriptionParams, viewSubscription } from '../subscriptions/schema';
import { problemOfRefusal, requestBy, requireDone } from '../subscriptions/steer';

/** `POST /subscriptions/{id}/restart` and `POST /payments/{id}/restart` (rule 30). */
export function restartRoutes(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/restart',
    {
      config: { role: 'admin', asks: 'restart' },
      schema: {
        tags: ['subscriptions'],
        operationId: 'restartSubscription',
        summary: 'Begins the workflow anew from the ledger, where none runs; 409 while one does',
        params: SubscriptionParams,
        body: RequiredReasonBody,
        response: { 200: SubscriptionOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, subscriptionIdOf(request.params));
      const asked = requestBy(callerOf(request), request.body);
      requireDone(await deps.subscriptions.restart(before.subscriptionId, asked), before);
      return viewSubscription(await findSubscription(deps.db, before.subscriptionId));
    },
  );
  app.post(
    '/payments/:id/restart',
    {
      config: { role: 'admin' },
      schema: {
        tags: ['payments'],
        operationId: 'restartPayment',
        summary: 'Begins the workflow anew from the ledger, where none runs; 409 while one does',
        params: PaymentParams,
        body: RequiredReasonBody,
        response: { 200: PaymentOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const before = await findPayment(deps.db, request.params);
      const outcome = await deps.payments.restart(before, requestBy(callerOf(request), request.body));
      if (outcome.kind !== 'done' && outcome.kind !== 'finished') throw problemOfRefusal(outcome);
      return viewPayment(await findPayment(deps.db, request.params));
    },
  );
}
