import type { ClockSetting } from './business-clock';
import { HOUR, SECOND } from './instant';

/** Business time within which it is noticed that a process has died, on a test clock that runs ahead. */
const NOTICED_WITHIN = 12 * HOUR;
/** Less would take busy processes for dead ones. Real ms. */
const SHORTEST = 3 * SECOND;

/**
 * How long to wait, in real ms, before a process counts as dead or something is tried again. Twenty seconds are nothing to a
 * collection window, but four hours a second make three days of them: on a fast test clock the waits get shorter.
 */
export function hurried(setting: ClockSetting | null, wait: number): number {
  if (setting === null) return wait;
  return Math.min(wait, Math.max(SHORTEST, NOTICED_WITHIN / setting.speed));
}
