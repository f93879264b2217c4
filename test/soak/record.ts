import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HOUR } from '../../src/domain/time';
import { type Chart, drawChart, type Line } from './plot';

/** The resources of one process at one moment; null while it was down. */
interface Measured {
  readonly memory: number;
  readonly descriptors: number;
  readonly linesPerMinute: number;
}

export interface Sample {
  /** Real ms of the soak, over all runs. */
  readonly at: number;
  /** The figures of each role's process. */
  readonly processes: Readonly<Record<string, Measured | null>>;
  /** Bytes with indexes and TOAST, by table; null while PostgreSQL is away. */
  readonly tables: Readonly<Record<string, number>> | null;
}

/** What the state folder keeps from one run to the next. */
export interface Soaked {
  readonly seed: number;
  /** Real ms. */
  readonly soaked: number;
  readonly sittings: number;
  readonly payers: number;
  readonly doubleDebits: number;
  readonly faults: readonly string[];
  readonly samples: readonly Sample[];
}

export const NOTHING = (seed: number): Soaked => ({
  ...{ seed, soaked: 0, sittings: 0, payers: 0, doubleDebits: 0, faults: [], samples: [] },
});

const FILE = 'soak.json';

/** Null if the folder has none yet. */
export async function readSoaked(folder: string): Promise<Soaked | null> {
  try {
    return JSON.parse(await readFile(join(folder, FILE), 'utf8')) as Soaked;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes the state and its charts. If the process is killed meanwhile, the previous state remains. */
export async function writeSoaked(folder: string, soaked: Soaked): Promise<void> {
  await mkdir(folder, { recursive: true });
  const draft = join(folder, `${FILE}.draft`);
  await writeFile(draft, JSON.stringify(soaked));
  await rename(draft, join(folder, FILE));
  for (const [name, chart] of Object.entries(chartsOf(soaked)))
    await writeFile(join(folder, `${name}.svg`), drawChart(chart));
}

const MAX_TABLES = 10;
const MIB = 2 ** 20;

/** The charts by the names of their files. */
export function chartsOf({ samples }: Soaked): Readonly<Record<string, Chart>> {
  const roles = [...new Set(samples.flatMap(({ processes }) => Object.keys(processes)))];
  const ofProcesses = (title: string, unit: string, pick: (measured: Measured) => number): Chart => ({
    title,
    unit,
    lines: roles.map((role) =>
      lineOf(samples, role, ({ processes }) => {
        const measured = processes[role] ?? null;
        return measured === null ? null : pick(measured);
      }),
    ),
  });
  const largest = samples.findLast(({ tables }) => tables !== null)?.tables ?? {};
  const names = Object.entries(largest).toSorted(([, one], [, other]) => other - one);
  return {
    memory: ofProcesses('Resident memory', 'MiB', ({ memory }) => memory / MIB),
    descriptors: ofProcesses('Open descriptors', 'count', ({ descriptors }) => descriptors),
    lines: ofProcesses('Lines of the log', 'a minute', ({ linesPerMinute }) => linesPerMinute),
    tables: {
      title: 'Largest tables of the ledger',
      unit: 'MiB with indexes',
      lines: names.slice(0, MAX_TABLES).map(([table]) =>
        lineOf(samples, table, ({ tables }) => {
          const bytes = tables?.[table];
          return bytes === undefined ? null : bytes / MIB;
        }),
      ),
    },
  };
}

function lineOf(samples: readonly Sample[], name: string, pick: (sample: Sample) => number | null): Line {
  return { name, points: samples.map((sample) => [sample.at / HOUR, pick(sample)] as const) };
}

/** The medians of the second and of the last third of a figure of a role. Null without enough samples. */
export function growthOf(
  { samples }: Soaked,
  role: string,
  what: 'memory' | 'descriptors',
): { readonly before: number; readonly after: number } | null {
  const values = samples.flatMap(({ processes }) => processes[role]?.[what] ?? []);
  const third = Math.floor(values.length / 3);
  if (third === 0) return null;
  return { before: medianOf(values.slice(third, 2 * third)), after: medianOf(values.slice(-third)) };
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
