import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { readHalt } from '../../ledger';
import { type Logger, loggable } from '../../platform/log';
import { type AdminDeps, limitsOf, type Probe, type ReadMetrics, type TypedApp } from '../dependencies';
import { named } from '../http/fields';
import { Problem, FAULT_ANSWERS } from '../http/problems';

const Check = z.object({
  name: z.string(),
  status: z.enum(['ok', 'failed']),
  latencyMs: z.number().min(0),
  circuit: z.enum(['closed', 'open', 'half_open']).optional().describe('The circuit breaker before it'),
});

export const HealthOut = z
  .object({ status: z.literal('ok') })
  .meta({ id: 'Health', description: 'The process lives.' });

export const ReadinessOut = z
  .object({
    status: z.literal('ready'),
    halted: z.boolean().optional().describe('Whether all sending is halted; left out where it cannot be read'),
    checks: z.array(Check),
  })
  .meta({ id: 'Readiness', description: 'Everything that is needed works; each check has its latency.' });

export type Check = z.output<typeof Check>;

export interface Readiness {
  /** What is needed and cannot be had, by name. */
  readonly failed: readonly string[];
  readonly shown: { readonly halted?: boolean; readonly checks: Check[] };
}

type Log = Pick<Logger, 'warn'>;

/** What readiness is judged by. */
export type ReadinessDeps = Pick<AdminDeps, 'db' | 'probes' | 'limits'>;

/** Asks every probe, and for a halt, at once. A slow one counts as failed; what a failed one said goes to the log. */
export async function askReadiness(deps: ReadinessDeps, log: Log): Promise<Readiness> {
  const { db, probes } = deps;
  const { probeTimeoutMs, besideTimeoutMs } = limitsOf(deps);
  const [halted, ...checks] = await Promise.all([
    askHalted(db, probeTimeoutMs, log),
    ...probes.map((probe) => askProbe(probe, probe.beside === true ? besideTimeoutMs : probeTimeoutMs, log)),
  ]);
  const failed = probes.filter(({ beside }, index) => beside !== true && checks[index]?.status === 'failed');
  return { failed: failed.map(({ name }) => name), shown: { ...named('halted', halted), checks } };
}

/** Null where the ledger cannot be asked, which a probe of its own reports. */
async function askHalted(db: AdminDeps['db'], timeoutMs: number, log: Log): Promise<boolean | null> {
  const answer = await within(timeoutMs, async () => (await readHalt(db)) !== null);
  if (answer.status === 'fulfilled') return answer.value;
  log.warn({ err: loggable(answer.reason) }, 'whether sending is halted could not be read');
  return null;
}

async function askProbe(probe: Probe, timeoutMs: number, log: Log): Promise<Check> {
  const { name } = probe;
  const startedAt = performance.now();
  const answer = await within(timeoutMs, async () => probe.check());
  const latencyMs = Math.round((performance.now() - startedAt) * 10) / 10;
  const shown = { latencyMs, ...named('circuit', probe.circuit?.() ?? null) };
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
 * `GET /healthz`, `/readyz` and `/metrics`: for machines, without a key. None of them shows subscriptions or people.
 * @param metrics null where they are not answered here
 */
export function serviceRoutes(app: TypedApp, deps: ReadinessDeps, metrics: ReadMetrics | null): void {
  const { '4xx': refused, '5xx': notReady } = FAULT_ANSWERS;
  app.get(
    '/healthz',
    {
      schema: {
        tags: ['service'],
        operationId: 'getHealth',
        summary: 'Answers while the process lives',
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
          'Tells whether all that is needed can be had, and how long each took; the payment service is shown beside',
        security: [],
        response: { 200: ReadinessOut, '4xx': refused, 503: notReady },
      },
    },
    async (request) => {
      const { failed, shown } = await askReadiness(deps, request.log);
      if (failed.length > 0)
        throw new Problem('not_ready', `Cannot be had: ${failed.join(', ')}.`, { failed, ...shown });
      return { status: 'ready' as const, ...shown };
    },
  );
  if (metrics === null) return;
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await metrics()),
  );
}
