import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineUpdate,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import type { BareActivities } from './activities';
import type { BareInput } from './collecting';

type Status = 'active' | 'paused' | 'cancelled';

export interface SteeredInput extends BareInput {
  /** `active` if none is given. */
  readonly status?: Status;
}

const { collect, cancel } = proxyActivities<BareActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '20 seconds',
});
/** A single statement, executed within the workflow task without a round trip through the server. */
const { keepStatus } = proxyLocalActivities<BareActivities>({ startToCloseTimeout: '5 seconds' });

const CYCLES_PER_RUN = 12;

export const pauseUpdate = defineUpdate('pause');
export const cancelUpdate = defineUpdate('cancel');

/** A subscription that updates can pause and cancel; each change is in the table before its update is answered. */
export async function steeredSubscription(input: SteeredInput): Promise<void> {
  const { id, paymentId, firstDueAt, interval } = input;
  let status: Status = input.status ?? 'active';
  setHandler(pauseUpdate, async () => {
    await keepStatus({ id, status: 'paused' });
    status = 'paused';
  });
  setHandler(cancelUpdate, async () => {
    await cancel({ id, paymentId });
    status = 'cancelled';
  });
  const hasEnded = () => status === 'cancelled';
  for (let { cycle } = input; !hasEnded(); cycle += 1) {
    if (cycle - input.cycle >= CYCLES_PER_RUN) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof steeredSubscription>({ ...input, cycle, status });
    }
    const isDue = !(await condition(hasEnded, Math.max(1, firstDueAt + cycle * interval - Date.now())));
    if (isDue && status === 'active') await collect({ ...input, cycle });
  }
  await condition(allHandlersFinished);
}
