import { readdir, readFile } from 'node:fs/promises';

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
  const ours = new Set([process.pid]);
  // A parent is listed before its children, unless process ids were reused: repeated until nothing is added.
  for (let before = 0; before < ours.size;) {
    before = ours.size;
    for (const { pid, parent } of processes) if (ours.has(parent)) ours.add(pid);
  }
  return processes.reduce((sum, { pid, cpu }) => sum + (pid !== process.pid && ours.has(pid) ? cpu : 0), 0);
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
