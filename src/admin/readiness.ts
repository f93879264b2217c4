import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../log';
import type { Probe } from './admin-deps';
import { loggable } from './error-answers';
import type { Check } from './schemas/readiness';

/** Asks every probe at once. A slow one counts as failed; what a failed one said goes to the log. */
export async function askProbes(
  probes: readonly Probe[],
  timeoutMs: number,
  log: Pick<Logger, 'warn'>,
): Promise<Check[]> {
  return Promise.all(probes.map((probe) => ask(probe, timeoutMs, log)));
}

async function ask(probe: Probe, timeoutMs: number, log: Pick<Logger, 'warn'>): Promise<Check> {
  const startedAt = performance.now();
  const fault = await faultOf(probe, timeoutMs);
  const latencyMs = Math.round((performance.now() - startedAt) * 10) / 10;
  if (fault === null) return { name: probe.name, status: 'ok', latencyMs };
  log.warn({ probe: probe.name, err: loggable(fault), latencyMs }, 'a readiness probe failed');
  return { name: probe.name, status: 'failed', latencyMs };
}

async function faultOf(probe: Probe, timeoutMs: number): Promise<unknown> {
  const stop = new AbortController();
  const tooLate = pause(timeoutMs, new Error(`no answer within ${timeoutMs} ms`), { signal: stop.signal }).catch(
    () => null,
  );
  const asked = (async () => probe.check())().then(
    () => null,
    (error: unknown) => error,
  );
  const fault = await Promise.race([asked, tooLate]);
  stop.abort();
  return fault;
}
