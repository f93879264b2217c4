import type { Clock } from '../platform/clock';
import type { Instant } from '../domain/time';
import type { Notice, Notifier } from '../notices';

/** A notice as the messenger took it, business time. */
export interface Message {
  readonly at: Instant;
  readonly type: Notice['body']['type'];
  readonly subscriptionId: string | null;
  readonly cycle: number | null;
  readonly attempt: number | null;
}

/** Stands in for the merchant's messenger, in process: takes every notice, or none of a subscription that is cut off. */
export interface SimulatedMessenger extends Notifier {
  readonly taken: readonly Message[];
  /** From here on nothing reaches the payer of this subscription, until it is connected again. */
  cutOff(subscriptionId: string): void;
  connect(subscriptionId: string): void;
}

export function createSimulatedMessenger(clock: Clock): SimulatedMessenger {
  const taken: Message[] = [];
  const away = new Set<string>();
  return {
    taken,
    cutOff: (subscriptionId) => void away.add(subscriptionId),
    connect: (subscriptionId) => void away.delete(subscriptionId),
    async deliver({ body }) {
      const { subscriptionId } = body.data;
      if (subscriptionId !== null && away.has(subscriptionId))
        return { kind: 'failed', reason: 'the messenger is away', others: [] };
      taken.push({ at: clock.now(), type: body.type, subscriptionId, ...placeOf(body.data) });
      const evidence = { httpStatus: 204 };
      return { kind: 'delivered', channel: 'webhook', evidence, at: clock.realNow(), others: [] };
    },
    close: () => Promise.resolve(),
  };
}

function placeOf(data: Readonly<Record<string, unknown>>): Pick<Message, 'cycle' | 'attempt'> {
  const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);
  return { cycle: numberOf(data['cycle']), attempt: numberOf(data['attempt']) };
}
