import type { SubscriptionId } from '../../src/domain/ids';
import type { Steered } from '../../src/temporal';
import { applyChange } from '../../src/ledger';
import { type AdminUnderTest, NOW, startAdmin } from './admin-under-test';
import { ledgerDown } from './fake-subscriptions';
import { order } from './order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(async () => {
  subscription += 1;
  admin.workflows.onSteer = () => ({ kind: 'done' });
  await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: id() }) });
  const change = { key: 'unresolved', at: NOW, actor: 'test', events: [] };
  await applyChange(admin.db, { subscriptionId: id(), ...change, subscription: { attention: ['unresolved:0'] } });
});
afterAll(() => admin.stop());

let subscription = 0;
const id = () => `sub_${subscription}` as SubscriptionId;
const ask = (what: string, body?: unknown) =>
  admin.call(what.endsWith('pending') ? 'DELETE' : 'POST', `/v1/subscriptions/${id()}/${what}`, { body });
const refuse = (outcome: Refused) => {
  admin.workflows.onSteer = () => outcome;
  admin.workflows.onCheck = () => outcome;
  admin.workflows.onChange = () => outcome;
};
type Refused = Exclude<Steered, { kind: 'done' }>;
const AMOUNT = { value: 2999, currency: 'EUR' };

interface Entry {
  type: string;
  actor: string;
  text: string;
  rule: { decision: number } | null;
  data: Record<string, unknown>;
}

async function refusals(): Promise<Entry[]> {
  const answer = await admin.call('GET', `/v1/audit?subscriptionId=${id()}&type=request.refused`);
  return answer.json<{ items: Entry[] }>().items;
}

test.each<[string, unknown, string, object]>([
  ['pause', undefined, 'pause', {}],
  ['resume', undefined, 'resume', {}],
  ['cancel', undefined, 'cancel', {}],
  ['consent-check', undefined, 'check_consent', {}],
  ['acknowledge', { reason: 'seen' }, 'acknowledge', {}],
  ['cycles/3/skip', undefined, 'skip', { cycle: 3 }],
  ['cycles/3/postpone', { until: '2027-03-03T09:00:00Z' }, 'postpone', { cycle: 3 }],
  ['cycles/3/retry', { reason: 'salary' }, 'retry', { cycle: 3 }],
  ['cycles/3/resolve', { outcome: 'failed', evidence: 'statement' }, 'resolve', { cycle: 3 }],
  ['amount-changes', { amount: AMOUNT }, 'change_amount', {}],
  ['amount-changes/pending', undefined, 'withdraw_change', {}],
])('a refused %s is in the audit log once, with who asked and the reason', async (path, body, request, more) => {
  refuse({ kind: 'refused', code: 'state_conflict', message: 'not in this state' });
  expect((await ask(path, body)).statusCode).toBe(409);
  const entries = await refusals();
  expect(entries).toMatchObject([{ actor: 'admin of the shop', rule: { decision: expect.any(Number) } }]);
  expect(entries[0]?.data).toEqual({ request, ...more, code: 'state_conflict', message: 'not in this state' });
  expect(entries[0]?.text).toMatch(/^admin of the shop asked .*; it was refused: not in this state\.$/);
});

test('a request that the limits of the service forbid is recorded with the rule about these limits', async () => {
  refuse({ kind: 'refused', code: 'retry_not_allowed', message: 'the time for retries has passed' });
  await ask('cycles/0/retry', { reason: 'salary' });
  expect(await refusals()).toMatchObject([{ data: { code: 'retry_not_allowed' }, rule: { decision: 13 } }]);
});

test('a refused postponement is recorded with the rule about the collection window', async () => {
  refuse({ kind: 'refused', code: 'state_conflict', message: 'the first attempt of cycle 3 has started' });
  await ask('cycles/3/postpone', { until: '2027-03-03T09:00:00Z' });
  expect(await refusals()).toMatchObject([{ data: { request: 'postpone' }, rule: { decision: 3 } }]);
});

test('a request for an ended subscription is refused, and recorded as refused', async () => {
  await admin.db.query(`update subscriptions set status = 'completed' where subscription_id = $1`, [id()]);
  await ask('pause');
  expect(await refusals()).toMatchObject([
    { data: { request: 'pause', message: expect.stringContaining('completed') } },
  ]);
});

test.each<[string, () => Steered]>([
  ['done', () => ({ kind: 'done' })],
  ['invalid', () => ({ kind: 'refused', code: 'invalid_request', message: 'not so' })],
  ['not answered', ledgerDown],
])('a request that is %s is not recorded as refused', async (_what, answered) => {
  admin.workflows.onSteer = answered;
  await ask('pause');
  expect(await refusals()).toEqual([]);
});

test('a refused dry run is not recorded as refused', async () => {
  refuse({ kind: 'refused', code: 'state_conflict', message: 'frozen' });
  expect((await ask('amount-changes', { amount: AMOUNT, dryRun: true })).statusCode).toBe(409);
  expect(await refusals()).toEqual([]);
});

test('a refused request that is repeated with its Idempotency-Key is decided again, and recorded again', async () => {
  refuse({ kind: 'refused', code: 'state_conflict', message: 'not now' });
  const again = () => admin.call('POST', `/v1/subscriptions/${id()}/pause`, { body: {}, idempotencyKey: id() });
  await again();
  expect((await again()).headers).not.toHaveProperty('idempotent-replay');
  expect(await refusals()).toHaveLength(2);
});
