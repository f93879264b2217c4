import type { OrderId } from '../../src/domain/ids';
import { HOUR, MINUTE } from '../../src/domain/time';
import { applyChange, beginOrderSend, getRefund, recordOrderOutcome, type RefundRecord } from '../../src/ledger';
import { collectAgain, createCollected, type Collected, placeRefund, refundOutcomes } from '../ledger/refund-fixture';
import { compare, listed } from '../ledger/compared-fixture';
import { waitUntil } from '../support/wait-until';
import { type AdminUnderTest, faultPaths, NOW, startAdmin } from './admin-under-test';
import { startOrdersAt } from './orphaned-orders';

let admin: AdminUnderTest;
let shop: Collected;
let keys = 0;

beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(async () => {
  shop = await createCollected(admin.db);
  admin.refunds.ran.splice(0);
  admin.refunds.started.splice(0);
  admin.refunds.onRun = () => ({ kind: 'running' });
  admin.clock.real = Date.UTC(2026, 10, 21, 9);
});
afterAll(() => admin.stop());

const freshKey = () => `refund-${(keys += 1)}`;
const eur = (value: number) => ({ value, currency: 'EUR' });

interface Asked {
  cycle?: string | number;
  idempotencyKey?: string;
  role?: 'viewer' | 'operator' | 'admin';
  id?: string;
}

function ask(body: unknown, { cycle = 0, idempotencyKey = freshKey(), role, id }: Asked = {}) {
  const path = `/v1/subscriptions/${id ?? shop.subscriptionId}/cycles/${cycle}/refunds`;
  return admin.call('POST', path, { body, idempotencyKey, role: role ?? 'operator' });
}

async function finish(refund: RefundRecord, state: 'pending' | 'successful' | 'failed'): Promise<void> {
  const sent = await beginOrderSend(admin.db, {
    orderId: refund.refundId,
    at: NOW,
    realAt: NOW,
    knownIds: [],
    owner: 'w',
  });
  if (sent.kind !== 'started') throw new Error('not started');
  await recordOrderOutcome(admin.db, sent.send, refundOutcomes()[state], NOW);
}

const refundsOf = async (cycle: number) => {
  const answer = await admin.call('GET', `/v1/subscriptions/${shop.subscriptionId}/cycles`);
  const { items } = answer.json<{ items: { cycle: number; refunds: unknown[] }[] }>();
  return items.find((each) => each.cycle === cycle)?.refunds;
};

test('a refund of a cycle is ordered, run and answered with its state then', async () => {
  const answer = await ask({ amount: eur(500), reason: 'damaged' });
  expect(answer.statusCode).toBe(201);
  const refund = answer.json();
  expect(refund).toEqual({
    refundId: expect.stringMatching(/^ref_[0-9a-f]{32}$/),
    cycle: 0,
    amount: eur(500),
    status: 'pending',
    reason: 'damaged',
    createdAt: '2027-01-31T12:00:00.000Z',
    captureId: shop.captureId,
  });
  expect(admin.refunds.ran).toMatchObject([{ refundId: refund.refundId, actor: 'operator of the shop' }]);
  expect(await refundsOf(0)).toEqual([refund]);
  const auditLog = await admin.call('GET', `/v1/subscriptions/${shop.subscriptionId}/events`);
  expect(auditLog.json().items[0]).toMatchObject({
    actor: 'operator of the shop',
    type: 'refund.requested',
    data: { refundId: refund.refundId, cycle: 0, amount: eur(500), captureId: shop.captureId, reason: 'damaged' },
  });
});

test.each([
  ['successful', {}],
  ['failed', { detail: 'STATE_CONFLICT', description: 'no' }],
] as const)('a refund of a cycle that is %s while the API waits is answered with that status', async (status, more) => {
  admin.refunds.onRun = async (refund) => {
    await finish(refund, status);
    return { kind: 'running' };
  };
  const answer = await ask({ amount: eur(500), captureId: shop.captureId });
  expect(answer.json()).toMatchObject({ status, ...more });
  expect(answer.statusCode).toBe(201);
  expect(await refundsOf(0)).toEqual([answer.json()]);
});

test('a refund of a debit that was reversed elsewhere is made, and its response has a warning (rule 41)', async () => {
  const { captureId } = shop;
  const debit = { authorizationId: 'aut', captureId, cents: 1999, status: 'reversed' };
  await compare(admin.db, shop, listed([debit]), NOW);
  const answer = await ask({ amount: eur(500) });
  expect(answer.statusCode).toBe(201);
  expect(answer.json()).toMatchObject({
    status: 'pending',
    warnings: ['Do not refund: the payment service reports the debit as reversed.'],
  });
  expect(admin.refunds.ran).toHaveLength(1);
});

test('a refund of a cycle without a reason shows none', async () => {
  expect((await ask({ amount: eur(1) })).json()).not.toHaveProperty('reason');
});

test.each(['cancelled', 'completed', 'paused'] as const)('a %s subscription can be refunded', async (status) => {
  await applyChange(admin.db, {
    subscriptionId: shop.subscriptionId,
    key: 'end',
    at: NOW,
    actor: 'test',
    events: [],
    subscription: { status },
  });
  expect((await ask({ amount: eur(1999) })).statusCode).toBe(201);
});

test('a refund of a cycle needs an operator', async () => {
  expect((await ask({ amount: eur(1) }, { role: 'viewer' })).json()).toMatchObject({ status: 403 });
  expect((await ask({ amount: eur(1) }, { role: 'admin' })).statusCode).toBe(201);
});

test('refunds of a cycle may return all that was captured; one cent more is refused, with the amount that is left', async () => {
  expect((await ask({ amount: eur(2000) })).json()).toMatchObject({
    status: 409,
    code: 'refund_not_allowed',
    rule: 'exceeds_captured',
    highestAllowed: eur(1999),
  });
  expect((await ask({ amount: eur(1999) })).statusCode).toBe(201);
  expect((await ask({ amount: eur(1) })).json()).toMatchObject({ status: 409, highestAllowed: eur(0) });
  expect(admin.refunds.ran).toHaveLength(1);
});

test('of two concurrent refunds of a cycle that together exceed the captured amount, one is refused', async () => {
  const answers = await Promise.all([ask({ amount: eur(1000) }), ask({ amount: eur(1000) })]);
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
});

test.each([
  ['of a cycle that is not known yet', 7],
  ['of a cycle in a distant century', 95_000],
])('a refund %s is not allowed', async (_what, cycle) => {
  const answer = await ask({ amount: eur(1) }, { cycle });
  expect(answer.json()).toMatchObject({ status: 409, code: 'refund_not_allowed', rule: 'not_collected' });
});

test('a refund of a cycle is not allowed if it names the capture of another cycle', async () => {
  const captureId = await collectAgain(admin.db, shop, 1);
  expect((await ask({ amount: eur(1), captureId })).json()).toMatchObject({
    status: 409,
    code: 'refund_not_allowed',
    rule: 'other_capture',
  });
  expect((await ask({ amount: eur(1), captureId }, { cycle: 1 })).statusCode).toBe(201);
});

test('a refund needs an Idempotency-Key, which is reported as missing together with every other fault', async () => {
  const path = `/v1/subscriptions/${shop.subscriptionId}/cycles/0/refunds`;
  const alone = await admin.call('POST', path, { body: { amount: eur(1) } });
  expect(alone.json()).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(faultPaths(alone)).toEqual(['Idempotency-Key']);
  const more = await admin.call('POST', path, { body: { amount: eur(0), colour: 'red' } });
  expect(faultPaths(more).sort()).toEqual(['Idempotency-Key', 'amount.value', 'colour']);
  expect(await refundsOf(0)).toEqual([]);
});

test('a refund repeated with its Idempotency-Key gets the first response, and orders no second refund', async () => {
  const idempotencyKey = freshKey();
  const first = await ask({ amount: eur(5) }, { idempotencyKey });
  const again = await ask({ amount: eur(5) }, { idempotencyKey });
  expect(again.json()).toEqual(first.json());
  expect(again.headers['idempotent-replay']).toBe('true');
  expect(await refundsOf(0)).toHaveLength(1);
  expect((await ask({ amount: eur(6) }, { idempotencyKey })).json()).toMatchObject({ status: 422 });
});

test('the Idempotency-Key of a refund still identifies it after a day: the same request returns its current state, and a different one is refused', async () => {
  const idempotencyKey = freshKey();
  const first = await ask({ amount: eur(5) }, { idempotencyKey });
  const made = await getRefund(admin.db, first.json().refundId as OrderId);
  await finish(made!, 'successful');
  admin.clock.real += 25 * HOUR;
  const other = await ask({ amount: eur(6) }, { idempotencyKey });
  expect(other.json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  admin.clock.real += 25 * HOUR;
  const again = await ask({ amount: eur(5) }, { idempotencyKey });
  expect(again.json()).toEqual({ ...first.json(), status: 'successful' });
  expect(again.headers).not.toHaveProperty('idempotent-replay');
  expect(await refundsOf(0)).toHaveLength(1);
  expect(admin.refunds.ran).toHaveLength(1);
});

test('a refund under the Idempotency-Key of another API key is another refund', async () => {
  const idempotencyKey = freshKey();
  const mine = await ask({ amount: eur(5) }, { idempotencyKey });
  const yours = await ask({ amount: eur(5) }, { idempotencyKey, role: 'admin' });
  expect(yours.statusCode).toBe(201);
  expect(yours.json().refundId).not.toBe(mine.json().refundId);
});

test('a refund of a cycle whose workflow cannot be reached is answered with 503, and is made if the request is repeated', async () => {
  const idempotencyKey = freshKey();
  admin.refunds.onRun = () => ({ kind: 'not_ready' });
  expect((await ask({ amount: eur(5) }, { idempotencyKey })).json()).toMatchObject({
    status: 503,
    code: 'not_ready',
  });
  admin.refunds.onRun = () => ({ kind: 'running' });
  const again = await ask({ amount: eur(5) }, { idempotencyKey });
  expect(again.statusCode).toBe(201);
  expect(admin.refunds.ran.map(({ refundId }) => refundId)).toEqual(Array(2).fill(again.json().refundId));
  expect(await refundsOf(0)).toHaveLength(1);
});

test('a refund whose workflow cannot be reached is answered with its state in the ledger if that is final', async () => {
  admin.refunds.onRun = async (refund) => {
    await finish(refund, 'successful');
    return { kind: 'not_ready' };
  };
  const answer = await ask({ amount: eur(5) });
  expect([answer.statusCode, answer.json()]).toMatchObject([201, { status: 'successful' }]);
});

test.each<[string, Record<string, unknown>, string]>([
  ['no amount', {}, 'amount'],
  ['an amount of 0', { amount: eur(0) }, 'amount.value'],
  ['a negative amount', { amount: eur(-1) }, 'amount.value'],
  ['an amount of half a cent', { amount: eur(0.5) }, 'amount.value'],
  ['an amount in text', { amount: { value: '5', currency: 'EUR' } }, 'amount.value'],
  ['another currency', { amount: { value: 5, currency: 'USD' } }, 'amount.currency'],
  ['an empty captureId', { amount: eur(5), captureId: '' }, 'captureId'],
  ['a captureId that is too long', { amount: eur(5), captureId: 'c'.repeat(201) }, 'captureId'],
  ['a captureId of control characters', { amount: eur(5), captureId: 'a\u0007' }, 'captureId'],
  ['a blank reason', { amount: eur(5), reason: ' ' }, 'reason'],
  ['a reason that is too long', { amount: eur(5), reason: 'r'.repeat(501) }, 'reason'],
  ['an unknown field', { amount: eur(5), cycle: 0 }, 'cycle'],
])('a refund with %s is refused', async (_what, body, path) => {
  const answer = await ask(body);
  expect(answer.statusCode).toBe(400);
  expect(faultPaths(answer)[0]).toBe(path);
  expect(admin.refunds.ran).toEqual([]);
});

test.each(['-1', '1.5', 'first', '2147483648'])('a refund of cycle “%s” is not found', async (cycle) => {
  expect((await ask({ amount: eur(1) }, { cycle })).json()).toMatchObject({ status: 404, code: 'not_found' });
});

test.each(['99999', '2147483647'])(
  'a refund of cycle %s, which the calendar does not have, is a conflict (rule 3)',
  async (cycle) => {
    expect((await ask({ amount: eur(1) }, { cycle })).json()).toMatchObject({
      status: 409,
      code: 'state_conflict',
      detail: `cycle ${cycle} does not exist: the calendar ends before it`,
    });
    expect(admin.refunds.ran).toEqual([]);
  },
);

test('a refund of an unknown subscription is answered with 404', async () => {
  expect((await ask({ amount: eur(1) }, { id: 'sub_nobody' })).json()).toMatchObject({ status: 404 });
});

/** Starts orphaned refunds at this real time. @returns their ids */
async function startedAt(real: number): Promise<string[]> {
  admin.refunds.started.splice(0);
  await startOrdersAt(admin, real);
  return admin.refunds.started.map(({ refundId }) => refundId);
}

test('orphaned refunds that were ordered a minute ago and never started are started', async () => {
  const left = await placeRefund(admin.db, shop, 5);
  const inFlight = await placeRefund(admin.db, shop, 5);
  await finish(inFlight, 'pending');
  expect(await startedAt(left.createdRealAt + MINUTE)).not.toContain(left.refundId);
  const started = await startedAt(left.createdRealAt + MINUTE + 1);
  expect(started).toContain(left.refundId);
  expect(started).not.toContain(inFlight.refundId);
});

test('orphaned refunds that were ordered an hour ago and have not ended are started again, as their workflow may be lost', async () => {
  const [pending, made] = [await placeRefund(admin.db, shop, 5), await placeRefund(admin.db, shop, 5)];
  await finish(pending, 'pending');
  await finish(made, 'successful');
  expect(await startedAt(pending.createdRealAt + HOUR)).not.toContain(pending.refundId);
  const started = await startedAt(made.createdRealAt + HOUR + 1);
  expect(started.filter((id) => id === pending.refundId)).toHaveLength(1);
  expect(started).not.toContain(made.refundId);
});

test('the API starts even if orphaned refunds cannot be started', async () => {
  await placeRefund(admin.db, shop, 5);
  admin.clock.real += HOUR;
  let tried = 0;
  admin.refunds.onStart = () => {
    tried += 1;
    throw new Error('Temporal is another one');
  };
  const app = await admin.another();
  await app.ready();
  await waitUntil('it was tried', () => tried >= 1);
  expect((await app.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200);
  await app.close();
  admin.refunds.onStart = () => ({ kind: 'running' });
});
