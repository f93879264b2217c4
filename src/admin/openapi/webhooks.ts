import { envelopeSchema, MERCHANT_EVENTS, sampleEnvelope } from '../../ledger';
import type { Components } from './components';

type EventType = (typeof MERCHANT_EVENTS)[number];

/** Every event type as an OpenAPI webhook, from the same definitions that events are written with. */
export function describeWebhooks(components: Components): Record<string, Record<string, unknown>> {
  return Object.fromEntries(MERCHANT_EVENTS.map((type) => [type, { post: postOf(type, components) }]));
}

/** The headers defined by Standard Webhooks. */
const HEADERS = {
  'webhook-id': 'The id of the event; the same in every delivery attempt.',
  'webhook-timestamp': 'When this delivery attempt was signed, in seconds since 1970.',
  'webhook-signature': 'One signature for each secret of the endpoint, separated by spaces.',
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
      '2XX': { description: 'The endpoint has accepted the event.' },
      '4XX': { description: 'The event is sent again later; after 410 the endpoint is disabled.' },
      '5XX': { description: 'The event is sent again later.' },
    },
  };
}
