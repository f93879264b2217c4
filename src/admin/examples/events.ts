import { COLLECTED_CYCLE, type Examples, FEBRUARY, pageOf, REAL, SERVICE, shared, SUBSCRIPTION } from './story';

const EVENT = {
  type: 'cycle.collected',
  id: 'evt_2f6b8c1d0e9a4f738b5c6d7e8f901234',
  timestamp: COLLECTED_CYCLE.collectedAt,
  sequence: 3,
  schema: 1,
  test: false,
  data: {
    ...shared(SUBSCRIPTION, 'subscriptionId', 'paymentId', 'metadata'),
    payer: shared(SUBSCRIPTION.payer, 'reference'),
    reason: null,
    cycle: 0,
    attempt: 0,
    ...shared(COLLECTED_CYCLE, 'amount', 'dueAt', 'collectedAt'),
    late: false,
    authorizationId: SERVICE.authorization,
    captureId: SERVICE.capture,
    rule: 10,
    text: 'Cycle 0, due on 31 January 2027 at 10:00 UTC, was collected: 19.99 EUR, at the first attempt.',
  },
};

const CURSOR = 'WyJmZWVkIiwxMjhd';

const ENDPOINT = {
  endpointId: 'whe_7c3d5e9f1a2b4c6d8e0f123456789abc',
  url: 'https://shop.example/events',
  types: ['cycle.*', 'refund.successful'],
  description: 'order fulfilment of the shop',
  enabled: true,
  readOnly: false,
  createdAt: REAL,
};

const SECRET = 'whsec_dGhpcyBpcyBhbiBleGFtcGxlIG9ubHkh';

const QUEUED = { eventId: EVENT.id, endpointId: ENDPOINT.endpointId, deliveryId: 129 };

const DELIVERY = {
  deliveryId: QUEUED.deliveryId,
  endpointId: ENDPOINT.endpointId,
  eventId: EVENT.id,
  type: EVENT.type,
  state: 'delivered',
  test: false,
  again: false,
  createdAt: '2027-01-31T10:00:04.300Z',
  endedAt: '2027-01-31T10:00:09.730Z',
  tries: [
    { at: '2027-01-31T10:00:04.410Z', status: 503, ms: 38, error: null, answer: 'back in a moment' },
    { at: '2027-01-31T10:00:09.690Z', status: 204, ms: 31, error: null, answer: '' },
  ],
};

const SPAN = { since: FEBRUARY.from, until: FEBRUARY.to };

export const EVENT_EXAMPLES: Examples = {
  listMerchantEvents: { 200: { items: [EVENT], nextCursor: CURSOR } },
  streamEvents: {
    'text/event-stream': `id: ${CURSOR}\nevent: ${EVENT.type}\ndata: ${JSON.stringify(EVENT)}\n\n`,
  },
  getMerchantEvent: { 200: { ...EVENT, deliveries: [DELIVERY] } },
  reportDeliveries: {
    200: {
      items: [
        { endpointId: ENDPOINT.endpointId, hours: [{ from: '2027-01-15T09:00:00.000Z', delivered: 41, failed: 1 }] },
      ],
      nextCursor: null,
    },
  },
  resendEvent: { request: { endpointId: ENDPOINT.endpointId }, 202: QUEUED },
  listWebhookEndpoints: { 200: pageOf(ENDPOINT) },
  getWebhookEndpoint: { 200: ENDPOINT },
  createWebhookEndpoint: {
    request: shared(ENDPOINT, 'url', 'types', 'description'),
    201: { ...ENDPOINT, secret: SECRET },
  },
  changeWebhookEndpoint: {
    request: { enabled: false },
    200: { ...ENDPOINT, enabled: false, disabledReason: 'disabled_by_admin' },
  },
  deleteWebhookEndpoint: { 200: ENDPOINT },
  rotateWebhookSecret: { request: { overlapHours: 24 }, 200: { ...ENDPOINT, secret: SECRET } },
  testWebhookEndpoint: {
    request: { type: EVENT.type },
    202: { ...QUEUED, eventId: 'evt_0a1b2c3d4e5f60718293a4b5c6d7e8f9' },
  },
  listWebhookDeliveries: { 200: pageOf(DELIVERY) },
  replayEvents: {
    request: { ...SPAN, types: ['cycle.*'], onlyFailed: true },
    200: { total: 12 },
    202: {
      jobId: 'c41d2e3f-5a6b-4c7d-8e9f-0a1b2c3d4e5f',
      kind: 'replay',
      state: 'running',
      done: 0,
      total: 12,
      newDone: 0,
      newTotal: 12,
      refused: 0,
      endpointId: ENDPOINT.endpointId,
      ...SPAN,
      orderedBy: 'shop',
      startedAt: '2027-03-01T08:00:00.000Z',
    },
  },
};
