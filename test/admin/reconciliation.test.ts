import { randomUUID } from 'node:crypto';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { DAY } from '../../src/domain/instant';
import { type Difference, notCompared } from '../../src/domain/ledger-differences';
import { euros } from '../../src/domain/money';
import { purgeReconciliations } from '../../src/ledger';
import { type AdminUnderTest, eachItems, faultPaths, NOW, startAdmin } from './admin-under-test';

let admin: AdminUnderTest;
beforeEach(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.stop());

const SPAN = 'from=2027-01-01T00:00:00Z&to=2027-02-01T00:00:00%2B01:00';
const get = (query = SPAN, role: 'viewer' | 'admin' = 'viewer') =>
  admin.call('GET', `/v1/reports/reconciliation?${query}`, { role });

const payment = (name: string) => ({
  subscriptionId: `sub_${name}` as SubscriptionId,
  paymentId: `pay-${name}` as PaymentId,
});

const STOLEN: Difference = {
  ...{ ...notCompared(''), reason: null, kind: 'debit_unknown', authorizationId: 'aut-1', captureId: 'cap-1' },
  service: { state: 'successful', amount: euros(1999), at: NOW - DAY },
};
const OTHERWISE: Difference = {
  ...{ kind: 'refund_amount', cycle: 2, authorizationId: null, captureId: 'cap-2', refundId: 'ref_1' },
  ...{ serviceRefundId: 'back-1', reason: null },
  ledger: { state: 'successful', amount: euros(500), at: NOW },
  service: { state: 'successful', amount: euros(501), at: NOW + 1 },
};

test('answers every difference with both sides, its ids and plain words', async () => {
  admin.reconciliation.found = [
    { ...payment('a'), differences: [] },
    { ...payment('b'), differences: [STOLEN] },
    { ...payment('c'), differences: [OTHERWISE, notCompared('HTTP 500')] },
  ];
  const answer = await get();
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({
    ...{ from: '2027-01-01T00:00:00.000Z', to: '2027-01-31T23:00:00.000Z', comparedAt: '2027-01-31T12:00:00.000Z' },
    ...{ payments: 3, differences: 3, nextCursor: null },
    items: [
      {
        ...{ kind: 'debit_unknown', ...payment('b'), authorizationId: 'aut-1', captureId: 'cap-1' },
        text: expect.stringContaining('that nothing of ours explains'),
        service: {
          ...{ state: 'successful', amount: { value: 1999, currency: 'EUR' }, at: '2027-01-30T12:00:00.000Z' },
        },
      },
      {
        ...{ kind: 'refund_amount', ...payment('c'), cycle: 2, captureId: 'cap-2', refundId: 'ref_1' },
        ...{ serviceRefundId: 'back-1', text: expect.stringContaining('5.00 EUR') },
        ledger: { state: 'successful', amount: { value: 500, currency: 'EUR' }, at: '2027-01-31T12:00:00.000Z' },
        service: { state: 'successful', amount: { value: 501, currency: 'EUR' }, at: '2027-01-31T12:00:00.001Z' },
      },
      { kind: 'not_compared', ...payment('c'), text: expect.stringContaining('HTTP 500') },
    ],
  });
  expect(admin.reconciliation.asked).toEqual([
    { span: { from: Date.UTC(2027, 0, 1), to: Date.UTC(2027, 0, 31, 23) }, actor: 'viewer of the shop' },
  ]);
});

test('names no subscription where a one-time payment differs', async () => {
  const oneTime = { subscriptionId: null, requestId: 'pay_a', paymentId: 'service-a' as PaymentId };
  admin.reconciliation.found = [{ ...oneTime, differences: [STOLEN] }];
  const { items } = (await get()).json<{ items: object[] }>();
  expect(items).toMatchObject([{ kind: 'debit_unknown', paymentId: 'service-a', captureId: 'cap-1' }]);
  expect(Object.keys(items[0] ?? {})).not.toContain('subscriptionId');
});

test('answers an empty list where nothing differs, and compares anew each time', async () => {
  for (const times of [1, 2]) {
    expect((await get()).json()).toMatchObject({ items: [], payments: 0, differences: 0, nextCursor: null });
    expect(admin.reconciliation.asked).toHaveLength(times);
  }
});

test('further differences of the same comparison come by the cursor, without another one', async () => {
  admin.reconciliation.found = ['a', 'b', 'c'].map((name) => ({ ...payment(name), differences: [STOLEN] }));
  const first = await get(`${SPAN}&limit=2`);
  const { nextCursor } = first.json<{ nextCursor: string }>();
  const next = await get(`${SPAN}&limit=2&cursor=${nextCursor}`);
  expect([eachItems(first, 'subscriptionId'), eachItems(next, 'subscriptionId')]).toEqual([
    ['sub_a', 'sub_b'],
    ['sub_c'],
  ]);
  expect(next.json()).toMatchObject({ nextCursor: null, differences: 3 });
  expect(admin.reconciliation.asked).toHaveLength(1);
  await purgeReconciliations(admin.db, Date.UTC(2100, 0, 1));
  expect((await get(`${SPAN}&cursor=${nextCursor}`)).statusCode).toBe(404);
});

test('502 where the payment service cannot be asked, 503 where no worker has done it in time', async () => {
  admin.reconciliation.answer = 'service_unavailable';
  const unavailable = await get();
  expect([unavailable.statusCode, unavailable.json<{ code: string }>().code]).toEqual([
    502,
    'payment_service_unavailable',
  ]);
  admin.reconciliation.answer = 'not_ready';
  const notReady = await get();
  expect([notReady.statusCode, notReady.json<{ code: string }>().code]).toEqual([503, 'not_ready']);
});

test.each([
  ['nothing', '', ['from', 'to']],
  ['a date without a time', 'from=2027-01-01&to=2027-02-01T00:00:00Z', ['from']],
  ['an empty span', 'from=2027-01-01T00:00:00Z&to=2027-01-01T00:00:00Z', ['to']],
  ['more than 366 days', 'from=2027-01-01T00:00:00.000Z&to=2028-01-02T00:00:00.001Z', ['to']],
  ['a limit of 0', `${SPAN}&limit=0`, ['limit']],
  ['a limit of 1001', `${SPAN}&limit=1001`, ['limit']],
  ['a cursor of nobody', `${SPAN}&cursor=abc`, ['cursor']],
  ['a cursor of another list', `${SPAN}&cursor=WzFd`, ['cursor']],
  ['a cursor with a place of no list', `${SPAN}&cursor=${randomUUID()}.abc`, ['cursor']],
  ['a field too many', `${SPAN}&day=1`, ['day']],
])('refuses %s, and compares nothing', async (_what, query, paths) => {
  const answer = await get(query);
  expect([answer.statusCode, faultPaths(answer)]).toEqual([400, paths]);
  expect(admin.reconciliation.asked).toEqual([]);
});

test('366 days are allowed', async () => {
  expect((await get('from=2027-01-01T00:00:00.000Z&to=2028-01-02T00:00:00.000Z')).statusCode).toBe(200);
});
