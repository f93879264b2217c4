import type { components } from '../../src/client/api';
import { DAY, MINUTE, toIso } from '../../src/domain/time';
import { type Answers, MONDAY, nameAt } from './canned-api';
import { euros } from './lives';

type Schemas = components['schemas'];

const DRY_RUN: Schemas['BulkDryRun'] = {
  action: 'pause',
  total: 2,
  counts: { active: 2 },
  amount: euros(16_900),
  items: [0, 1].map((index) => ({
    subscriptionId: `sub_${index}`,
    status: 'active',
    standing: 'good',
    amount: euros(index === 0 ? 12_000 : 4_900),
    nextDueAt: toIso(MONDAY + DAY),
    payer: { name: nameAt(index) },
  })),
  token: 'bulk_token',
  tokenValidUntil: toIso(MONDAY + 15 * MINUTE),
};

export const BULK_JOB: Schemas['BulkJob'] = {
  jobId: 'job_1',
  kind: 'bulk',
  state: 'finished',
  done: 2,
  total: 2,
  refused: 1,
  action: 'pause',
  orderedBy: 'ada',
  startedAt: toIso(MONDAY),
};

const REPLAY_JOB: Schemas['ReplayJob'] = {
  jobId: 'job_2',
  kind: 'replay',
  state: 'running',
  ...{ done: 3, total: 12, newDone: 3, newTotal: 12, refused: 0 },
  endpointId: `whe_${'0'.repeat(32)}`,
  since: toIso(MONDAY - 2 * DAY),
  orderedBy: 'ada',
  startedAt: toIso(MONDAY),
};

const COMPARISON: Schemas['ReconciliationJob'] = {
  jobId: 'job_3',
  kind: 'reconciliation',
  state: 'finished',
  ...{ done: 400, total: 400, refused: 0, differences: 1 },
  from: toIso(MONDAY - DAY),
  to: toIso(MONDAY),
  orderedBy: 'dueday',
  startedAt: toIso(MONDAY),
};

const REFUSED: Schemas['BulkResult'] = {
  subscriptionId: 'sub_1',
  state: 'refused',
  at: toIso(MONDAY),
  problem: { type: 'about:blank', title: 'Conflict', status: 409, code: 'state_conflict', detail: 'It is paused.' },
};

/** A bulk action that is refused for one of two subscriptions, and jobs of every kind. */
export const JOBS: Answers = {
  '/v1/bulk': (body: { readonly token?: string }) => (body.token === undefined ? DRY_RUN : BULK_JOB),
  '/v1/jobs': { items: [BULK_JOB, REPLAY_JOB, COMPARISON], nextCursor: null },
  '/v1/jobs/job_1': BULK_JOB,
  '/v1/jobs/job_1/results': { items: [REFUSED], nextCursor: null },
  '/v1/jobs/job_2': REPLAY_JOB,
  '/v1/jobs/job_3': COMPARISON,
  '/v1/jobs/job_3/results': {
    items: [{ kind: 'unknown_debit', text: 'The service has a debit that the ledger lacks.', paymentId: 'pay_0' }],
    nextCursor: null,
  },
};
