import type { Client } from '@temporalio/client';
import { subscriptionWorkflowId } from '../../src/contract/workflows';
import type { SubscriptionId } from '../../src/domain/ids';
import { historiesOf } from '../replay/recording';
import type { Made } from '../storm/stack-in-storm';

/** The size of a workflow, as Temporal counts it. */
export interface RunSize {
  /** The number of events of the current run. */
  readonly events: number;
  /** The size of the history of the current run. */
  readonly bytes: number;
  /** How often the state of the current run was written. */
  readonly transitions: number;
  /** What Temporal Cloud would bill for all runs, as far as histories show it: without heartbeats and queries. */
  readonly actions: number;
}

/**
 * Temporal's numbers of the events that are actions: a run begins, an activity is scheduled, a timer starts, a signal comes, search
 * attributes are written, an update is accepted. https://docs.temporal.io/evaluate/cloud/actions
 */
const ACTIONS: ReadonlySet<number> = new Set([1, 10, 17, 26, 40, 41]);

/** The means over these subscriptions. */
export async function meanSize(client: Client, made: readonly Made[]): Promise<RunSize> {
  const sizes = await Promise.all(made.map(({ id }) => sizeOf(client, subscriptionWorkflowId(id as SubscriptionId))));
  const mean = (of: (size: RunSize) => number) => sizes.reduce((sum, size) => sum + of(size), 0) / sizes.length;
  return {
    events: mean(({ events }) => events),
    bytes: mean(({ bytes }) => bytes),
    transitions: mean(({ transitions }) => transitions),
    actions: mean(({ actions }) => actions),
  };
}

async function sizeOf(client: Client, workflowId: string): Promise<RunSize> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  const { historyLength, historySizeBytes, stateTransitionCount } = raw.workflowExecutionInfo ?? {};
  const histories = await historiesOf(client, workflowId);
  const events = histories.flatMap((history) => history.events ?? []);
  // Each further try of an activity is also an action, but not an event.
  const retries = events.reduce((sum, event) => {
    return sum + Math.max(0, (event.activityTaskStartedEventAttributes?.attempt ?? 1) - 1);
  }, 0);
  return {
    events: Number(historyLength),
    bytes: Number(historySizeBytes),
    transitions: Number(stateTransitionCount),
    actions: retries + events.filter(({ eventType }) => ACTIONS.has(eventType ?? 0)).length,
  };
}
