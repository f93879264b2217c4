import { HOUR, type Instant } from '../../src/domain/time';
import type { OpenCycle, SubscriptionState } from '../../src/domain/subscription/state';
import { active, FIRST, rejectedOnce } from './subscription-under-test';

export const COLLECT_BY = FIRST + 120 * HOUR;
/** L, if the first failure is at the due date. */
export const LIMIT = FIRST + 72 * HOUR;
export const WINDOW = { dueAt: FIRST, collectBy: COLLECT_BY };

export const wait = (until: Instant | null, why: string) => ({ kind: 'wait', until, why });

export const close = (status: string, reason: string) => ({ kind: 'close', cycle: 0, window: WINDOW, status, reason });

export const collect = (attempt: number, sendBefore: Instant): unknown =>
  expect.objectContaining({
    kind: 'collect',
    plan: expect.objectContaining({ attempt, sendBefore, settleOnly: false }),
  });

/** An active subscription whose payer was notified of the first rejection at `noticeAt`. */
export function told(noticeAt: Instant, open: Partial<OpenCycle> = {}, failedAt: Instant = FIRST): SubscriptionState {
  return active({}, { open: rejectedOnce(failedAt, { notice: { kind: 'delivered', at: noticeAt }, ...open }) });
}
