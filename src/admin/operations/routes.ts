import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { readHalt } from '../../ledger';
import { type Logger, loggable } from '../../platform/log';
import { type AdminDeps, limitsOf, type Probe, type ReadMetrics, type TypedApp } from '../dependencies';
import { optionalField } from '../http/fields';
import { Problem, ERROR_RESPONSES } from '../http/problems';

const Check = z.object({
  name: z.string(),
  status: z.enum(['ok', 'failed']),
  latencyMs: z.number().min(0),
  circuit: z
    .enum(['closed', 'open', 'half_open'])
    .optional()
    .describe('The state of the circuit breaker of the checked part, if it has one'),
});

export const HealthOut = z
  .object({ status: z.literal('ok') })
  .meta({ id: 'Health', description: 'The process is alive.' });

export const ReadinessOut = z
  .object({
    status: z.literal('ready'),
    halted: z.boolean().optional().describe('Whether all sending is halted; omitted if it cannot be read'),
    checks: z.array(Check),
  })
  .meta({ id: 'Readiness', description: 'Everything required is available; each check has its latency.' });

export type Check = z.output<typeof Check>;

export interface Readiness {
  /** The names of required checks that failed. */
  readonly failed: readonly string[];
  readonly shown: { readonly halted?: boolean; readonly checks: Check[] };
}

type Log = Pick<Logger, 'warn'>;

/** What is needed to check readiness. */
export type ReadinessDeps = Pick<AdminDeps, 'db' | 'probes' | 'limits'>;

/** Runs all probes and reads the halt concurrently. A probe that times out counts as failed; its error is logged. */
export async function checkReadiness(deps: ReadinessDeps, log: Log): Promise<Readiness> {
  const { db, probes } = deps;
  const { probeTimeoutMs, optionalTimeoutMs } = limitsOf(deps);
  const [halted, ...checks] = await Promise.all([
    readIsHalted(db, probeTimeoutMs, log),
    ...probes.map((probe) => runProbe(probe, probe.isOptional === true ? optionalTimeoutMs : probeTimeoutMs, log)),
  ]);
  const failed = probes.filter(({ isOptional }, index) => isOptional !== true && checks[index]?.status === 'failed');
  return { failed: failed.map(({ name }) => name), shown: { ...optionalField('halted', halted), checks } };
}

/** Null if the ledger is unreachable, which a separate probe reports. */
async function readIsHalted(db: AdminDeps['db'], timeoutMs: number, log: Log): Promise<boolean | null> {
  const answer = await within(timeoutMs, async () => (await readHalt(db)) !== null);
  if (answer.status === 'fulfilled') return answer.value;
  log.warn({ err: loggable(answer.reason) }, 'could not read whether sending is halted');
  return null;
}

async function runProbe(probe: Probe, timeoutMs: number, log: Log): Promise<Check> {
  const { name } = probe;
  const startedAt = performance.now();
  const answer = await within(timeoutMs, async () => probe.check());
  const latencyMs = Math.round((performance.now() - startedAt) * 10) / 10;
  const shown = { latencyMs, ...optionalField('circuit', probe.circuit?.() ?? null) };
  if (answer.status === 'fulfilled') return { name, status: 'ok', ...shown };
  log.warn({ probe: name, err: loggable(answer.reason), ...shown }, 'a readiness probe failed');
  return { name, status: 'failed', ...shown };
}

async function within<T>(timeoutMs: number, ask: () => Promise<T>): Promise<PromiseSettledResult<T>> {
  const stop = new AbortController();
  const tooLate = pause(timeoutMs, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`no answer within ${timeoutMs} ms`);
  });
  const [answer] = await Promise.allSettled([Promise.race([ask(), tooLate])]);
  stop.abort();
  return answer;
}

/**
 * `GET /healthz`, `/readyz` and `/metrics`, without a key. They show nothing about subscriptions or payers.
 * @param metrics null if they are not served here
 */
export function serviceRoutes(app: TypedApp, deps: ReadinessDeps, metrics: ReadMetrics | null): void {
  const { '4xx': refused, '5xx': notReady } = ERROR_RESPONSES;
  app.get(
    '/healthz',
    {
      schema: {
        tags: ['service'],
        operationId: 'getHealth',
        summary: 'Returns 200 while the process is alive',
        security: [],
        response: { 200: HealthOut, '4xx': refused },
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
          'Returns whether everything required is available, with latencies; the payment service is shown but not required',
        security: [],
        response: { 200: ReadinessOut, '4xx': refused, 503: notReady },
      },
    },
    async (request) => {
      const { failed, shown } = await checkReadiness(deps, request.log);
      if (failed.length > 0) throw new Problem('not_ready', `Unavailable: ${failed.join(', ')}.`, { failed, ...shown });
      return { status: 'ready' as const, ...shown };
    },
  );
  if (metrics === null) return;
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await metrics()),
  );
}
