import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { moneySchema, parse, paymentIdSchema } from '../body';
import { hiddenFor } from '../faults/hooks';
import { authorize } from '../payments/authorize';
import { releaseAuthorization } from '../payments/capture-payment';
import { cancelConsent } from '../payments/consent-session';
import { paymentRequestSchema } from '../payments/payment-request';
import { earliestFirstPayment, openPayment } from '../payments/payments';
import type { Service } from '../service';
import { sendList, sendCreated } from './records';
import { paymentView, consentView, authorizationView } from '../wire';

/** `POST /payments`: Request Payment, all plans. */
export function paymentRoutes(app: FastifyInstance, service: Service): void {
  const { settings } = service;
  app.post('/payments', async (request, reply) => {
    const schema = paymentRequestSchema({
      earliestFirstPayment: earliestFirstPayment(service),
      merchantCategoryCode: request.merchant.merchantCategoryCode,
      longCapturePermitted: request.merchant.longCapturePermitted,
      brokenRules: settings.brokenRules,
    });
    const payment = openPayment(service, request.merchant, parse(schema, request.body));
    return reply.code(201).send(paymentView(payment, service.publicUrl(), settings));
  });
}

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
    if (service.contradictions.ofAnswer('cancellation_ignored', payment) === undefined) cancelConsent(service, payment);
    return consentView(payment, settings);
  });
}

const bothIdsSchema = paymentIdSchema.extend({ authorizationId: z.string().min(1) });
const listSchema = bothIdsSchema.partial({ authorizationId: true });
const amountSchema = z.strictObject({ amount: moneySchema });
const requestSchema = amountSchema.extend({ paymentId: z.string().min(1) });

/** Initiate Payment and Request Authorization (Subscription), Retrieve Authorization, Cancel Authorization. */
export function authorizationRoutes(app: FastifyInstance, service: Service): void {
  const { payments, settings } = service;

  const initiate = (
    request: FastifyRequest,
    reply: FastifyReply,
    { paymentId, amount }: z.output<typeof requestSchema>,
  ): FastifyReply => {
    const payment = payments.find(paymentId);
    const authorization = authorize(service, payment, amount.value, hiddenFor(request));
    return sendCreated(service, reply, payment, 'authorizations', authorization);
  };
  app.post('/:paymentId/authorizations', async (request, reply) => {
    const body = parse(amountSchema, request.body);
    return initiate(request, reply, { ...body, ...parse(paymentIdSchema, request.params) });
  });
  app.post('/authorizations', async (request, reply) => initiate(request, reply, parse(requestSchema, request.body)));

  app.get('/authorizations', async (request, reply) => {
    const { paymentId, authorizationId } = parse(listSchema, request.query);
    const payment = payments.find(paymentId);
    const now = payment.clock.realNow();
    const records = payment.authorizations.filter((one) => authorizationId !== undefined || one.hiddenUntil <= now);
    return sendList(service, request, reply, payment, 'authorizations', { records, named: { authorizationId } });
  });

  const release = ({ paymentId, authorizationId }: z.output<typeof bothIdsSchema>): unknown => {
    const payment = payments.find(paymentId);
    return authorizationView(payment, releaseAuthorization(service, payment, authorizationId), settings);
  };
  app.delete('/authorizations/:authorizationId', async (request) =>
    release(parse(bothIdsSchema, { ...(request.params as object), ...(request.query as object) })),
  );
  app.delete('/payments/:paymentId/authorizations/:authorizationId', async (request) =>
    release(parse(bothIdsSchema, request.params)),
  );
}
