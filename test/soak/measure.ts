import { readdir, readFile } from 'node:fs/promises';
import { MINUTE } from '../../src/domain/time';
import type { Stage } from '../outages/stage';
import type { Sample } from './record';

export interface Measuring {
  readonly samples: readonly Sample[];
  stop(): void;
}

/** Measures again and again, until it is stopped. @param now real ms of soaking */
export function measureEvery(ms: number, stage: Stage, now: () => number): Measuring {
  const samples: Sample[] = [];
  const lines = new LineCounts();
  const timer = setInterval(() => {
    void measure(stage, now(), lines).then((sample) => samples.push(sample));
  }, ms);
  return { samples, stop: () => clearInterval(timer) };
}

async function measure(stage: Stage, at: number, lines: LineCounts): Promise<Sample> {
  const roles = Object.entries(stage.running).map(async ([role, { pid }]) => {
    const resources = pid === null ? null : await readResources(pid);
    return [role, resources === null ? null : { ...resources, linesPerMinute: lines.rateOf(stage, role, at) }] as const;
  });
  const [processes, tables] = await Promise.all([Promise.all(roles), readTables(stage)]);
  return { at, processes: Object.fromEntries(processes), tables };
}

/** Reads the operating system's figures of a process. Null if it has just ended. */
async function readResources(pid: number): Promise<{ memory: number; descriptors: number } | null> {
  try {
    const [status, descriptors] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8'),
      readdir(`/proc/${pid}/fd`),
    ]);
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kibibytes === undefined ? null : { memory: Number(kibibytes) * 1024, descriptors: descriptors.length };
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return null;
    throw error;
  }
}

/** The sizes of the tables; null while PostgreSQL is unavailable, as in some faults. */
async function readTables({ db }: Stage): Promise<Readonly<Record<string, number>> | null> {
  const answer = await db
    .query<{ name: string; bytes: string }>(
      `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    .catch(() => null);
  return answer === null ? null : Object.fromEntries(answer.rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

/** How many lines the processes of a role have written, one after the other. */
class LineCounts {
  private readonly before = new Map<string, { readonly at: number; readonly count: number }>();

  rateOf({ started }: Stage, role: string, at: number): number {
    const texts = started.flatMap((each) =>
      each.role === role ? [`${each.process.stdout()}${each.process.stderr()}`] : [],
    );
    const count = texts.reduce((sum, text) => sum + (text.match(/\n/g)?.length ?? 0), 0);
    const last = this.before.get(role) ?? { at, count };
    this.before.set(role, { at, count });
    return at === last.at ? 0 : Math.round(((count - last.count) * MINUTE) / (at - last.at));
  }
}
