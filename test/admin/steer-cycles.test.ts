import type { Steered } from '../../src/temporal';
import type { SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { applyChange, type Outcome } from '../../src/ledger';
import { sendOf, settle, startDebit, subscribe } from '../ledger/ledger-fixture';
import { type AdminUnderTest, faultPaths, NOW, startAdmin } from './admin-under-test';
import { order } from './order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
  await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: 'sub_a' }) });
  await applyChange(admin.db, {
    subscriptionId: 'sub_a' as SubscriptionId,
    key: 'skip',
    at: NOW,
    actor: 'test',
    events: [],
    subscription: { status: 'active' },
    cycle: { cycle: 3, dueAt: NOW, collectBy: NOW + 1, amount: euros(1999), status: 'skipped', reason: 'asked' },
  });
});
beforeEach(() => {
  admin.workflows.steered.splice(0);
  admin.workflows.onSteer = () => ({ kind: 'done' });
});
afterAll(() => admin.stop());

/** Path segments that are not cycle numbers, although JavaScript would convert some of them to a number, mostly to 0. */
const NO_CYCLES = [
  ...['-1', '1.5', 'first', '2147483648', '', '%20', '0%20', '%2B0', '0e0', '0x0', '0b0', '00000000000', '%D9%A0'],
];

const call = (path: string, body?: unknown, role: 'viewer' | 'operator' = 'operator') =>
  admin.call('POST', `/v1/subscriptions/sub_a/cycles/${path}`, { body, role });

describe.each([
  ['skip', 200, undefined],
  ['postpone', 200, { until: '2027-03-03T09:00:00Z' }],
  ['retry', 202, { reason: 'the payer called' }],
  ['retry', 202, { reason: 'the payer called', at: '2027-03-03T09:00:00Z' }],
] as const)('%s', (what, status, body) => {
  test('a request about a cycle is carried out for that cycle, and is answered with the cycle as then stored in the ledger', async () => {
    const answer = await call(`3/${what}`, body);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ cycle: 3, status: 'skipped', reason: 'asked' });
    expect(admin.workflows.steered).toMatchObject([{ what, id: 'sub_a', request: { cycle: 3 } }]);
  });

  test.each<[string, Steered, number, string]>([
    ['a conflict', { kind: 'refused', code: 'state_conflict', message: 'too late' }, 409, 'state_conflict'],
    [
      'a limit of the service',
      { kind: 'refused', code: 'retry_not_allowed', message: 'no retry is left' },
      409,
      'retry_not_allowed',
    ],
  ])('a request about a cycle reports %s', async (_what, outcome, problemStatus, code) => {
    admin.workflows.onSteer = () => outcome;
    expect((await call(`3/${what}`, body)).json()).toMatchObject({ status: problemStatus, code });
  });

  test.each(NO_CYCLES)('a request about cycle %p is answered with 404', async (n) => {
    const answer = await call(`${n}/${what}`, body);
    expect(answer.json()).toMatchObject({ status: 404, code: 'not_found' });
    expect(admin.workflows.steered).toEqual([]);
  });

  test.each([
    ['0', 0],
    ['000003', 3],
    ['2147483647', 2_147_483_647],
  ])('a request about cycle %p is one about cycle %i', async (n, cycle) => {
    await call(`${n}/${what}`, body);
    expect(admin.workflows.steered).toMatchObject([{ request: { cycle } }]);
  });

  test('a request about a cycle needs the role operator', async () => {
    expect((await call(`3/${what}`, body, 'viewer')).statusCode).toBe(403);
    expect(admin.workflows.steered).toEqual([]);
  });
});

test.each(NO_CYCLES)('a refund of cycle %p is answered with 404, and nothing is refunded', async (n) => {
  const path = `/v1/subscriptions/sub_a/cycles/${n}/refunds`;
  const body = { amount: { value: 100, currency: 'EUR' } };
  const answer = await admin.call('POST', path, { body, idempotencyKey: `refund-of-${n}` });
  expect(answer.json()).toMatchObject({ status: 404, code: 'not_found' });
  expect(admin.refunds.ran).toEqual([]);
});

/** Creates a cycle that has failed after this outcome, and requests a retry. @returns the response */
async function retryAfter(state: Outcome['state'], reason: string) {
  const subscription = await subscribe(admin.db);
  const { subscriptionId } = subscription;
  const send = sendOf(subscription);
  await settle(admin.db, await startDebit(admin.db, send), state);
  const { cycle, dueAt, collectBy, amount } = send;
  await applyChange(admin.db, {
    subscriptionId,
    key: 'closed',
    at: dueAt,
    actor: 'dueday',
    events: [],
    cycle: { cycle, dueAt, collectBy, amount, status: 'failed', reason },
  });
  admin.workflows.onSteer = null;
  const body = { reason: 'the payer called' };
  return admin.call('POST', `/v1/subscriptions/${subscriptionId}/cycles/0/retry`, { body });
}

test.each<[Outcome['state'], string, string]>([
  ['rejected', 'rejected', 'the rejection AUTHORIZATION_REJECTION_FINAL is final'],
  ['rejected_retryable', 'retries_used', 'no retry is left: at most 3 after a failed authorization'],
  ['rejected_retryable', 'out_of_time', 'the time for retries has passed'],
])('a retry of a cycle that failed after %s (%s) is forbidden by the limits', async (state, reason, detail) => {
  expect((await retryAfter(state, reason)).json()).toMatchObject({ status: 409, code: 'retry_not_allowed', detail });
});

test.each<[Outcome['state'], string]>([
  ['capture_failed', 'capture_failed'],
  ['not_sent', 'out_of_time'],
])('a retry of a cycle that failed after %s (%s) is a conflict with its state', async (state, reason) => {
  expect((await retryAfter(state, reason)).json()).toMatchObject({ status: 409, code: 'state_conflict' });
});

test('a retry needs a reason', async () => {
  const answer = await call('3/retry', {});
  expect(faultPaths(answer)).toEqual(['reason']);
});
