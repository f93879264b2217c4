import { SECOND } from '../domain/time';

/**
 * Real milliseconds to wait after a notice's n-th delivery in vain, n counted from 1; the last wait is repeated.
 * @throws RangeError where there is no n-th delivery, or no wait at all.
 */
export function noticeBackoff(delivery: number, seconds: readonly number[]): number {
  const wait = seconds[Math.min(delivery, seconds.length) - 1];
  if (wait === undefined || !Number.isInteger(delivery)) {
    throw new RangeError(
      `deliveries are counted from 1 and need one wait or more; got ${delivery} of ${seconds.length}`,
    );
  }
  return wait * SECOND;
}
