import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { readHalt } from '../ledger';
import { type Logger, loggable } from '../log';
import { type AdminDeps, DEFAULT_LIMITS, type Probe } from './admin-deps';
import type { Check } from './schemas/readiness';
import { named } from './views/fields';

export interface Readiness {
  /** What is needed and cannot be had, by name. */
  readonly failed: readonly string[];
  readonly shown: { readonly halted?: boolean; readonly checks: Check[] };
}

type Log = Pick<Logger, 'warn'>;

/** Asks every probe, and for a halt, at once. A slow one counts as failed; what a failed one said goes to the log. */
export async function askReadiness({ db, probes, limits }: AdminDeps, log: Log): Promise<Readiness> {
  const { probeTimeoutMs, besideTimeoutMs } = { ...DEFAULT_LIMITS, ...limits };
  const [halted, ...checks] = await Promise.all([
    askHalted(db, probeTimeoutMs, log),
    ...probes.map((probe) => askProbe(probe, probe.beside === true ? besideTimeoutMs : probeTimeoutMs, log)),
  ]);
  const failed = probes.filter(({ beside }, index) => beside !== true && checks[index]?.status === 'failed');
  return { failed: failed.map(({ name }) => name), shown: { ...named('halted', halted), checks } };
}

/** Null where the ledger cannot be asked, which a probe of its own tells. */
async function askHalted(db: AdminDeps['db'], timeoutMs: number, log: Log): Promise<boolean | null> {
  const answer = await within(timeoutMs, async () => (await readHalt(db)) !== null);
  if (answer.kind === 'value') return answer.value;
  log.warn({ err: loggable(answer.fault) }, 'whether sending is halted could not be read');
  return null;
}

async function askProbe(probe: Probe, timeoutMs: number, log: Log): Promise<Check> {
  const { name } = probe;
  const startedAt = performance.now();
  const answer = await within(timeoutMs, async () => probe.check());
  const latencyMs = Math.round((performance.now() - startedAt) * 10) / 10;
  const shown = { latencyMs, ...named('circuit', probe.circuit?.() ?? null) };
  if (answer.kind === 'value') return { name, status: 'ok', ...shown };
  log.warn({ probe: name, err: loggable(answer.fault), ...shown }, 'a readiness probe failed');
  return { name, status: 'failed', ...shown };
}

type Answer<T> = { readonly kind: 'value'; readonly value: T } | { readonly kind: 'fault'; readonly fault: unknown };

async function within<T>(timeoutMs: number, ask: () => Promise<T>): Promise<Answer<T>> {
  const stop = new AbortController();
  const tooLate = pause(timeoutMs, new Error(`no answer within ${timeoutMs} ms`), { signal: stop.signal }).then(
    (fault): Answer<T> => ({ kind: 'fault', fault }),
    (fault: unknown): Answer<T> => ({ kind: 'fault', fault }),
  );
  const asked = ask().then(
    (value): Answer<T> => ({ kind: 'value', value }),
    (fault: unknown): Answer<T> => ({ kind: 'fault', fault }),
  );
  const answer = await Promise.race([asked, tooLate]);
  stop.abort();
  return answer;
}
