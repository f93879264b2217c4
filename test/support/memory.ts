import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Bytes of memory that a process holds; 0 once it has ended. */
export async function residentBytes(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return Number(stdout.trim()) * 1024;
}

/** The most memory that a process has held since the call, in bytes, sampled every 200 ms until `stop`. */
export function watchMemory(pid: number): { readonly most: () => number; readonly stop: () => void } {
  let most = 0;
  const sample = async () => {
    most = Math.max(most, await residentBytes(pid));
  };
  const timer = setInterval(() => void sample(), 200);
  return { most: () => most, stop: () => clearInterval(timer) };
}
