import { SUBSCRIPTION_WORKFLOW } from '../contract/messages';
import { DAY, SECOND } from '../domain/time';
import type { DueStart } from '../ledger';
import { spreadOf, subscriptionStart, unlessRunning } from './starts';
import { patienceOf, type TemporalGatewayDeps, withPatience } from './temporal';

type Deps = Pick<TemporalGatewayDeps, 'client' | 'clock' | 'taskQueue' | 'patience'>;

/** Its workflow first runs so long before its first due date at the latest. */
const WOKEN_AT_LEAST = DAY;
const WOKEN_AT_MOST = 7 * DAY;
/** No start is put off for longer: from then on a timer of the workflow waits. */
const LONGEST_DELAY = 365 * DAY;

/**
 * Starts the workflow of an imported subscription; one that runs already is left alone. One that is due in more than a week
 * sleeps without ever having run: until then it costs a row at Temporal and no worker's time. A change wakes it earlier.
 * @throws if Temporal cannot be reached now.
 */
export async function startImported(deps: Deps, due: DueStart): Promise<void> {
  const startDelay = delayOf(deps, due);
  const options = {
    ...subscriptionStart(deps, due, deps.taskQueue),
    ...(startDelay > 0 ? { startDelay } : {}),
  };
  const start = () => deps.client.workflow.start(SUBSCRIPTION_WORKFLOW, options);
  await unlessRunning(() => withPatience(deps, patienceOf(deps).steerMs, start));
}

/** Real ms; those of one due date wake at different times. None on a test clock, whose business time is not Temporal's. */
function delayOf({ clock }: Pick<Deps, 'clock'>, { subscriptionId, dueAt }: DueStart): number {
  if (clock.setting !== null) return 0;
  const apart = spreadOf(subscriptionId, (WOKEN_AT_MOST - WOKEN_AT_LEAST) / SECOND);
  return Math.min(LONGEST_DELAY, dueAt - WOKEN_AT_MOST + apart - clock.now());
}
