import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Logger } from '../../platform/log';
import { type CountingDeps, limitsOf, type ReadMetrics } from '../dependencies';
import { countEvents } from '../webhooks/metrics';
import { answerClientError, answerErrors } from '../http/error-answers';
import { countAlarms } from '../http/metrics';
import { forbidCaching } from '../http/protection';
import { checkBySchemas } from '../http/validation';
import { type ReadinessDeps, serviceRoutes } from './routes';

/** What the process counts about itself, and what of the whole ledger is counted anew at each reading. */
export function countedMetrics(deps: CountingDeps): ReadMetrics {
  const { registry } = deps;
  const [countAlarmsAnew, countEventsAnew] = [countAlarms(deps), countEvents(deps)];
  return async () => {
    await Promise.all([countAlarmsAnew(), countEventsAnew()]);
    return registry.metrics();
  };
}

export type ObserverDeps = ReadinessDeps & { readonly logger: Logger; readonly metrics: ReadMetrics };

/** `/healthz`, `/readyz` and `/metrics` alone, for a process that has no admin API or shows them elsewhere. Not listening. */
export function createObserver(deps: ObserverDeps): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = deps.logger;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    clientErrorHandler: answerClientError,
    http: { headersTimeout: limitsOf(deps).headersTimeoutMs },
  });
  app.server.maxConnections = MOST_CONNECTIONS;
  answerErrors(app);
  forbidCaching(app);
  checkBySchemas(app);
  serviceRoutes(app.withTypeProvider<ZodTypeProvider>(), deps, deps.metrics);
  return app;
}

/** Those who look are few. */
const MOST_CONNECTIONS = 50;
