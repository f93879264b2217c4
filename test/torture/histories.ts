import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { subscriptionWorkflowId } from '../../src/contract/workflows';
import type { SubscriptionId } from '../../src/domain/ids';
import { toBusiness, toIso } from '../../src/domain/time';
import type { ProcessStack } from '../processes/local-stack';
import { historiesOf } from '../replay/recording';

interface HistoryEvent {
  readonly eventTime: string;
  readonly eventType: string;
  readonly [attributes: string]: unknown;
}

/** The attributes that are shown of an event that has them: what ran where, and why it failed. */
const TELLING = ['identity', 'startToFireTimeout', 'activityType', 'timeoutType', 'failure', 'lastFailure', 'attempt'];

/** What Temporal did for a subscription: each event as Temporal names it, with its business time and its real time. */
export async function describeHistory(stack: ProcessStack, name: string): Promise<readonly string[]> {
  const connection = await Connection.connect({ address: stack.temporalAddress });
  try {
    const workflowId = subscriptionWorkflowId(name as SubscriptionId);
    const histories = await historiesOf(new Client({ connection }), workflowId);
    return histories.flatMap((history) => {
      const { events } = JSON.parse(historyToJSON(history)) as { events: readonly HistoryEvent[] };
      return events.map((event) => describe(stack, event));
    });
  } finally {
    await connection.close();
  }
}

function describe({ clock }: ProcessStack, { eventTime, eventType, ...rest }: HistoryEvent): string {
  const real = Date.parse(eventTime);
  const attributes = Object.entries(rest).find(([name]) => name.endsWith('EventAttributes'))?.[1] ?? {};
  const told = Object.entries(attributes).filter(([name]) => TELLING.includes(name));
  const at = `${toIso(toBusiness(clock.setting, real))} (${toIso(real).slice(14, 23)})`;
  return `${at} ${eventType} ${JSON.stringify(Object.fromEntries(told)).slice(0, 300)}`;
}
