import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { HOUR, MINUTE } from '../domain/time';
import { workRepeatedly } from '../jobs/repeated-work';
import { restartOrders, startOrphanedOrders } from '../jobs/restart-orders';
import { runBulkJobs } from '../jobs/run-bulk';
import { watchHolds } from '../jobs/watch-holds';
import { notifyWorkflows, purgeStoredAnswers, watchForAlerts } from '../jobs/watch-ledger';
import { traceRequests } from '../platform/tracing';
import { steerCycleRoutes } from './subscriptions/cycles';
import { approvalRoutes } from './approvals/routes';
import { attentionRoutes } from './attention/routes';
import { serveConsole } from './console';
import { serveDocumentation } from './documentation';
import { holdRoutes } from './bulk/holds';
import { bulkRoute } from './bulk/routes';
import { executeBulkItem } from './bulk/single-call';
import { type AdminDeps, limitsOf } from './dependencies';
import { deliveryRoutes } from './webhooks/deliveries';
import { endpointRoutes } from './webhooks/endpoints';
import { eventRoutes } from './webhooks/routes';
import { streamRoute } from './webhooks/stream';
import { authenticateCallers } from './access/authentication';
import { answerClientError, answerErrors, answerFrameworkError } from './http/error-answers';
import { answerOnce } from './http/idempotency';
import { tieCursors } from './http/cursors';
import { BODY_LIMIT, readJsonBodies } from './http/json/body';
import { parseQuery } from './http/list-query';
import { measureRequests } from './http/metrics';
import {
  compressAnswers,
  endConnectionsOnClose,
  forbidCaching,
  limitBodyTime,
  limitRequests,
  nameRequests,
  refuseUnderPressure,
  sendProtectiveHeaders,
  tagAnswers,
} from './http/protection';
import { recordRefusals } from './subscriptions/steering';
import { checkBySchemas } from './http/validation';
import { importRoute } from './imports/route';
import { jobRoutes } from './jobs/routes';
import { registerBootstrapKeyAtStart } from './access/bootstrap-key';
import { keyRoutes } from './access/keys';
import { metadataRoutes } from './metadata/routes';
import { noticeRoutes } from './notices/routes';
import { resolveOrderRoutes } from './orders/resolve';
import { capturePaymentRoute, refundRoutes } from './orders/routes';
import { payerRoutes } from './payers/routes';
import { createPaymentRoute } from './payments/create';
import { paymentLinkRoute } from './payments/link';
import { readPaymentRoutes } from './payments/read';
import { steerPaymentRoutes } from './payments/steer';
import { describeApi, requireAnyKey, publishDescription } from './openapi/description';
import { reconciliationRoutes } from './reports/reconciliation';
import { reportRoutes } from './reports/routes';
import { recordRefusedAccess } from './access/refused-access';
import { haltRoutes } from './operations/halt';
import { countedMetrics } from './operations/observer';
import { serviceRoutes } from './operations/routes';
import { sessionRoutes } from './access/session';
import { changeAmountRoutes } from './subscriptions/amount';
import { createSubscriptionRoute } from './subscriptions/create';
import { readCycleRoutes, readSubscriptionRoutes } from './subscriptions/read';
import { steerSubscriptionRoutes } from './subscriptions/steer';
import { auditRoutes } from './audit/routes';
import { exportRoute } from './imports/export-route';
import { transactionRoutes } from './reports/transactions';

/** Ms between checks for requests whose headers are late. */
const CHECK_CONNECTIONS_EVERY = 1_000;

/** The complete admin API. It does not listen: the process does that, and tests inject requests. */
export async function createAdmin(deps: AdminDeps): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = deps.logger;
  const limits = limitsOf(deps);
  const app = Fastify({
    loggerInstance,
    // Paths and queries contain ids and names; see http/metrics for what is logged of a request.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    genReqId: () => randomUUID(),
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: answerClientError,
    forceCloseConnections: 'idle',
    trustProxy: [...(deps.trustedProxies ?? [])],
    http: { headersTimeout: limits.headersTimeoutMs, connectionsCheckingInterval: CHECK_CONNECTIONS_EVERY },
    // A payer's reference has up to 140 characters, each up to nine when percent-encoded.
    routerOptions: { maxParamLength: 1_260, querystringParser: parseQuery },
  });
  app.server.maxConnections = limits.connections;
  answerErrors(app);
  nameRequests(app);
  forbidCaching(app);
  endConnectionsOnClose(app);
  readJsonBodies(app);
  checkBySchemas(app);
  app.decorateRequest('caller', null);
  measureRequests(app, deps.registry);
  purgeStoredAnswers(app, deps);
  workRepeatedly(app, MINUTE, startOrphanedOrders(deps));
  workRepeatedly(app, HOUR, restartOrders(deps));
  notifyWorkflows(app, deps);
  watchForAlerts(app, deps);
  watchHolds(app, deps);
  registerBootstrapKeyAtStart(app, deps, deps.bootstrapKey);
  runBulkJobs(app, deps, executeBulkItem(deps));
  await sendProtectiveHeaders(app);
  await compressAnswers(app);
  await describeApi(app, deps.version ?? '0.0.0');
  const metrics = deps.metrics === undefined ? countedMetrics(deps) : deps.metrics;
  serviceRoutes(app.withTypeProvider<ZodTypeProvider>(), deps, metrics);
  await app.register((part) => registerVersion1(part, deps), { prefix: '/v1' });
  if (deps.docsNeedKey === true) await app.register((part) => publishBehindKey(part, deps));
  else await publishDocumentation(app, deps);
  await serveConsole(app, deps.consoleFolder);
  return app;
}

async function publishBehindKey(part: FastifyInstance, deps: AdminDeps): Promise<void> {
  requireAnyKey(part);
  authenticateCallers(part, deps, limitsOf(deps).failedKeysPerMinute);
  recordRefusedAccess(part, deps);
  await publishDocumentation(part, deps);
}

async function publishDocumentation(part: FastifyInstance, { docsFolder }: AdminDeps): Promise<void> {
  await publishDescription(part);
  await serveDocumentation(part, docsFolder);
}

async function registerVersion1(part: FastifyInstance, deps: AdminDeps): Promise<void> {
  const limits = limitsOf(deps);
  await refuseUnderPressure(part, limits.eventLoopDelayMs);
  authenticateCallers(part, deps, limits.failedKeysPerMinute);
  traceRequests(part);
  await limitRequests(part, limits.requestsPerMinute);
  limitBodyTime(part, limits.bodyTimeoutMs);
  answerOnce(part, deps);
  recordRefusals(part, deps);
  recordRefusedAccess(part, deps);
  tieCursors(part);
  tagAnswers(part);
  const app = part.withTypeProvider<ZodTypeProvider>();
  createSubscriptionRoute(app, deps);
  importRoute(app, deps);
  readSubscriptionRoutes(app, deps);
  exportRoute(app, deps);
  readCycleRoutes(app, deps);
  steerSubscriptionRoutes(app, deps);
  changeAmountRoutes(app, deps);
  steerCycleRoutes(app, deps);
  createPaymentRoute(app, deps);
  paymentLinkRoute(app, deps);
  readPaymentRoutes(app, deps);
  capturePaymentRoute(app, deps);
  steerPaymentRoutes(app, deps);
  refundRoutes(app, deps);
  resolveOrderRoutes(app, deps);
  metadataRoutes(app, deps);
  auditRoutes(app, deps);
  transactionRoutes(app, deps);
  eventRoutes(app, deps);
  endpointRoutes(app, deps);
  deliveryRoutes(app, deps);
  streamRoute(app, deps);
  attentionRoutes(app, deps);
  noticeRoutes(app, deps);
  payerRoutes(app, deps);
  reportRoutes(app, deps);
  reconciliationRoutes(app, deps);
  bulkRoute(app, deps);
  holdRoutes(app, deps);
  jobRoutes(app, deps);
  haltRoutes(app, deps);
  keyRoutes(app, deps);
  approvalRoutes(app, deps);
  sessionRoutes(app, deps);
}
