import { DEFAULT_LIMITS, type AdminDeps } from '../admin-deps';
import { countAlarms } from '../alarm-metrics';
import { Problem } from '../problems';
import { askProbes } from '../readiness';
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
        summary: 'Tells whether all that is needed can be had, and how long each took',
        security: [],
        response: { 200: ReadinessOut, 503: notReady },
      },
    },
    async (request) => {
      const timeoutMs = deps.limits?.probeTimeoutMs ?? DEFAULT_LIMITS.probeTimeoutMs;
      const checks = await askProbes(deps.probes, timeoutMs, request.log);
      const failed = checks.filter(({ status }) => status === 'failed').map(({ name }) => name);
      if (failed.length > 0) throw new Problem('not_ready', `Cannot be had: ${failed.join(', ')}.`, { failed, checks });
      return { status: 'ready' as const, checks };
    },
  );
  const countAnew = countAlarms(deps);
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    await countAnew();
    return reply.type(deps.registry.contentType).send(await deps.registry.metrics());
  });
}
