import type { FastifyInstance } from 'fastify';
import { parse } from '../body';
import { paymentRequestSchema } from '../payments/payment-request';
import { earliestFirstPayment, openPayment } from '../payments/payments';
import type { Service } from '../service';
import { paymentView } from '../wire';

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
