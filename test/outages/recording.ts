import { MINUTE, SECOND } from '../../src/domain/time';
import { type Series, SCRAPED_EVERY } from '../observation/rules-engine';

/** A process whose metrics and readiness are recorded. */
interface Target {
  readonly instance: string;
  readonly url: string;
}

export const NO_ANSWER = 'no answer';

/** What `/readyz` answered. */
interface Readiness {
  readonly instance: string;
  /** Real ms since the recording began. */
  readonly at: number;
  /** The failed checks, `halted`, or {@link NO_ANSWER}; empty if all is well. */
  readonly says: readonly string[];
  /** Real ms. */
  readonly took: number;
  /** Real ms that `/healthz`, which checks nothing, took at the same moment: a measure of how slow the machine is. */
  readonly lag: number;
}

/** Real ms between two requests for readiness: more often than a scrape, so that a change is noticed soon. */
const ASKED_EVERY = 3 * SECOND;
/** Prometheus's own limit. */
const SCRAPE_TIMEOUT = 10 * SECOND;

/**
 * Asks each process for its metrics every 15 seconds, as Prometheus does, and for its readiness every three, and keeps the answers. An
 * instance keeps its name when its process is replaced.
 */
export class Recording {
  private readonly scrapes = new Map<string, Map<number, number>>();
  private readonly timers: NodeJS.Timeout[];
  private readonly startedAt = performance.now();
  private taken = 0;
  readonly readiness: Readiness[] = [];

  constructor(private readonly targets: readonly Target[]) {
    this.timers = [
      setInterval(() => void this.scrape(), SCRAPED_EVERY),
      setInterval(() => void this.askReadiness(), ASKED_EVERY),
    ];
    void this.scrape();
    void this.askReadiness();
  }

  /** Real ms since it began. */
  now(): number {
    return performance.now() - this.startedAt;
  }

  stop(): void {
    this.timers.forEach((timer) => clearInterval(timer));
  }

  /** All series since an instant of the recording; the first value is of the first scrape after it. */
  series(since: number): Series[] {
    const from = Math.ceil(since / SCRAPED_EVERY);
    const length = this.taken - from;
    return [...this.scrapes].flatMap(([series, values]) => {
      const cut = Array.from({ length }, (_, n) => values.get(from + n) ?? null);
      return cut.every((value) => value === null) ? [] : [{ series, values: cut }];
    });
  }

  /** The latest value of each series of a metric, by the name that Prometheus gives it. */
  latest(metric: string): ReadonlyMap<string, number> {
    const last = [...this.scrapes].flatMap(([series, values]) => {
      const value = values.get(this.taken - 1);
      return value !== undefined && series.startsWith(`${metric}{`) ? [[series, value] as const] : [];
    });
    return new Map(last);
  }

  private async scrape(): Promise<void> {
    const n = this.taken;
    this.taken += 1;
    await Promise.all(
      this.targets.map(async ({ instance, url }) => {
        const page = await textOf(`${url}/metrics`, SCRAPE_TIMEOUT);
        for (const [series, value] of readPage(page ?? '', instance)) {
          const values = this.scrapes.get(series) ?? new Map<number, number>();
          this.scrapes.set(series, values.set(n, value));
        }
      }),
    );
  }

  private async askReadiness(): Promise<void> {
    const answers = this.targets.map(async ({ instance, url }): Promise<Readiness> => {
      const at = this.now();
      const [answer, health] = await Promise.all(
        ['readyz', 'healthz'].map((path) => timed(textOf(`${url}/${path}`, MINUTE))),
      );
      const [took, lag] = [answer!.took, health!.took];
      if (answer!.text === null) return { instance, at, says: [NO_ANSWER], took, lag };
      const { failed = [], halted = false } = JSON.parse(answer!.text) as { failed?: string[]; halted?: boolean };
      return { instance, at, says: [...failed, ...(halted ? ['halted'] : [])], took, lag };
    });
    this.readiness.push(...(await Promise.all(answers)));
  }
}

async function timed(answer: Promise<string | null>): Promise<{ text: string | null; took: number }> {
  const startedAt = performance.now();
  const text = await answer;
  return { text, took: performance.now() - startedAt };
}

/** Null if there is no answer: the process is down, or does not answer in time. */
async function textOf(url: string, timeoutMs: number): Promise<string | null> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    return await answer.text();
  } catch {
    return null;
  }
}

const SAMPLE = /^(?<name>[a-z_]\w*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/gim;
/** Metrics of Node.js itself: no alert asks for them. */
const OF_THE_RUNTIME = /^dueday_(nodejs|process)_/;

/** Samples of a page, with the instance as Prometheus adds it. Exported for tests. */
export function readPage(page: string, instance: string): ReadonlyMap<string, number> {
  const samples = new Map<string, number>();
  for (const { groups: { name = '', labels, value } = {} } of page.matchAll(SAMPLE)) {
    if (OF_THE_RUNTIME.test(name)) continue;
    const all = [`instance="${instance}"`, ...(labels === undefined || labels === '' ? [] : [labels])].join(',');
    samples.set(`${name}{${all}}`, Number(value));
  }
  return samples;
}
