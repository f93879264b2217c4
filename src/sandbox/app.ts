import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { requireToken, tokenRoute } from './merchants/access';
import { createAllowList, type Merchant } from './merchants/merchant';
import { iso } from './payments/calendar';
import type { Control } from './control';
import { contradict } from './faults/answer-contradictions';
import { installFaults, pathOf, paymentIdOf } from './faults/hooks';
import { failure, Refusal } from './refusal';
import { authorizationRoutes, consentRoutes, paymentRoutes } from './routes/payments';
import { captureRoutes, refundRoutes } from './routes/orders';
import { controlRoutes } from './routes/control';
import { payerRoutes } from './routes/payer';
import type { Service } from './service';

declare module 'fastify' {
  interface FastifyRequest {
    /** The merchant of the access token; set only on paths that need one. */
    merchant: Merchant;
  }
}

const BODY_LIMIT = 64 * 1024;

/** The HTTP server: the payment service's API with tokens and faults, the payer page, and /_sandbox. */
export function buildApp(service: Service, control: Control, closing: AbortSignal): FastifyInstance {
  const app = fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true, routerOptions: { maxParamLength: 200 } });
  readBodies(app);
  // Real time of the given clock, which in a simulation is not the machine's.
  app.addHook('onSend', async (_request, reply) => {
    reply.header('date', new Date(service.clock.realNow()).toUTCString());
  });
  app.setErrorHandler((error: FastifyError, request, reply) => answerRefusal(service, error, request, reply));
  app.setNotFoundHandler((request) => {
    throw new Refusal('NOT_FOUND', `there is no ${request.method} ${pathOf(request)}`);
  });
  payerRoutes(app, service);
  controlRoutes(app, service, control);
  void app.register(async (wire) => {
    installFaults(wire, service, closing);
    const isAllowed = createAllowList(service.settings.allowList);
    wire.addHook('onRequest', async (request) => {
      if (!isAllowed(request.ip)) throw new Refusal('FORBIDDEN', 'this address is not on the allow list');
    });
    tokenRoute(wire, service);
    await wire.register(async (merchant) => {
      merchant.decorateRequest('merchant');
      merchant.addHook('onRequest', async (request) => {
        request.merchant = requireToken(service, request);
      });
      merchant.addHook('preHandler', async (request, reply) => {
        const paymentId = paymentIdOf(request);
        if (paymentId === null) return;
        service.payments.requireOwner(paymentId, request.merchant);
        const payment = service.payments.has(paymentId) ? service.payments.find(paymentId) : null;
        if (payment !== null) await contradict(service, payment, request, reply);
      });
      for (const routes of [paymentRoutes, consentRoutes, authorizationRoutes, captureRoutes, refundRoutes]) {
        routes(merchant, service);
      }
    });
  });
  return app;
}

/** Accepts forms as well as JSON. An empty JSON request, often a DELETE, has no body. */
function readBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parseJson(request, body as string, done);
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body as string)));
  });
}

async function answerRefusal(
  service: Service,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const refusal = asRefusal(error);
  if (refusal.detail === 'INTERNAL_ERROR') service.log.error({ err: error }, 'the sandbox itself failed');
  if (!pathOf(request).startsWith('/_sandbox/')) record(service, refusal, request);
  await reply.code(refusal.statusCode).send(failure(refusal));
}

function asRefusal(error: FastifyError): Refusal {
  if (error instanceof Refusal) return error;
  const isCallersFault = error.statusCode !== undefined && error.statusCode < 500;
  return isCallersFault
    ? new Refusal('INVALID_REQUEST', error.message)
    : new Refusal('INTERNAL_ERROR', 'the service failed; see its log');
}

function record(service: Service, { detail, description }: Refusal, request: FastifyRequest): void {
  const path = pathOf(request);
  const paymentId = paymentIdOf(request);
  service.log.info({ method: request.method, path, detail, description }, 'refused');
  service.refusals.add({ at: iso(service.clock.now()), method: request.method, path, paymentId, detail, description });
}
