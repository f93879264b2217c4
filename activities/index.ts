import type { CollectInput, ResolveInput } from '../src/contract/activities';
import type { RefundInput } from '../src/contract/payments';
import { collectPayment, resolveAttempt } from './collect/collect-payment';
import { TrailMemory } from './collect/trail-memory';
import { consentActivities } from './consent/consent';
import { type Dependencies, type WorkerDependencies, recordActivities } from './dependencies';
import { notingFailedChecks } from './guards';
import { housekeepingActivities } from './housekeeping/housekeeping';
import { noticeActivities } from './notices';
import { paymentActivities } from './payment/end';
import { refundPayment } from './orders/refund-payment';
import { type AllActivities, guardActivities } from './refused-writes';

export { type ActivitySettings, type Dependencies, NO_COUNTING, type WorkerDependencies } from './dependencies';
export { NO_POLLING, SlotPolling } from './polling';
export { isStop } from './stops';

/**
 * The activities of one worker, with what they work with handed in. Those for people and payers, and those that only record,
 * never wait for a connection that collects (rule 31).
 */
export function createActivities({ steering: ledger, ...collecting }: WorkerDependencies): AllActivities {
  const steering: Dependencies = { ...collecting, ledger };
  const memory = new TrailMemory();
  const collects = guardActivities(collecting, {
    ...noticeActivities(collecting),
    ...housekeepingActivities(collecting, memory),
    collectPayment: (input: CollectInput) =>
      collecting.polling.hold(() =>
        collecting.service.as('collecting', () =>
          notingFailedChecks(collecting, input, () => collectPayment(collecting, input, memory)),
        ),
      ),
  });
  const steers = guardActivities(steering, {
    ...consentActivities(steering),
    ...recordActivities(steering),
    ...paymentActivities(steering),
    resolveAttempt: (input: ResolveInput) => resolveAttempt(steering, input),
    refundPayment: (input: RefundInput) => refundPayment(steering, input),
  });
  return { ...collects, ...steers };
}
