import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { promisify } from 'node:util';

/** `getconf CLK_TCK`, which is 100 on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;
/** Positions in /proc/<pid>/stat after the command's name. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const [PARENT, FIRST_TIME, TIMES] = [1, 11, 4];

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Processor time of the process and of its children that have ended, ms. */
  readonly cpu: number;
}

/** Processor time of all processes that this one has started, servers included, since they started, ms. Linux only. */
export async function cpuOfDescendants(): Promise<number> {
  const processes = await readProcesses();
  const ours = familyOf(processes);
  return processes.reduce((sum, { pid, cpu }) => sum + (pid !== process.pid && ours.has(pid) ? cpu : 0), 0);
}

/** The ids of this process and of all its descendants. */
function familyOf(processes: readonly Process[]): ReadonlySet<number> {
  const ours = new Set([process.pid]);
  // Parents are listed before their children unless process ids wrapped around, so this repeats until nothing is added.
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

/** Null if the process has ended. */
async function readProcess(pid: number): Promise<Process | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(FIRST_TIME, FIRST_TIME + TIMES).reduce((sum, each) => sum + Number(each), 0);
  return { pid, parent: Number(fields[PARENT]), cpu: (ticks * 1000) / TICKS_PER_SECOND };
}

const run = promisify(execFile);

/** Restricts all threads of a process, and what it starts from now on, to one core. Linux only. */
export async function pinTo(core: number, pid: number): Promise<void> {
  await run('taskset', ['-acp', String(core), String(pid)]);
}

/** Restricts this process and all its descendants to one core. */
export async function pinAll(core: number): Promise<void> {
  // A process may have ended since it was listed.
  for (const pid of familyOf(await readProcesses())) await pinTo(core, pid).catch(() => undefined);
}

/** Lets this process, and what it starts from now on, use every core again. */
export async function unpin(): Promise<void> {
  await run('taskset', ['-acp', `0-${cpus().length - 1}`, String(process.pid)]);
}
