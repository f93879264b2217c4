import { toIso } from '../../src/domain/time';
import { BULK_JOB } from './bulk-answers';
import { type Answers, MONDAY } from './canned-api';

const ENDPOINT = {
  endpointId: 'end_0',
  url: 'https://shop.example/events',
  types: ['*'],
  enabled: true,
  readOnly: false,
  description: 'shop',
  createdAt: toIso(MONDAY),
};

const CHANGE = {
  amount: { value: 1_000, currency: 'EUR' },
  previousAmount: { value: 12_000, currency: 'EUR' },
  fromCycle: 4,
  effectiveAt: toIso(MONDAY),
  kind: 'reduction',
  countsAsIncrease: false,
};

const REPLAY = {
  jobId: 'job_0',
  kind: 'replay',
  state: 'finished',
  done: 3,
  total: 3,
  newDone: 3,
  newTotal: 3,
  refused: 0,
};

/** The responses that the most frequent tasks need in addition to those of `mondayOf`. */
export const TASK_ANSWERS: Answers = {
  '/v1/keys': { items: [], nextCursor: null, key: 'dd_new' },
  '/v1/webhook-endpoints': { items: [ENDPOINT], nextCursor: null, secret: 'whsec_new' },
  '/v1/webhook-endpoints/end_0': ENDPOINT,
  '/v1/webhook-endpoints/end_0/deliveries': { items: [], nextCursor: null },
  '/v1/webhook-endpoints/end_0/replay': REPLAY,
  '/v1/jobs/job_0': REPLAY,
  '/v1/jobs/job_1': { ...BULK_JOB, refused: 0 },
  '/v1/reports/deliveries': { items: [], nextCursor: null },
  '/v1/subscriptions/sub_0/pause': {},
  '/v1/subscriptions/sub_0/cancel': {},
  '/v1/subscriptions/sub_0/amount-changes': CHANGE,
  '/v1/subscriptions/sub_0/cycles/2/refunds': {},
  '/v1/subscriptions/sub_0/cycles/3/resolve': {},
};
