import { type Facts, closed, phrase, say, type Events } from './event';
import { DELIVERED_IN_ORDER } from './rules';

/** Why an endpoint gets no more events, as the end of "was disabled:". */
const DISABLED = {
  gone: 'it answered 410 (gone)',
  failing: 'every delivery has failed for EVENT_DISABLE_AFTER_SECONDS',
};

/** The merchant's endpoints for events, and changes to them. */
export const ENDPOINT_EVENTS = {
  'endpoint.created': {
    rule: null,
    says: (facts) => [say`${facts.actor} created ${theEndpoint(facts)} for ${types(facts)}.`],
  },
  'endpoint.changed': { rule: null, says: (facts) => [say`${facts.actor} changed ${theEndpoint(facts)}.`] },
  'endpoint.deleted': { rule: null, says: (facts) => [say`${facts.actor} deleted ${theEndpoint(facts)}.`] },
  'endpoint.secret_rotated': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} gave ${theEndpoint(facts)} a new secret.`,
      say`The previous secret also signs until ${facts.time('overlapUntil')} (real time).`,
    ],
  },
  'endpoint.disabled': {
    rule: DELIVERED_IN_ORDER,
    says: (facts) => [
      say`${theEndpoint(facts, 'The')} was disabled: ${closed(phrase(facts.text('reason'), DISABLED))}`,
      'Missed events can be replayed for as long as they are kept.',
    ],
  },
  'endpoint.recovered': {
    rule: DELIVERED_IN_ORDER,
    says: (facts) => [say`${theEndpoint(facts, 'The')} had been disabled and is receiving events again.`],
  },
  'endpoint.tested': {
    rule: null,
    says: (facts) => [say`${facts.actor} sent a test event ${facts.text('type')} to ${theEndpoint(facts)}.`],
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
