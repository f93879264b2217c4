import { z } from 'zod';
import { changeMetadata, type MetadataOf } from '../../ledger';
import type { Metadata } from '../../domain/metadata';
import type { AdminDeps, TypedApp } from '../dependencies';
import { actorOfCaller, type Caller, callerOf } from '../http/caller';
import { MetadataIn } from '../http/fields';
import { findPayment } from '../payments/read';
import { OF_PAYMENT, viewPayment } from '../payments/schema';
import { findSubscription, showSubscription } from '../subscriptions/read';
import { OF_SUBSCRIPTION } from '../subscriptions/schema';

/** The body of `PATCH /v1/subscriptions/{id}` and `PATCH /v1/payments/{id}`. */
export const ChangeMetadata = z
  .strictObject({ metadata: MetadataIn.meta({ description: 'Replaces all existing metadata' }) })
  .meta({ id: 'ChangeMetadata', description: 'The new metadata, which replaces the existing one.' });

/** Allowed in every state of the subscription or payment, because metadata affects no payment. */
export function metadataRoutes(app: TypedApp, deps: AdminDeps): void {
  app.patch(
    '/subscriptions/:id',
    {
      config: { role: 'operator', scope: 'subscriptions:steer' },
      schema: {
        ...OF_SUBSCRIPTION,
        operationId: 'changeSubscription',
        summary: 'Replaces the metadata of a subscription, and nothing else',
        body: ChangeMetadata,
      },
    },
    async (request) => {
      const { subscriptionId } = await findSubscription(deps.db, request.params.id);
      await change(deps, { subscriptionId, paymentId: null }, request.body.metadata, callerOf(request));
      return showSubscription(deps, request, subscriptionId);
    },
  );
  app.patch(
    '/payments/:id',
    {
      config: { role: 'operator', scope: ['payments:create', 'payments:capture'] },
      schema: {
        ...OF_PAYMENT,
        operationId: 'changePayment',
        summary: 'Replaces the metadata of a one-time payment, and nothing else',
        body: ChangeMetadata,
      },
    },
    async (request) => {
      const { paymentId } = await findPayment(deps.db, request.params.id);
      await change(deps, { subscriptionId: null, paymentId }, request.body.metadata, callerOf(request));
      return viewPayment(await findPayment(deps.db, request.params.id), callerOf(request));
    },
  );
}

function change({ db, clock }: AdminDeps, subject: MetadataOf, metadata: Metadata, caller: Caller): Promise<void> {
  return changeMetadata(db, subject, metadata, { ...actorOfCaller(caller), at: clock.now() });
}
