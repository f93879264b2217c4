import type { AdminDeps } from '../admin-deps';
import { callerOf } from '../caller';
import { idOfCreation } from '../chosen-id';
import { readableFields } from '../creation-rules';
import { createPayment, findMadePayment } from '../payment-creation';
import { paymentFaults } from '../payment-rules';
import { invalidRequest } from '../problems';
import { schemaFaults } from '../request-validation';
import { PaymentOut } from '../schemas/payment';
import { CreatePayment } from '../schemas/payment-request';
import { FAULT_ANSWERS } from '../schemas/problem';
import { viewPayment } from '../views/payment-view';
import type { TypedApp } from './typed-app';

/** `POST /payments`. */
export function createPaymentRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/payments',
    {
      config: { role: 'operator' },
      attachValidation: true,
      schema: {
        tags: ['payments'],
        operationId: 'createPayment',
        summary: 'Requests a one-time payment and opens the consent session, for which the payer has 10 minutes',
        body: CreatePayment,
        response: { 201: PaymentOut, ...FAULT_ANSWERS },
      },
    },
    async (request, reply) => {
      const faults = schemaFaults(request.validationError);
      if (faults.length > 0) {
        const known = readableFields(CreatePayment, request.body);
        throw invalidRequest([...faults, ...paymentFaults(known, deps.policy)]);
      }
      const caller = callerOf(request);
      const chosen = idOfCreation('pay', request.body, caller, request.idempotentRun?.key ?? null);
      const made = await findMadePayment(deps, chosen);
      const record = made ?? (await createPayment(deps, request.body, chosen.id, caller.name));
      const location = `/v1/payments/${encodeURIComponent(record.paymentId)}`;
      return reply.code(201).header('location', location).send(viewPayment(record));
    },
  );
}
