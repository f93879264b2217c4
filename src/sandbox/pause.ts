import { setTimeout as sleep } from 'node:timers/promises';

/** Waits real milliseconds; ends early, without an error, when the server closes. */
export async function pause(ms: number, closing: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal: closing, ref: false });
  } catch (error) {
    if (!closing.aborted) throw error;
  }
}
