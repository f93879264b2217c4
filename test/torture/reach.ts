import { setTimeout as pause } from 'node:timers/promises';
import { realDelay, type Instant } from '../../src/domain/time';
import type { ProcessStack } from '../processes/local-stack';

/** Waits for business time. */
export async function reach({ clock }: ProcessStack, at: Instant): Promise<void> {
  for (let left = Infinity; left > 0;) {
    left = realDelay(clock.setting, clock.realNow(), at);
    if (left > 0) await pause(left);
  }
}
