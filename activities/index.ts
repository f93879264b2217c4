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
export { NO_POLLING, SlotPolling } from './polling';
export { isStop } from './stops';

/**
 * The activities of one worker, with their dependencies passed in. Those that operators and payers wait for, and those that only
 * record, never wait for a connection used by collecting (rule 31).
 */
export function createActivities({ steering: ledger, ...collecting }: WorkerDependencies): AllActivities {
  const steering: Dependencies = { ...collecting, ledger };
  const memory = new AuditMemory();
  const collect = (deps: Dependencies, input: CollectStepInput) =>
    asCollecting(deps, input, () => collectPayment(deps, input, memory));
  const collects = guardActivities(collecting, {
    ...housekeepingActivities(collecting, memory),
    collectPayment: (input: CollectStepInput) =>
      Context.current().info.isLocal
        ? collectInPlace(collecting, input, (deps) => collect(deps, input))
        : collect(collecting, input),
    followAttempt: (input: CollectStepInput) =>
      asCollecting(collecting, input, () => followAttempt(collecting, input, memory)),
  });
  const steers = guardActivities(steering, {
    decide: (input: StepInput) => decide(steering, input),
    ...consentActivities(steering),
    ...paymentActivities(steering),
    capturePayment: (input: CaptureInput) => capturePayment(steering, input),
    refundPayment: (input: RefundInput) => refundPayment(steering, input),
  });
  return { ...collects, ...steers };
}

function asCollecting(deps: Dependencies, input: CollectStepInput, work: () => Promise<Step>): Promise<Step> {
  return deps.polling.hold(() => deps.service.as('collecting', () => recordingFailedChecks(deps, input, work)));
}
