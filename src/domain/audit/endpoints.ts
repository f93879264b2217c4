import { type Facts, closed, phrase, say, type Events } from './event';
import { DELIVERED_IN_ORDER } from './rules';

/** Why an endpoint gets nothing any more, as the end of "was disabled:". */
const DISABLED = {
  gone: 'it answered 410, that it wants no more',
  failing: 'every try has failed for as long as EVENT_DISABLE_AFTER_SECONDS',
};

/** The merchant's endpoints for events, and what people change about them. */
export const ENDPOINT_EVENTS = {
  'endpoint.created': {
    rule: null,
    says: (facts) => [say`${facts.actor} made ${theEndpoint(facts)} for ${types(facts)}.`],
  },
  'endpoint.changed': { rule: null, says: (facts) => [say`${facts.actor} changed ${theEndpoint(facts)}.`] },
  'endpoint.deleted': { rule: null, says: (facts) => [say`${facts.actor} deleted ${theEndpoint(facts)}.`] },
  'endpoint.secret_rotated': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} gave ${theEndpoint(facts)} a new secret.`,
      say`The one before signs too until ${facts.time('overlapUntil')} (real time).`,
    ],
  },
  'endpoint.disabled': {
    rule: DELIVERED_IN_ORDER,
    says: (facts) => [
      say`${theEndpoint(facts, 'The')} was disabled: ${closed(phrase(facts.text('reason'), DISABLED))}`,
      'What it misses can be replayed for as long as events are kept.',
    ],
  },
  'endpoint.recovered': {
    rule: DELIVERED_IN_ORDER,
    says: (facts) => [say`${theEndpoint(facts, 'The')} had been disabled and takes events again.`],
  },
  'endpoint.tested': {
    rule: null,
    says: (facts) => [say`${facts.actor} sent a test of ${facts.text('type')} to ${theEndpoint(facts)}.`],
  },
  'event.resent': {
    rule: DELIVERED_IN_ORDER,
    says: (facts) => [say`${facts.actor} sent the event ${facts.text('eventId')} to ${theEndpoint(facts)} again.`],
  },
  'events.replay_ordered': {
    rule: DELIVERED_IN_ORDER,
    says: (facts) => [
      say`${facts.actor} ordered a replay of ${facts.number('total')} events since ${facts.time('since')} to ${theEndpoint(facts)}.`,
    ],
  },
  'events.replay_stopped': {
    rule: DELIVERED_IN_ORDER,
    says: (facts) => [say`${facts.actor} stopped a replay to ${theEndpoint(facts)}.`],
  },
} satisfies Events;

function theEndpoint({ text }: Facts, article = 'the'): string | null {
  return say`${article} endpoint ${text('endpointId')}`;
}

function types({ list }: Facts): string | null {
  const named = list('types');
  return named === '*' ? 'all events' : named;
}
