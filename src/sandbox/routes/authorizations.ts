import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { authorize } from '../payments/authorize';
import { moneySchema, parse } from '../body';
import { releaseAuthorization } from '../payments/capture-payment';
import { hiddenFor } from '../faults/hooks';
import type { Service } from '../service';
import { authorizationView } from '../wire';

const paymentIdSchema = z.object({ paymentId: z.string().min(1) });
const bothIdsSchema = z.object({ paymentId: z.string().min(1), authorizationId: z.string().min(1) });
const listSchema = z.object({ paymentId: z.string().min(1), authorizationId: z.string().min(1).optional() });
const amountSchema = z.strictObject({ amount: moneySchema });
const requestSchema = amountSchema.extend({ paymentId: z.string().min(1) });

/** Initiate Payment and Request Authorization (Subscription), Retrieve Authorization, Cancel Authorization. */
export function authorizationRoutes(app: FastifyInstance, service: Service): void {
  const { payments, settings } = service;

  const initiate = async (
    request: FastifyRequest,
    reply: FastifyReply,
    paymentId: string,
    amount: number,
  ): Promise<unknown> => {
    const payment = payments.find(paymentId);
    const authorization = authorize(service, payment, amount, hiddenFor(request));
    return reply.code(201).send(authorizationView(payment, authorization, settings));
  };
  app.post('/:paymentId/authorizations', async (request, reply) => {
    const { amount } = parse(amountSchema, request.body);
    return initiate(request, reply, parse(paymentIdSchema, request.params).paymentId, amount.value);
  });
  app.post('/authorizations', async (request, reply) => {
    const { paymentId, amount } = parse(requestSchema, request.body);
    return initiate(request, reply, paymentId, amount.value);
  });

  app.get('/authorizations', async (request) => {
    const { paymentId, authorizationId } = parse(listSchema, request.query);
    const payment = payments.find(paymentId);
    const listed = payment.authorizations.filter((one) =>
      authorizationId === undefined
        ? one.hiddenUntil <= payment.clock.realNow()
        : one.authorizationId === authorizationId,
    );
    return { items: listed.map((one) => authorizationView(payment, one, settings)) };
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
