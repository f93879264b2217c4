import type { SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { applyChange } from '../../src/ledger';
import { type AdminUnderTest, faultPaths, NOW, startAdmin } from './admin-under-test';
import { ledgerDown } from './fake-subscriptions';
import { order } from './order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
  await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: 'sub_a' }) });
  await applyChange(admin.db, {
    subscriptionId: 'sub_a' as SubscriptionId,
    key: 'unresolved',
    at: NOW,
    actor: 'test',
    events: [],
    subscription: { status: 'cancelled' },
    cycle: { cycle: 3, dueAt: NOW, collectBy: NOW + 1, amount: euros(1999), status: 'unresolved' },
  });
});
beforeEach(() => {
  admin.workflows.steered.splice(0);
  admin.workflows.onSteer = () => ({ kind: 'done' });
});
afterAll(() => admin.stop());

const WORD = { outcome: 'collected', evidence: 'bank statement' };
const resolve = (body: unknown, role: 'admin' | 'operator' = 'admin') =>
  admin.call('POST', '/v1/subscriptions/sub_a/cycles/3/resolve', { body, role });

test('resolving a cycle also works for an ended subscription', async () => {
  const answer = await resolve({ ...WORD, authorizationId: 'aut_1', captureId: 'cap_1' });
  expect([answer.statusCode, answer.json()]).toMatchObject([200, { cycle: 3 }]);
  expect(admin.workflows.steered).toMatchObject([
    { what: 'resolve', request: { ...WORD, cycle: 3, authorizationId: 'aut_1', captureId: 'cap_1' } },
  ]);
});

test('resolving a cycle as failed also passes on the ids that are given as evidence', async () => {
  const word = { ...WORD, outcome: 'failed', authorizationId: 'aut_1', captureId: 'cap_1' };
  expect((await resolve(word)).statusCode).toBe(200);
  expect(admin.workflows.steered).toMatchObject([{ what: 'resolve', request: { ...word, cycle: 3 } }]);
});

test('resolving a cycle with nothing unresolved is a conflict', async () => {
  admin.workflows.onSteer = null;
  const answer = await admin.call('POST', '/v1/subscriptions/sub_a/cycles/5/resolve', { body: WORD });
  expect(answer.json()).toMatchObject({ status: 409, code: 'state_conflict' });
});

test('resolving a cycle while the ledger cannot be reached is answered with 503', async () => {
  admin.workflows.onSteer = ledgerDown;
  expect((await resolve(WORD)).json()).toMatchObject({ status: 503, code: 'not_ready' });
});

test.each([
  [{}, ['evidence', 'outcome']],
  [{ ...WORD, outcome: 'perhaps' }, ['outcome']],
  [{ ...WORD, evidence: ' ' }, ['evidence']],
  [{ ...WORD, evidence: 'x'.repeat(501) }, ['evidence']],
  [{ ...WORD, surprise: 1 }, ['surprise']],
])('resolving a cycle with the body %j is refused, naming every fault', async (body, paths) => {
  const answer = await resolve(body);
  expect([answer.statusCode, faultPaths(answer).sort()]).toEqual([400, paths]);
  expect(admin.workflows.steered).toEqual([]);
});

test('only an admin may resolve a cycle', async () => {
  expect((await resolve(WORD, 'operator')).statusCode).toBe(403);
});
