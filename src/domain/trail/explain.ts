import { ATTEMPT_WORDS } from './attempts';
import { CYCLE_WORDS } from './cycles';
import { type Explanation, factsOf, type ToldEvent, type EventType, isEventType } from './event';
import { HOUSE_WORDS } from './operations';
import { CAPTURE_WORDS, PAYMENT_WORDS, REFUND_WORDS } from './orders';
import { AMOUNT_WORDS, SUBSCRIPTION_WORDS } from './subscriptions';

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
