import type { SteerOutcome } from '../../src/gateway';
import type { SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { applyChange } from '../../src/ledger';
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
  admin.gateway.steered.splice(0);
  admin.gateway.onSteer = () => ({ kind: 'done' });
});
afterAll(() => admin.stop());

const call = (path: string, body?: unknown, role: 'viewer' | 'operator' = 'operator') =>
  admin.call('POST', `/v1/subscriptions/sub_a/cycles/${path}`, { body, role });

describe.each([
  ['skip', 200, undefined],
  ['retry', 202, { reason: 'the payer called' }],
] as const)('%s', (what, status, body) => {
  test('asks the workflow of that cycle, and answers the cycle as the ledger has it then', async () => {
    const answer = await call(`3/${what}`, body);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ cycle: 3, status: 'skipped', reason: 'asked' });
    expect(admin.gateway.steered).toMatchObject([{ what, id: 'sub_a', request: { cycle: 3 } }]);
  });

  test.each<[string, SteerOutcome, number, string]>([
    ['a conflict', { kind: 'refused', code: 'state_conflict', message: 'too late' }, 409, 'state_conflict'],
    [
      'a limit of the service',
      { kind: 'refused', code: 'retry_not_allowed', message: 'no retry is left' },
      409,
      'retry_not_allowed',
    ],
    ['an ended workflow', { kind: 'finished' }, 409, 'state_conflict'],
    ['no worker', { kind: 'not_ready' }, 503, 'not_ready'],
  ])('tells of %s', async (_what, outcome, problemStatus, code) => {
    admin.gateway.onSteer = () => outcome;
    expect((await call(`3/${what}`, body)).json()).toMatchObject({ status: problemStatus, code });
  });

  test.each(['-1', '1.5', 'first', '100001'])('of cycle %p finds nothing', async (n) => {
    const answer = await call(`${n}/${what}`, body);
    expect(answer.json()).toMatchObject({ status: 404, code: 'not_found' });
    expect(admin.gateway.steered).toEqual([]);
  });

  test('needs the role operator', async () => {
    expect((await call(`3/${what}`, body, 'viewer')).statusCode).toBe(403);
    expect(admin.gateway.steered).toEqual([]);
  });
});

test('a retry needs a reason', async () => {
  const answer = await call('3/retry', {});
  expect(faultPaths(answer)).toEqual(['reason']);
});
