import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Process ids are reused; together with the start mark, an id identifies one process permanently. */
export interface ProcessIdentity {
  pid: number;
  /** Boot id and start tick if the kernel provides them, else the start time as printed by `ps`. */
  startMark: string;
}

/** The identity of a running process, or null if there is none. A zombie does not count as running. */
export function identifyProcess(pid: number): ProcessIdentity | null {
  const startMark = process.platform === 'linux' ? startMarkFromProc(pid) : startMarkFromPs(pid);
  return startMark === null ? null : { pid, startMark };
}

/** Whether exactly the identified process is still running. */
export function isStillRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startMark === identity.startMark;
}

/** The name of a process's program, or null if there is no such process. */
export function programOf(pid: number): string | null {
  if (process.platform === 'linux') return readProc(`/proc/${pid}/comm`)?.trim() ?? null;
  return readPs(pid, 'comm=')?.split('/').at(-1) ?? null;
}

function startMarkFromProc(pid: number): string | null {
  // The program's name is in brackets and may contain anything, so fields are counted after the last bracket.
  const fields = readProc(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ');
  const state = fields?.[0];
  if (state === undefined || state === 'Z' || state === 'X') return null;
  const boot = readProc('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  return `${boot}:${fields?.[19] ?? ''}`;
}

function startMarkFromPs(pid: number): string | null {
  if (readPs(pid, 'state=')?.startsWith('Z') === true) return null;
  return readPs(pid, 'lstart=');
}

function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** A process may end between opening and reading its file (ESRCH). */
function isGone(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ESRCH';
}

function readPs(pid: number, field: string): string | null {
  try {
    return execFileSync('ps', ['-o', field, '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch (error) {
    // `ps` exits with 1 if there is no such process.
    if ((error as { status?: number }).status === 1) return null;
    throw error;
  }
}
