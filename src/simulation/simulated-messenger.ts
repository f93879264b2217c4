import type { Clock } from '../platform/clock';
import type { Instant } from '../domain/time';
import type { Notice, Notifier } from '../notices';

/** A notice as the messenger received it, business time. */
export interface Message {
  readonly at: Instant;
  readonly type: Notice['body']['type'];
  readonly subscriptionId: string | null;
  readonly cycle: number | null;
  readonly attempt: number | null;
}

/** An in-process stand-in for the merchant's messenger: accepts every notice, except for subscriptions that are cut off. */
export interface SimulatedMessenger extends Notifier {
  readonly received: readonly Message[];
  /** No notice about this subscription is delivered until it is connected again. */
  cutOff(subscriptionId: string): void;
  connect(subscriptionId: string): void;
}

export function createSimulatedMessenger(clock: Clock): SimulatedMessenger {
  const received: Message[] = [];
  const unreachable = new Set<string>();
  return {
    received,
    cutOff: (subscriptionId) => void unreachable.add(subscriptionId),
    connect: (subscriptionId) => void unreachable.delete(subscriptionId),
    async deliver({ body }) {
      const { subscriptionId } = body.data;
      if (subscriptionId !== null && unreachable.has(subscriptionId))
        return { kind: 'failed', reason: 'the messenger cannot be reached', others: [] };
      received.push({ at: clock.now(), type: body.type, subscriptionId, ...numbersOf(body.data) });
      const evidence = { httpStatus: 204 };
      return { kind: 'delivered', channel: 'webhook', evidence, at: clock.realNow(), others: [] };
    },
    close: () => Promise.resolve(),
  };
}

function numbersOf(data: Readonly<Record<string, unknown>>): Pick<Message, 'cycle' | 'attempt'> {
  const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);
  return { cycle: numberOf(data['cycle']), attempt: numberOf(data['attempt']) };
}
