import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { moneySchema, parse } from '../body';
import { capturePayment } from '../payments/capture-payment';
import type { Service } from '../service';
import { captureView } from '../wire';

const requestSchema = z.strictObject({
  paymentId: z.string().min(1),
  amount: moneySchema,
  finalCapture: z.boolean().default(false),
});
const listSchema = z.object({
  paymentId: z.string().min(1),
  captureId: z.string().min(1).optional(),
  authorizationId: z.string().min(1).optional(),
});

/** Capture Payment (Event Dependent) and Retrieve Capture (all plans). */
export function captureRoutes(app: FastifyInstance, service: Service): void {
  const { payments, settings } = service;
  app.post('/captures', async (request, reply) => {
    const { paymentId, amount, finalCapture } = parse(requestSchema, request.body);
    const payment = payments.find(paymentId);
    const capture = capturePayment(service, payment, { amount: amount.value, finalCapture });
    return reply.code(201).send(captureView(payment, capture, settings));
  });
  app.get('/captures', async (request) => {
    const { paymentId, captureId, authorizationId } = parse(listSchema, request.query);
    const payment = payments.find(paymentId);
    const listed = payment.captures
      .filter((one) => captureId === undefined || one.captureId === captureId)
      .filter((one) => authorizationId === undefined || one.authorizationId === authorizationId);
    return { items: listed.map((one) => captureView(payment, one, settings)) };
  });
}
