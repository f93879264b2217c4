import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { type AdminDeps, DEFAULT_LIMITS } from './admin-deps';
import { watchForAlerts } from './alerts';
import { authenticateCallers } from './authentication';
import { describeApi, publishDescription } from './documentation';
import { answerErrors, answerFrameworkError } from './error-answers';
import { answerOnce } from './idempotency';
import { BODY_LIMIT, readJsonBodies } from './json-body';
import { purgeKeptAnswers } from './kept-answers';
import { restartRefunds, startOrdersLeftBehind } from './orders-left-behind';
import { limitRequests, refuseUnderPressure, sendProtectiveHeaders } from './protection';
import { recordRefusals } from './refused-requests';
import { measureRequests } from './request-metrics';
import { checkBySchemas } from './request-validation';
import { attendRoutes } from './routes/attend-subscription';
import { cancelRoute } from './routes/cancel-subscription';
import { capturePaymentRoute } from './routes/capture-payment';
import { changeAmountRoutes } from './routes/change-amount';
import { createPaymentRoute } from './routes/create-payment';
import { createSubscriptionRoute } from './routes/create-subscription';
import { haltRoutes } from './routes/halt';
import { importRoute } from './routes/import-subscriptions';
import { jobRoutes } from './routes/jobs';
import { keyRoutes } from './routes/keys';
import { pauseRoutes } from './routes/pause-subscription';
import { readPaymentRoutes } from './routes/read-payments';
import { readCycleRoutes, readSubscriptionRoutes } from './routes/read-subscriptions';
import { reconciliationRoutes } from './routes/reconciliation';
import { refundCycleRoute } from './routes/refund-cycle';
import { refundPaymentRoute } from './routes/refund-payment';
import { reportRoutes } from './routes/reports';
import { resolveCycleRoute } from './routes/resolve-cycle';
import { restartRoutes } from './routes/restart';
import { serviceRoutes } from './routes/service';
import { steerCycleRoutes } from './routes/steer-cycles';
import { steerPaymentRoutes } from './routes/steer-payments';
import { trailRoutes } from './routes/trail';
import type { TypedApp } from './routes/typed-app';
import { tellWorkflows } from './tell-workflows';

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
