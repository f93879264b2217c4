import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { moneySchema, parse, paymentIdSchema } from '../body';
import { capturePayment } from '../payments/capture-payment';
import { refundPayment } from '../payments/refund-payment';
import type { Service } from '../service';
import { sendList, sendCreated } from './records';

const captureSchema = z.strictObject({
  paymentId: z.string().min(1),
  amount: moneySchema,
  finalCapture: z.boolean().default(false),
});
const captureListSchema = paymentIdSchema.extend({
  captureId: z.string().min(1).optional(),
  authorizationId: z.string().min(1).optional(),
});

/** Capture Payment (Event Dependent) and Retrieve Capture (all plans). */
export function captureRoutes(app: FastifyInstance, service: Service): void {
  const { payments } = service;
  app.post('/captures', async (request, reply) => {
    const { paymentId, amount, finalCapture } = parse(captureSchema, request.body);
    const payment = payments.find(paymentId);
    const capture = capturePayment(service, payment, { amount: amount.value, finalCapture });
    return sendCreated(service, reply, payment, 'captures', capture);
  });
  app.get('/captures', async (request, reply) => {
    const { paymentId, captureId, authorizationId } = parse(captureListSchema, request.query);
    const payment = payments.find(paymentId);
    const selection = { records: payment.captures, named: { captureId, authorizationId } };
    return sendList(service, request, reply, payment, 'captures', selection);
  });
}

const refundSchema = z.strictObject({ amount: moneySchema, captureId: z.string().min(1).optional() });
const refundListSchema = z.object({ refundId: z.string().min(1).optional() });

/** Make Refund and Retrieve Refund. */
export function refundRoutes(app: FastifyInstance, service: Service): void {
  const { payments } = service;
  app.post('/:paymentId/refunds', async (request, reply) => {
    const { amount, captureId } = parse(refundSchema, request.body);
    const payment = payments.find(parse(paymentIdSchema, request.params).paymentId);
    const refund = refundPayment(service, payment, amount.value, captureId);
    return sendCreated(service, reply, payment, 'refunds', refund);
  });
  app.get('/:paymentId/refunds', async (request, reply) => {
    const { refundId } = parse(refundListSchema, request.query);
    const payment = payments.find(parse(paymentIdSchema, request.params).paymentId);
    return sendList(service, request, reply, payment, 'refunds', { records: payment.refunds, named: { refundId } });
  });
}
