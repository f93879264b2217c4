import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parse } from '../body';
import { cancelConsent } from '../payments/consent-session';
import type { Service } from '../service';
import { consentView } from '../wire';

const paymentIdSchema = z.object({ paymentId: z.string().min(1) });

/** Retrieve Consent in both forms, and Cancel Subscription. */
export function consentRoutes(app: FastifyInstance, service: Service): void {
  const { payments, settings } = service;
  app.get('/consents', async (request) => {
    return consentView(payments.find(parse(paymentIdSchema, request.query).paymentId), settings);
  });
  app.get('/:paymentId/consents', async (request) => {
    return consentView(payments.find(parse(paymentIdSchema, request.params).paymentId), settings);
  });
  app.delete('/:paymentId/consents', async (request) => {
    const payment = payments.find(parse(paymentIdSchema, request.params).paymentId);
    cancelConsent(service, payment);
    return consentView(payment, settings);
  });
}
