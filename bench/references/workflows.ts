import {
  condition,
  continueAsNew,
  defineUpdate,
  makeContinueAsNewFunc,
  proxyActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { BareActivities } from './activities';
import type { BareInput } from './collecting';

const { collect, nothing, open } = proxyActivities<BareActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '20 seconds',
});
const { checkConsent } = proxyActivities<BareActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 1.5, maximumInterval: '1 minute' },
});

const CYCLES_PER_RUN = 12;

/** A timer and an activity per cycle: what one would write with Temporal for a subscription without pauses, changes or queries. */
export async function bareSubscription(input: BareInput): Promise<void> {
  const { firstDueAt, interval } = input;
  for (let { cycle } = input; ; cycle += 1) {
    if (cycle - input.cycle >= CYCLES_PER_RUN) await continueAsNew<typeof bareSubscription>({ ...input, cycle });
    await sleep(Math.max(1, firstDueAt + cycle * interval - Date.now()));
    await collect({ ...input, cycle });
  }
}

/** One cycle whose activity does nothing: the cost of Temporal alone. */
export async function emptySubscription({ firstDueAt, ...input }: BareInput): Promise<void> {
  await sleep(Math.max(1, firstDueAt - Date.now()));
  await nothing({ firstDueAt, ...input });
  await condition(() => false);
}

export const openedUpdate = defineUpdate<string>('opened');

/**
 * A subscription from its creation on. The update opens the payment itself: an update that only waited for the payment could
 * arrive after the first workflow task, when the run has already continued as new.
 */
export async function bareCreation(input: Omit<BareInput, 'paymentId'>): Promise<void> {
  let paymentId = '';
  setHandler(openedUpdate, async () => {
    paymentId = await open(input.id);
    return paymentId;
  });
  await condition(() => paymentId !== '');
  await checkConsent({ id: input.id, paymentId });
  // By default a run continues as a workflow of its own type.
  const asSubscription = makeContinueAsNewFunc<typeof bareSubscription>({ workflowType: 'bareSubscription' });
  await asSubscription({ ...input, paymentId });
}

export { steeredSubscription } from './steered';
