import { envelopeSchema, MERCHANT_EVENTS, sampleEnvelope } from '../../ledger';
import type { Components } from './components';

type EventType = (typeof MERCHANT_EVENTS)[number];

/** Every event as an OpenAPI webhook, from the entries by which events are written. */
export function describeWebhooks(components: Components): Record<string, Record<string, unknown>> {
  return Object.fromEntries(MERCHANT_EVENTS.map((type) => [type, { post: postOf(type, components) }]));
}

/** What the headers of Standard Webhooks are. */
const HEADERS = {
  'webhook-id': 'The id of the event, the same in every repetition.',
  'webhook-timestamp': 'The seconds since 1970 at which this repetition was signed.',
  'webhook-signature': 'The signatures by the secrets of the endpoint, separated by spaces.',
};

function postOf(type: EventType, components: Components) {
  const name = type
    .split(/[._]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
  const envelope = envelopeSchema(type);
  const summary = envelope.description;
  return {
    operationId: `on${name}`,
    summary,
    description: `${summary}.`,
    tags: ['webhooks'],
    security: [],
    parameters: Object.entries(HEADERS).map(([header, description]) => {
      return { name: header, in: 'header', required: true, description, schema: { type: 'string' } };
    }),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: components.describe(envelope.meta({ id: `${name}Event`, description: `${summary}.` })),
          example: sampleEnvelope(type),
        },
      },
    },
    responses: {
      '2XX': { description: 'The endpoint has taken the event.' },
      '4XX': { description: 'The event is posted again later; after 410 the endpoint is disabled.' },
      '5XX': { description: 'The event is posted again later.' },
    },
  };
}
