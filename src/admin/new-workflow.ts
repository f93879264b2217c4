import { DUEDAY_REPETITION, DUEDAY_STANDING, DUEDAY_STATUS } from '../contract/search-attributes';
import type { Repetition } from '../domain/subscription/schedule';
import type { Terms } from '../domain/subscription/state';

/** What the workflow keeps: no personal data, which histories must not hold (decisions 28, 29). */
export function termsOf(draft: Terms): Terms {
  const { subscriptionId, repetition, consentAmount, startAt, firstPaymentAt, endAt, onExhausted } = draft;
  return { subscriptionId, repetition, consentAmount, startAt, firstPaymentAt, endAt, onExhausted };
}

/** The search attributes of a subscription whose consent is still to be had. */
export function shownAtFirst(repetition: Repetition) {
  return [
    { key: DUEDAY_STATUS, value: 'pending_consent' },
    { key: DUEDAY_STANDING, value: 'good' },
    { key: DUEDAY_REPETITION, value: repetition },
  ];
}
