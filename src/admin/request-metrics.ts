import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';

/** How long requests take, by route and not by path: paths hold ids. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const seconds = new Histogram({
    name: 'dueday_admin_request_seconds',
    help: 'Seconds from a request of the admin API to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode };
    seconds.observe(labels, reply.elapsedTime / 1000);
    request.log.debug({ ...labels, actor: request.caller?.name, ms: Math.round(reply.elapsedTime) }, 'answered');
  });
}
