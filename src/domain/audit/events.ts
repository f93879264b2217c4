import { ACCESS_EVENTS } from './access';
import { APPROVAL_EVENTS } from './approvals';
import { ATTEMPT_EVENTS } from './attempts';
import { CYCLE_EVENTS } from './cycles';
import { ENDPOINT_EVENTS } from './endpoints';
import { type CitedRule, type EventData, type EventEntry, factsOf, type ExplainedEvent } from './event';
import { OPERATION_EVENTS } from './operations';
import { CAPTURE_EVENTS, PAYMENT_EVENTS, REFUND_EVENTS } from './orders';
import { AMOUNT_EVENTS, SUBSCRIPTION_EVENTS } from './subscriptions';

/** Every type of audit entry. */
export const EVENTS = {
  ...SUBSCRIPTION_EVENTS,
  ...AMOUNT_EVENTS,
  ...CYCLE_EVENTS,
  ...ATTEMPT_EVENTS,
  ...REFUND_EVENTS,
  ...PAYMENT_EVENTS,
  ...CAPTURE_EVENTS,
  ...OPERATION_EVENTS,
  ...APPROVAL_EVENTS,
  ...ENDPOINT_EVENTS,
  ...ACCESS_EVENTS,
};

export type EventType = keyof typeof EVENTS;

/** False for a type that only another release of the program knows. */
export function isEventType(type: string): type is EventType {
  return Object.hasOwn(EVENTS, type);
}

/** The rule on which the entry is based; null if there is none, or if the type is unknown. */
export function citeRule(type: string, data: EventData): CitedRule | null {
  if (!isEventType(type)) return null;
  const { rule }: EventEntry = EVENTS[type];
  return typeof rule === 'function' ? rule(data) : rule;
}

/**
 * An audit entry in a few plain sentences. Sentences whose facts are missing are left out; for an unknown type the text is
 * the type itself.
 */
export function explain(event: ExplainedEvent): string {
  const { type } = event;
  const sentences = isEventType(type) ? EVENTS[type].says(factsOf(event)).filter((each) => each !== null) : [];
  return sentences.length > 0 ? sentences.join(' ') : readableType(type);
}

function readableType(type: string): string {
  const words = type.replace('.', ': ').replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
