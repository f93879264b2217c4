import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { moneySchema, parse } from '../body';
import { refundPayment } from '../payments/refund-payment';
import type { Service } from '../service';
import { refundView } from '../wire';

const paymentIdSchema = z.object({ paymentId: z.string().min(1) });
const requestSchema = z.strictObject({ amount: moneySchema, captureId: z.string().min(1).optional() });
const listSchema = z.object({ refundId: z.string().min(1).optional() });

/** Make Refund and Retrieve Refund. */
export function refundRoutes(app: FastifyInstance, service: Service): void {
  const { payments, settings } = service;
  app.post('/:paymentId/refunds', async (request, reply) => {
    const { amount, captureId } = parse(requestSchema, request.body);
    const payment = payments.find(parse(paymentIdSchema, request.params).paymentId);
    const refund = refundPayment(service, payment, amount.value, captureId);
    return reply.code(201).send(refundView(payment, refund, settings));
  });
  app.get('/:paymentId/refunds', async (request) => {
    const { refundId } = parse(listSchema, request.query);
    const payment = payments.find(parse(paymentIdSchema, request.params).paymentId);
    const listed = payment.refunds.filter((one) => refundId === undefined || one.refundId === refundId);
    return { items: listed.map((one) => refundView(payment, one, settings)) };
  });
}
