import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process id alone is used again after its process has gone; with the start mark it names one process for ever. */
export interface ProcessIdentity {
  pid: number;
  /** Boot and start tick of the process where the kernel shows it, else its start time as `ps` prints it. */
  startMark: string;
}

/** The identity of a running process, or null where no such process runs. A zombie does not run. */
export function identifyProcess(pid: number): ProcessIdentity | null {
  const startMark = process.platform === 'linux' ? startMarkFromProc(pid) : startMarkFromPs(pid);
  return startMark === null ? null : { pid, startMark };
}

/** Whether the very process that was identified still runs. */
export function isStillRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startMark === identity.startMark;
}

/** The name of the program a process runs, or null where no such process runs. */
export function programOf(pid: number): string | null {
  if (process.platform === 'linux') return readProc(`/proc/${pid}/comm`)?.trim() ?? null;
  return askPs(pid, 'comm=')?.split('/').at(-1) ?? null;
}

function startMarkFromProc(pid: number): string | null {
  // The program's name stands in brackets and may hold anything, so fields are counted after the last bracket.
  const fields = readProc(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ');
  const state = fields?.[0];
  if (state === undefined || state === 'Z' || state === 'X') return null;
  const boot = readProc('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  return `${boot}:${fields?.[19] ?? ''}`;
}

function startMarkFromPs(pid: number): string | null {
  if (askPs(pid, 'state=')?.startsWith('Z') === true) return null;
  return askPs(pid, 'lstart=');
}

function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** A process may end between the opening of its file and the reading (ESRCH). */
function isGone(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ESRCH';
}

function askPs(pid: number, field: string): string | null {
  try {
    return execFileSync('ps', ['-o', field, '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch (error) {
    // `ps` ends with 1 where it knows no such process.
    if ((error as { status?: number }).status === 1) return null;
    throw error;
  }
}
