import type { components } from '../../src/client/api';
import { HOUR, toIso } from '../../src/domain/time';
import { type Answers, MONDAY } from './canned-api';

type Schemas = components['schemas'];

const EVENT_ID = `evt_${'0'.repeat(32)}`;

export const ENDPOINT: Schemas['WebhookEndpoint'] = {
  endpointId: `whe_${'0'.repeat(32)}`,
  url: 'https://shop.example/events',
  types: ['*'],
  enabled: true,
  readOnly: false,
  description: 'order fulfilment',
  failingSince: toIso(MONDAY - 3 * HOUR),
  createdAt: toIso(MONDAY - 900 * HOUR),
};

const IDLE: Schemas['WebhookEndpoint'] = {
  ...ENDPOINT,
  endpointId: `whe_${'1'.repeat(32)}`,
  url: 'https://archive.example/a-long-path/that-does-not-fit/into-a-narrow-column/of-a-table',
  types: ['cycle.collected', 'refund.successful', 'payment_link.paid'],
  enabled: false,
  disabledReason: 'failing',
};

const DELIVERY: Schemas['WebhookDelivery'] = {
  deliveryId: 7,
  endpointId: ENDPOINT.endpointId,
  eventId: EVENT_ID,
  type: 'cycle.collected',
  state: 'pending',
  test: false,
  again: false,
  createdAt: toIso(MONDAY - HOUR),
  nextTryAt: toIso(MONDAY + HOUR),
  waitingFor: { kind: 'time', until: toIso(MONDAY + HOUR) },
  tries: [
    { at: toIso(MONDAY - HOUR), status: 503, ms: 38, error: null, answer: 'back in a moment' },
    { at: toIso(MONDAY - HOUR / 2), status: null, ms: 15_000, error: 'timeout', answer: null },
  ],
};

const EVENT: Schemas['MerchantEvent'] = {
  type: 'cycle.collected',
  id: EVENT_ID,
  timestamp: toIso(MONDAY - HOUR),
  sequence: 3,
  schema: 1,
  test: false,
  data: {
    subscriptionId: 'sub_0',
    paymentId: 'pay_0',
    cycle: 3,
    text: 'Cycle 3, due on 2 December 2030 at 08:00 UTC, was collected: 120.00 EUR, at the first attempt.',
  },
};

const GIVEN_UP: Schemas['WebhookDelivery'] = {
  ...DELIVERY,
  ...{ deliveryId: 6, type: 'refund.successful', state: 'dead', endedAt: toIso(MONDAY), again: true },
};

/** An endpoint that has failed for three hours, one that is disabled, and an event on its way. */
export const WEBHOOKS: Answers = {
  '/v1/webhook-endpoints': { items: [ENDPOINT, IDLE], nextCursor: null },
  [`/v1/webhook-endpoints/${ENDPOINT.endpointId}`]: ENDPOINT,
  [`/v1/webhook-endpoints/${ENDPOINT.endpointId}/deliveries`]: { items: [DELIVERY, GIVEN_UP], nextCursor: null },
  '/v1/reports/deliveries': {
    items: [
      {
        endpointId: ENDPOINT.endpointId,
        hours: Array.from({ length: 24 }, (_, index) => ({
          from: toIso(MONDAY - (23 - index) * HOUR),
          delivered: index < 21 ? (index * 5) % 17 : 1,
          failed: index < 21 ? 0 : 4,
        })),
      },
    ],
    nextCursor: null,
  },
  '/v1/events': { items: [EVENT], nextCursor: 'more' },
  [`/v1/events/${EVENT_ID}`]: { ...EVENT, deliveries: [DELIVERY] },
};

export const EVENT_PATH = `/events/${EVENT_ID}`;
