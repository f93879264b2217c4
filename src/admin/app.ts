import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { purgeKeptAnswers } from '../jobs/purge-idempotency';
import { watchForAlerts } from '../jobs/raise-alerts';
import { restartRefunds, startOrdersLeftBehind } from '../jobs/restart-orders';
import { tellWorkflows } from '../jobs/tell-workflows';
import { refundCycleRoute, resolveCycleRoute, steerCycleRoutes } from './cycles/routes';
import { type AdminDeps, DEFAULT_LIMITS, type TypedApp } from './dependencies';
import { authenticateCallers } from './http/authentication';
import { describeApi, publishDescription } from './http/documentation';
import { answerErrors, answerFrameworkError } from './http/error-answers';
import { answerOnce } from './http/idempotency';
import { BODY_LIMIT, readJsonBodies } from './http/json-body';
import { measureRequests } from './http/metrics';
import { limitRequests, refuseUnderPressure, sendProtectiveHeaders } from './http/protection';
import { recordRefusals } from './http/refused-requests';
import { checkBySchemas } from './http/validation';
import { importRoute } from './imports/route';
import { jobRoutes } from './jobs/routes';
import { keyRoutes } from './keys/routes';
import { capturePaymentRoute } from './orders/capture';
import { refundPaymentRoute } from './orders/refund';
import { createPaymentRoute } from './payments/create';
import { readPaymentRoutes } from './payments/read';
import { steerPaymentRoutes } from './payments/steer';
import { reconciliationRoutes } from './reports/reconciliation';
import { reportRoutes } from './reports/routes';
import { haltRoutes } from './service/halt';
import { restartRoutes } from './service/restart';
import { serviceRoutes } from './service/routes';
import { changeAmountRoutes } from './subscriptions/amount';
import { createSubscriptionRoute } from './subscriptions/create';
import { readCycleRoutes, readSubscriptionRoutes } from './subscriptions/read';
import { attendRoutes, cancelRoute, pauseRoutes } from './subscriptions/steer';
import { trailRoutes } from './trail/routes';

/** The admin API, complete and not listening: whoever composes the program listens, tests inject. */
export async function createAdmin(deps: AdminDeps): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = deps.logger;
  const app = Fastify({
    loggerInstance,
    // Paths and queries hold ids and names: what is logged of a request is in request-metrics.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    genReqId: () => randomUUID(),
    frameworkErrors: answerFrameworkError,
    forceCloseConnections: 'idle',
    // A service's paymentId of 200 characters, each written as three.
    routerOptions: { maxParamLength: 600 },
  });
  answerErrors(app);
  readJsonBodies(app);
  checkBySchemas(app);
  app.decorateRequest('caller', null);
  measureRequests(app, deps.registry);
  purgeKeptAnswers(app, deps);
  startOrdersLeftBehind(app, deps);
  restartRefunds(app, deps);
  tellWorkflows(app, deps);
  watchForAlerts(app, deps);
  await sendProtectiveHeaders(app);
  await describeApi(app, deps.version ?? '0.0.0');
  serviceRoutes(app.withTypeProvider<ZodTypeProvider>(), deps);
  await app.register(async (v1) => registerVersion1(v1.withTypeProvider<ZodTypeProvider>(), deps), { prefix: '/v1' });
  await publishDescription(app);
  return app;
}

async function registerVersion1(app: TypedApp, deps: AdminDeps): Promise<void> {
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  const plain = app as unknown as FastifyInstance;
  await refuseUnderPressure(plain);
  authenticateCallers(plain, deps, limits.failedKeysPerMinute);
  await limitRequests(plain, limits.requestsPerMinute);
  answerOnce(plain, deps);
  recordRefusals(plain, deps);
  createSubscriptionRoute(app, deps);
  importRoute(app, deps);
  readSubscriptionRoutes(app, deps);
  readCycleRoutes(app, deps);
  pauseRoutes(app, deps);
  cancelRoute(app, deps);
  changeAmountRoutes(app, deps);
  steerCycleRoutes(app, deps);
  resolveCycleRoute(app, deps);
  restartRoutes(app, deps);
  attendRoutes(app, deps);
  refundCycleRoute(app, deps);
  createPaymentRoute(app, deps);
  readPaymentRoutes(app, deps);
  capturePaymentRoute(app, deps);
  steerPaymentRoutes(app, deps);
  refundPaymentRoute(app, deps);
  trailRoutes(app, deps);
  reportRoutes(app, deps);
  reconciliationRoutes(app, deps);
  jobRoutes(app, deps);
  haltRoutes(app, deps);
  keyRoutes(app, deps);
}
