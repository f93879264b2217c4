import type { Activities } from '../src/contract/activities';
import type { HousekeepingActivities } from '../src/contract/housekeeping';
import type { PaymentActivities, RefundActivities } from '../src/contract/payments';
import type { CollectStepInput, Step } from '../src/contract/steps';
import { collectPayment, followAttempt } from './collect/collect-payment';
import { TrailMemory } from './collect/trail-memory';
import { consentActivities } from './consent/consent';
import { decide } from './decide';
import type { Dependencies, WorkerDependencies } from './dependencies';
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
  return {
    ...noticeActivities(collecting),
    ...housekeepingActivities(collecting),
    decide: (input) => notingRefusedWrites(steering, { name: 'a decision', ...input }, () => decide(steering, input)),
    collectPayment: (input) => attempting(collecting, input, () => collectPayment(collecting, input, memory)),
    followAttempt: (input) => attempting(collecting, input, () => followAttempt(collecting, input, memory)),
    ...consentActivities(steering),
    ...paymentActivities(steering),
    refundPayment: (input) => refundPayment(steering, input),
  };
}

function attempting(deps: Dependencies, input: CollectStepInput, work: () => Promise<Step>): Promise<Step> {
  const { subscriptionId } = input;
  return deps.polling.hold(() =>
    deps.service.as('collecting', () =>
      notingFailedChecks(deps, input, () => notingRefusedWrites(deps, { name: 'an attempt', subscriptionId }, work)),
    ),
  );
}
