import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Logger } from '../../platform/log';
import { type CountingDeps, limitsOf, type ReadMetrics } from '../dependencies';
import { countEvents } from '../webhooks/metrics';
import { answerClientError, answerErrors } from '../http/error-answers';
import { countCapNeeds } from '../http/cap-metrics';
import { countAlarms } from '../http/metrics';
import { forbidCaching, nameRequests } from '../http/protection';
import { checkBySchemas } from '../http/validation';
import { type ReadinessDeps, serviceRoutes } from './routes';

/** The metrics of this process, and those of the whole ledger: counted again at each scrape, those about the cap once a minute. */
export function countedMetrics(deps: CountingDeps): ReadMetrics {
  const { registry } = deps;
  const [countAlarmsAgain, countEventsAgain, countNeedsAgain] = [
    countAlarms(deps),
    countEvents(deps),
    countCapNeeds(deps),
  ];
  return async () => {
    await Promise.all([countAlarmsAgain(), countEventsAgain()]);
    // All counts may share one connection, and the alarms are more important.
    await countNeedsAgain();
    return registry.metrics();
  };
}

export type ObserverDeps = ReadinessDeps & { readonly logger: Logger; readonly metrics: ReadMetrics };

/**
 * Only `/healthz`, `/readyz` and `/metrics`, for a process without admin API, or with these on another port. It does
 * not listen yet.
 */
export function createObserver(deps: ObserverDeps): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = deps.logger;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    forceCloseConnections: true,
    clientErrorHandler: answerClientError,
    http: { headersTimeout: limitsOf(deps).headersTimeoutMs },
  });
  app.server.maxConnections = MAX_CONNECTIONS;
  answerErrors(app);
  nameRequests(app);
  forbidCaching(app);
  checkBySchemas(app);
  serviceRoutes(app.withTypeProvider<ZodTypeProvider>(), deps, deps.metrics);
  return app;
}

/** Few clients read metrics and probes. */
const MAX_CONNECTIONS = 50;
