import { setTimeout as pause } from 'node:timers/promises';

/** Looks again and again until the condition holds; fails with its name when the bound (real milliseconds) has passed. */
export async function waitUntil(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> {
  const patienceEnds = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > patienceEnds) throw new Error(`after ${withinMs} ms still not so: ${what}`);
    await pause(25);
  }
}
