import { type Explanation, factsOf, type ToldEvent } from './event-facts';
import { type EventType, isEventType } from './event-types';
import { AMOUNT_WORDS } from './explain-amounts';
import { ATTEMPT_WORDS } from './explain-attempts';
import { CAPTURE_WORDS } from './explain-captures';
import { CYCLE_WORDS } from './explain-cycles';
import { HOUSE_WORDS } from './explain-house';
import { PAYMENT_WORDS } from './explain-payments';
import { REFUND_WORDS } from './explain-refunds';
import { SUBSCRIPTION_WORDS } from './explain-subscriptions';

const EXPLANATIONS: Readonly<Record<EventType, Explanation>> = {
  ...SUBSCRIPTION_WORDS,
  ...AMOUNT_WORDS,
  ...CYCLE_WORDS,
  ...ATTEMPT_WORDS,
  ...REFUND_WORDS,
  ...PAYMENT_WORDS,
  ...CAPTURE_WORDS,
  ...HOUSE_WORDS,
};

/**
 * An entry of the trail in a few plain sentences, whatever it holds: what it does not say is left out, and of a type that
 * is not known here the type itself is told.
 */
export function explain(event: ToldEvent): string {
  const { type } = event;
  const sentences = isEventType(type) ? EXPLANATIONS[type](factsOf(event)).filter((each) => each !== null) : [];
  return sentences.length > 0 ? sentences.join(' ') : typeInWords(type);
}

function typeInWords(type: string): string {
  const words = type.replace('.', ': ').replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
