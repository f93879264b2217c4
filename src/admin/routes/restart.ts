import type { AdminDeps } from '../admin-deps';
import { callerOf } from '../caller';
import { findPayment } from '../found-payment';
import { findSubscription, subscriptionIdOf } from '../found-subscription';
import { PaymentOut } from '../schemas/payment';
import { PaymentParams } from '../schemas/payment-request';
import { FAULT_ANSWERS } from '../schemas/problem';
import { SubscriptionOut } from '../schemas/subscription';
import { RequiredReasonBody, SubscriptionParams } from '../schemas/subscription-request';
import { problemOfRefusal, requestBy, requireDone } from '../steer-answers';
import { viewPayment } from '../views/payment-view';
import { viewSubscription } from '../views/subscription-view';
import type { TypedApp } from './typed-app';

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
