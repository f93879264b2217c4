import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { promisify } from 'node:util';

/** Of `getconf CLK_TCK`, the same on every Linux that Node runs on. */
const TICKS_A_SECOND = 100;
/** Fields of /proc/<pid>/stat behind the command's name. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const [PARENT, FIRST_TIME, TIMES] = [1, 11, 4];

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Processor time, its own and of its children that have ended, ms. */
  readonly cpu: number;
}

/** Processor time of all that this process has started, the servers among it, since it began; ms. Linux only. */
export async function cpuOfDescendants(): Promise<number> {
  const processes = await readProcesses();
  const ours = familyOf(processes);
  return processes.reduce((sum, { pid, cpu }) => sum + (pid !== process.pid && ours.has(pid) ? cpu : 0), 0);
}

/** This process and all that it has started. */
function familyOf(processes: readonly Process[]): ReadonlySet<number> {
  const ours = new Set([process.pid]);
  // A parent is listed before its children, unless process ids were reused: repeated until nothing is added.
  for (let before = 0; before < ours.size;) {
    before = ours.size;
    for (const { pid, parent } of processes) if (ours.has(parent)) ours.add(pid);
  }
  return ours;
}

async function readProcesses(): Promise<readonly Process[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const read = await Promise.all(pids.map(readProcess));
  return read.filter((each) => each !== null);
}

/** Null if it has ended meanwhile. */
async function readProcess(pid: number): Promise<Process | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(FIRST_TIME, FIRST_TIME + TIMES).reduce((sum, each) => sum + Number(each), 0);
  return { pid, parent: Number(fields[PARENT]), cpu: (ticks * 1000) / TICKS_A_SECOND };
}

const run = promisify(execFile);

/** Has all threads of a process run on one core, and those that it starts from now on. Linux only. */
export async function pinTo(core: number, pid: number): Promise<void> {
  await run('taskset', ['-acp', String(core), String(pid)]);
}

/** The same for this process and all that it has started. */
export async function pinAll(core: number): Promise<void> {
  // One that has ended since it was listed is left out.
  for (const pid of familyOf(await readProcesses())) await pinTo(core, pid).catch(() => undefined);
}

/** Has this process, and what it starts from now on, run on every core again. */
export async function unpin(): Promise<void> {
  await run('taskset', ['-acp', `0-${cpus().length - 1}`, String(process.pid)]);
}
