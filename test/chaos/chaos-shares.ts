import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Verdict } from './chaos-checks';

/** The result of a run of seeds, in numbers. */
export interface Tally {
  readonly simulated: number;
  readonly doubles: number;
  readonly lost: number;
  readonly broken: number;
  /** In how many seeds each kind of contradiction occurred. */
  readonly met: Readonly<Record<string, number>>;
}

export interface Share {
  readonly from: number;
  readonly seeds: number;
}

export function tallyOf(verdicts: readonly Verdict[]): Tally {
  const sum = (count: (verdict: Verdict) => number) => verdicts.reduce((total, each) => total + count(each), 0);
  return {
    simulated: verdicts.length,
    doubles: sum(({ doubleDebits }) => doubleDebits.length),
    lost: sum(({ lostDates }) => lostDates.length),
    broken: sum(({ broken }) => broken.length),
    met: addUp(verdicts.map(({ met = [] }) => Object.fromEntries(met.map((name) => [name, 1])))),
  };
}

export function sumOf(tallies: readonly Tally[]): Tally {
  const sum = (field: 'simulated' | 'doubles' | 'lost' | 'broken') =>
    tallies.reduce((total, each) => total + each[field], 0);
  const met = addUp(tallies.map((each) => each.met));
  return { simulated: sum('simulated'), doubles: sum('doubles'), lost: sum('lost'), broken: sum('broken'), met };
}

function addUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const [name, count] of counts.flatMap((each) => Object.entries(each))) total[name] = (total[name] ?? 0) + count;
  return total;
}

/** Divides the seeds into this many parts, one for each processor. */
export function sharesOf(from: number, seeds: number, parts: number): Share[] {
  const size = Math.ceil(seeds / parts);
  const count = Math.ceil(seeds / size);
  return Array.from({ length: count }, (_, index) => ({
    from: from + index * size,
    seeds: Math.min(size, seeds - index * size),
  }));
}

/** Plays a share of the seeds in a separate process, which prints what goes wrong. */
export function inChild({ from, seeds }: Share): Promise<Tally> {
  return new Promise((resolve, reject) => {
    const child = fork(join(__dirname, 'run.ts'), ['--from', `${from}`, '--seeds', `${seeds}`], {
      execArgv: ['-r', join(__dirname, '..', 'support', 'typescript.cjs')],
    });
    let tally: Tally | null = null;
    child.on('message', (message) => (tally = message as Tally));
    child.once('error', reject);
    child.once('close', (code) => {
      if (tally === null) reject(new Error(`seeds ${from} to ${from + seeds - 1} ended with ${code}`));
      else resolve(tally);
    });
  });
}
