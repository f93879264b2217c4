import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { provideProgram } from '../../src/embedded/cached-program';
import { cacheFolder } from '../../src/embedded/folders';
import { runOutside } from '../../src/embedded/outside-command';
import type { Logger } from '../../src/platform/log';

/** Prometheus 3.13.5, whose `promtool` has its engine for rules. */
const VERSION = 'v0.313.5';
const PACKAGE = 'github.com/prometheus/prometheus/cmd/promtool';
/** Build options that leave out the clients with which Prometheus discovers targets in clouds. */
const LEAN = ['-ldflags=-s -w', '-gcflags=all=-dwarf=false', '-tags=remove_all_sd,disable_grpc_modules'];

const RULES = join(__dirname, '../../deploy/prometheus/rules.yaml');
/** Real ms between two scrapes, and between two evaluations of the rules. */
export const SCRAPED_EVERY = 15_000;

/** A series, `name{label="value"}`, with a value for each scrape; null if the process did not answer or had none. */
export interface Series {
  readonly series: string;
  readonly values: readonly (number | null)[];
}

/** When an alert fired, in seconds since the first scrape. */
interface Firing {
  readonly first: number;
  readonly last: number;
}

/** The path of `promtool`: from PATH, else built with Go once and kept in the user's cache. @throws with what to do */
export async function providePromtool(log: Logger): Promise<string> {
  if (hasPromtool('promtool')) return 'promtool';
  const folder = await provideProgram({
    name: `promtool-${VERSION}-${platform()}-${arch()}`,
    ways: [{ name: 'build with Go', fill: build }],
    duration: 'in 5 to 10 minutes',
    advice: `Install promtool, or the Go that ${PACKAGE} ${VERSION} asks for in its go.mod.`,
    cacheDir: cacheFolder(),
    log,
  });
  return join(folder, 'promtool');
}

/** The installed `promtool`, or null. */
export function installedPromtool(): string | null {
  const cached = join(cacheFolder(), `promtool-${VERSION}-${platform()}-${arch()}`, 'promtool');
  return ['promtool', cached].find(hasPromtool) ?? null;
}

function hasPromtool(path: string): boolean {
  return spawnSync(path, ['--version']).status === 0;
}

/** Builds promtool as a dependency of another module, because `go install` refuses its go.mod, which excludes modules. */
async function build(draft: string, report: (progress: string) => void): Promise<void> {
  const module = join(draft, 'module');
  await mkdir(module);
  let lines = 0;
  const go = (...args: string[]) =>
    runOutside({
      command: 'go',
      args,
      cwd: module,
      env: { CGO_ENABLED: '0' },
      onLine: () => report(`${(lines += 1)} modules fetched and packages compiled`),
    });
  await go('mod', 'init', 'rules-engine');
  await go('get', `${PACKAGE}@${VERSION}`);
  await go('build', '-v', ...LEAN, '-o', join(draft, 'promtool'), PACKAGE);
  await rm(module, { recursive: true });
}

/** An expression for the time at which each alert first or last fired. `timestamp` is in seconds from the first scrape. */
const firings = (which: 'min' | 'max', seconds: number) =>
  `${which} by (alertname) (${which}_over_time(timestamp(ALERTS{alertstate="firing"})[${seconds}s:15s]))`;

/**
 * Evaluates the alert rules over the series by Prometheus itself, as it does with a scrape and an evaluation every 15 seconds.
 * @returns the alerts that fired
 */
export async function evaluateRules(
  promtool: string,
  series: readonly Series[],
  rules = RULES,
): Promise<ReadonlyMap<string, Firing>> {
  const scrapes = Math.max(...series.map(({ values }) => values.length));
  const seconds = ((scrapes - 1) * SCRAPED_EVERY) / 1000;
  const time = `${seconds}s`;
  const asked = (which: 'min' | 'max') => ({ expr: firings(which, seconds + 15), eval_time: time, exp_samples: [] });
  const trial = {
    rule_files: [rules],
    evaluation_interval: '15s',
    tests: [
      {
        interval: '15s',
        input_series: series.map((each) => ({ series: each.series, values: notationOf(each.values) })),
        promql_expr_test: [asked('min'), asked('max')],
      },
    ],
  };
  const folder = await mkdtemp(join(tmpdir(), 'dueday-rules-'));
  try {
    const file = join(folder, 'trial.yaml');
    await writeFile(file, stringify(trial, { lineWidth: 0 }));
    return readFirings(await runPromtool(promtool, file));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Its exit code is not 0 if alerts fired, as none is expected. */
async function runPromtool(promtool: string, file: string): Promise<string> {
  const { code, stdout, stderr } = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(promtool, ['test', 'rules', file], { maxBuffer: 2 ** 28 }, (error, ...output) =>
      resolve({ code: error?.code ?? error, stdout: output[0], stderr: output[1] }),
    );
  });
  const said = `${stdout}${stderr}`;
  const isAnswer = code === null ? said.includes('SUCCESS') : said.includes('got:');
  if (!isAnswer) throw new Error(`promtool ended with ${String(code)}: ${said.slice(0, 2000)}`);
  return said;
}

/** Reads the alerts that fired from what promtool reports to have got although no sample was expected. Exported for tests. */
export function readFirings(said: string): ReadonlyMap<string, Firing> {
  const answers = said.split('expr: ').slice(1);
  const timesOf = (which: 'min' | 'max') => {
    const text = answers.find((answer) => answer.startsWith(`"${which} `))?.split('got:')[1] ?? '';
    const found = text.matchAll(/\{alertname="(\w+)"\} ([\d.E+-]+)/g);
    return new Map([...found].map(([, alert = '', seconds]) => [alert, Number(seconds)]));
  };
  const last = timesOf('max');
  return new Map([...timesOf('min')].map(([alert, first]) => [alert, { first, last: last.get(alert) ?? first }]));
}

/**
 * Values in promtool's notation: `4`, `4x2` for three of them, `4+2x3` for a line, `_` for none. A value that is no longer there
 * is `stale` at first, as after a scrape without it. Exported for tests.
 */
export function notationOf(values: readonly (number | null)[]): string {
  const words: string[] = [];
  for (let at = 0; at < values.length;) {
    const value = values[at] ?? null;
    let length = 1;
    if (value === null) {
      while (at + length < values.length && values[at + length] === null) length += 1;
      const isEnd = at > 0;
      words.push(...(isEnd ? ['stale'] : []), ...(length > (isEnd ? 1 : 0) ? [`_x${length - (isEnd ? 1 : 0)}`] : []));
    } else {
      const step = (values[at + 1] ?? NaN) - value;
      while (values[at + length] === value + step * length) length += 1;
      words.push(length === 1 ? String(value) : `${value}${step < 0 ? '-' : '+'}${Math.abs(step)}x${length - 1}`);
    }
    at += length;
  }
  return words.join(' ');
}
