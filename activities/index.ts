import type { Activities } from '../src/contract/activities';
import type { HousekeepingActivities } from '../src/contract/housekeeping';
import type { PaymentActivities, RefundActivities } from '../src/contract/payments';
import { collectPayment, resolveAttempt } from './collect/collect-payment';
import { TrailMemory } from './collect/trail-memory';
import { consentActivities } from './consent/consent';
import { type Dependencies, type WorkerDependencies, recordActivities } from './dependencies';
import { notingFailedChecks, notingRefusedWrites } from './guards';
import { housekeepingActivities } from './housekeeping/housekeeping';
import { noticeActivities } from './notices';
import { paymentActivities } from './payment/end';
import { refundPayment } from './orders/refund-payment';

export { type ActivitySettings, type Dependencies, NO_COUNTING, type WorkerDependencies } from './dependencies';
export { NO_POLLING, SlotPolling } from './polling';
export { isStop } from './stops';

/**
 * The activities of one worker, with what they work with handed in. Those for people and payers, and those that only record,
 * never wait for a connection that collects (rule 31).
 */
export function createActivities({
  steering: ledger,
  ...collecting
}: WorkerDependencies): Activities & RefundActivities & PaymentActivities & HousekeepingActivities {
  const steering: Dependencies = { ...collecting, ledger };
  const memory = new TrailMemory();
  const recording = recordActivities(steering);
  return {
    ...noticeActivities(collecting),
    ...housekeepingActivities(collecting, memory),
    collectPayment: (input) =>
      collecting.polling.hold(() =>
        collecting.service.as('collecting', () =>
          notingFailedChecks(collecting, input, () =>
            notingRefusedWrites(
              collecting,
              { name: 'an attempt', subscriptionId: input.subscriptionId, wasRefused: input.knownUnresolved },
              () => collectPayment(collecting, input, memory),
              // The workflow is notified once; after that it is tried again ever more rarely.
              (reason) => (input.knownUnresolved ? null : { kind: 'unresolved', reason }),
            ),
          ),
        ),
      ),
    ...consentActivities(steering),
    ...recording,
    record: (change) => {
      const about = { name: 'the workflow', subscriptionId: change.subscriptionId };
      return notingRefusedWrites(steering, about, () => recording.record(change));
    },
    ...paymentActivities(steering),
    resolveAttempt: (input) => resolveAttempt(steering, input),
    refundPayment: (input) => refundPayment(steering, input),
  };
}
