import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../src/platform/clock';
import { type Instant, realDelay } from '../../src/domain/time';

/** Real ms between two checks, more the longer the wait lasts: a check may be a request that costs others time. */
const STEP = 25;
const MAX_STEP = 250;
/** The share of the time waited so far by which a wait may be longer than necessary. */
const SHARE = 1 / 40;

/** Real ms after which a wait fails. It is less than a test may last, so that the failure says what was waited for. */
const TIMEOUT = 240_000;

/** Checks again and again until the condition holds; fails with its name when the bound (real milliseconds) has passed. */
export async function waitUntil(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = TIMEOUT,
): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    const waited = performance.now() - startedAt;
    if (waited > withinMs) throw new Error(`after ${withinMs} ms still not so: ${what}`);
    await pause(Math.min(MAX_STEP, Math.max(STEP, waited * SHARE)));
  }
}

/** Waits for business time. */
export async function untilInstant(clock: Clock, at: Instant): Promise<void> {
  while (clock.now() < at) await pause(realDelay(clock.setting, clock.realNow(), at));
}
