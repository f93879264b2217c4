import { SUBSCRIPTION_WORKFLOW } from '../contract/messages';
import { DAY, SECOND } from '../domain/time';
import type { DueStart } from '../ledger';
import { spreadOf, subscriptionStart, unlessRunning } from './starts';
import { timeoutsOf, type TemporalDeps, withTimeout } from './temporal';

type Deps = Pick<TemporalDeps, 'client' | 'clock' | 'taskQueue' | 'timeouts'>;

/** The shortest and the longest time before the first due date at which the workflow first runs. */
const WOKEN_AT_LEAST = DAY;
const WOKEN_AT_MOST = 7 * DAY;
/** No start is delayed for longer; the workflow waits for the rest of the time with a timer. */
const MAX_DELAY = 365 * DAY;

/**
 * Starts the workflow of an imported subscription, unless it is already running. Its first task is delayed until one to seven days
 * before the due date: until then the workflow costs a row in Temporal but no worker time. A change wakes it earlier.
 * @throws if Temporal cannot be reached now.
 */
export async function startImported(deps: Deps, due: DueStart): Promise<void> {
  const startDelay = delayOf(deps, due);
  const options = {
    ...subscriptionStart(deps, due, deps.taskQueue),
    ...(startDelay > 0 ? { startDelay } : {}),
  };
  const start = () => deps.client.workflow.start(SUBSCRIPTION_WORKFLOW, options);
  await unlessRunning(() => withTimeout(deps, timeoutsOf(deps).steerMs, start));
}

/** Real ms; workflows with the same due date wake at different times. 0 on a test clock, whose business time differs from Temporal's. */
function delayOf({ clock }: Pick<Deps, 'clock'>, { subscriptionId, dueAt }: DueStart): number {
  if (clock.setting !== null) return 0;
  const offset = spreadOf(subscriptionId, (WOKEN_AT_MOST - WOKEN_AT_LEAST) / SECOND);
  return Math.min(MAX_DELAY, dueAt - WOKEN_AT_MOST + offset - clock.now());
}
