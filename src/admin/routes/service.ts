import type { AdminDeps } from '../admin-deps';
import { countAlarms } from '../alarm-metrics';
import { Problem } from '../problems';
import { askReadiness } from '../readiness';
import { FAULT_ANSWERS } from '../schemas/problem';
import { HealthOut, ReadinessOut } from '../schemas/readiness';
import type { TypedApp } from './typed-app';

/** `GET /healthz`, `/readyz` and `/metrics`: for machines, without a key. None of them tells of subscriptions or people. */
export function serviceRoutes(app: TypedApp, deps: AdminDeps): void {
  const { '5xx': notReady } = FAULT_ANSWERS;
  app.get(
    '/healthz',
    {
      schema: {
        tags: ['service'],
        operationId: 'getHealth',
        summary: 'Answers while the process lives',
        security: [],
        response: { 200: HealthOut },
      },
    },
    () => ({ status: 'ok' as const }),
  );
  app.get(
    '/readyz',
    {
      schema: {
        tags: ['service'],
        operationId: 'getReadiness',
        summary:
          'Tells whether all that is needed can be had, and how long each took; the payment service is shown beside',
        security: [],
        response: { 200: ReadinessOut, 503: notReady },
      },
    },
    async (request) => {
      const { failed, shown } = await askReadiness(deps, request.log);
      if (failed.length > 0)
        throw new Problem('not_ready', `Cannot be had: ${failed.join(', ')}.`, { failed, ...shown });
      return { status: 'ready' as const, ...shown };
    },
  );
  const countAnew = countAlarms(deps);
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    await countAnew();
    return reply.type(deps.registry.contentType).send(await deps.registry.metrics());
  });
}
