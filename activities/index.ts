import { Context } from '@temporalio/activity';
import type { CollectStepInput, Step, StepInput } from '../src/contract/steps';
import type { CaptureInput, RefundInput } from '../src/contract/payments';
import { collectPayment, followAttempt } from './collect/collect-payment';
import { AuditMemory } from './collect/audit-memory';
import { collectInPlace } from './collect/in-place';
import { consentActivities } from './consent/consent';
import { decide } from './decide';
import type { Dependencies, WorkerDependencies } from './dependencies';
import { recordingFailedChecks } from './guards';
import { housekeepingActivities } from './housekeeping/housekeeping';
import { capturePayment } from './orders/capture-payment';
import { paymentActivities } from './payment/release';
import { refundPayment } from './orders/refund-payment';
import { type AllActivities, guardActivities } from './refused-writes';

export { type ActivitySettings, type Dependencies, NO_COUNTING, type WorkerDependencies } from './dependencies';
export { InPlaceSlots, NO_POLLING, SlotPolling } from './polling';
export { isStop } from './stops';

/**
 * The activities of one worker. Those that operators and payers wait for, and those that decide the next step of a subscription
 * or a payment, have their own pool of connections, so that they never wait for collecting (rule 31).
 */
export function createActivities({ steering: steeringPool, ...collectingDeps }: WorkerDependencies): AllActivities {
  const steeringDeps: Dependencies = { ...collectingDeps, ledger: steeringPool };
  const memory = new AuditMemory();
  const collect = (deps: Dependencies, input: CollectStepInput) =>
    asCollecting(deps, input, () => collectPayment(deps, input, memory));
  const collecting = guardActivities(collectingDeps, {
    ...housekeepingActivities(collectingDeps, memory),
    collectPayment: (input: CollectStepInput) =>
      Context.current().info.isLocal
        ? collectInPlace(collectingDeps, input, (deps) => collect(deps, input))
        : collect(collectingDeps, input),
    followAttempt: (input: CollectStepInput) =>
      asCollecting(collectingDeps, input, () => followAttempt(collectingDeps, input, memory)),
  });
  const steering = guardActivities(steeringDeps, {
    decide: (input: StepInput) => decide(steeringDeps, input),
    ...consentActivities(steeringDeps),
    ...paymentActivities(steeringDeps),
    capturePayment: (input: CaptureInput) => capturePayment(steeringDeps, input),
    refundPayment: (input: RefundInput) => refundPayment(steeringDeps, input),
  });
  return { ...collecting, ...steering };
}

function asCollecting(deps: Dependencies, input: CollectStepInput, work: () => Promise<Step>): Promise<Step> {
  return deps.polling.hold(() => deps.service.as('collecting', () => recordingFailedChecks(deps, input, work)));
}
