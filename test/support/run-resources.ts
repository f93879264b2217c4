type Stop = () => Promise<unknown>;

/**
 * Set-up and tear-down are separate modules of one process, so what has to be stopped is stored on the process's global
 * object.
 */
const kept = globalThis as typeof globalThis & { duedayTestResources?: Stop[] };

/** Stopped last in, first out. */
export function stopAfterRun(stop: Stop): void {
  (kept.duedayTestResources ??= []).push(stop);
}

/** Stops everything even if one part fails, and then fails with the first error. */
export async function stopEverything(): Promise<void> {
  const faults: unknown[] = [];
  for (const stop of (kept.duedayTestResources ?? []).splice(0).reverse())
    await stop().catch((fault: unknown) => faults.push(fault));
  if (faults.length > 0) throw faults[0];
}
