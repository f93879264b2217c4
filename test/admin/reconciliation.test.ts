import { randomUUID } from 'node:crypto';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { DAY, toIso } from '../../src/domain/time';
import { type Difference, notCompared } from '../../src/domain/reconciliation/subscription';
import { euros } from '../../src/domain/money';
import { endReconciliation, purgeReconciliations } from '../../src/ledger';
import { type AdminUnderTest, eachItems, faultPaths, NOW, startAdmin } from './admin-under-test';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(() => admin.rewind());
afterAll(() => admin.stop());

const SPAN = 'from=2027-01-01T00:00:00Z&to=2027-02-01T00:00:00%2B01:00';
const get = (query = SPAN, role: 'viewer' | 'admin' = 'viewer') =>
  admin.call('GET', `/v1/reports/reconciliation?${query}`, { role });

const payment = (name: string) => ({
  subscriptionId: `sub_${name}` as SubscriptionId,
  paymentId: `pay-${name}` as PaymentId,
});

const STOLEN: Difference = {
  ...notCompared(''),
  reason: null,
  kind: 'debit_unknown',
  authorizationId: 'aut-1',
  captureId: 'cap-1',
  service: { state: 'successful', amount: euros(1999), at: NOW - DAY },
};
const OTHERWISE: Difference = {
  kind: 'refund_amount',
  cycle: 2,
  authorizationId: null,
  captureId: 'cap-2',
  refundId: 'ref_1',
  serviceRefundId: 'back-1',
  reason: null,
  ledger: { state: 'successful', amount: euros(500), at: NOW },
  service: { state: 'successful', amount: euros(501), at: NOW + 1 },
};

const [FROM, TO] = [Date.UTC(2027, 0, 1), Date.UTC(2027, 0, 31, 23)];
const WHOLE = { from: FROM, to: TO };

interface Report {
  readonly items: readonly { readonly subscriptionId?: string; readonly kind: string }[];
  readonly nextCursor: string | null;
}

test('the reconciliation report has every difference with the records of ledger and service, its ids and a description in plain words', async () => {
  const jobId = await admin.reconciliation.compared(WHOLE, NOW, [
    { ...payment('a'), differences: [] },
    { ...payment('b'), differences: [STOLEN] },
    { ...payment('c'), differences: [OTHERWISE, notCompared('HTTP 500')] },
  ]);
  const answer = await get();
  expect(answer.statusCode).toBe(200);
  const period = { from: '2027-01-01T00:00:00.000Z', to: '2027-01-31T23:00:00.000Z' };
  expect(answer.json()).toEqual({
    ...period,
    comparedAt: '2027-01-31T12:00:00.000Z',
    payments: 3,
    differences: 3,
    nextCursor: null,
    compared: [{ ...period, comparedAt: '2027-01-31T12:00:00.000Z', jobId }],
    notCompared: [],
    items: [
      {
        kind: 'debit_unknown',
        ...payment('b'),
        authorizationId: 'aut-1',
        captureId: 'cap-1',
        text: expect.stringContaining('that matches nothing in the ledger'),
        service: {
          state: 'successful',
          amount: { value: 1999, currency: 'EUR' },
          at: '2027-01-30T12:00:00.000Z',
        },
      },
      {
        kind: 'refund_amount',
        ...payment('c'),
        cycle: 2,
        captureId: 'cap-2',
        refundId: 'ref_1',
        serviceRefundId: 'back-1',
        text: expect.stringContaining('5.00 EUR'),
        ledger: { state: 'successful', amount: { value: 500, currency: 'EUR' }, at: '2027-01-31T12:00:00.000Z' },
        service: { state: 'successful', amount: { value: 501, currency: 'EUR' }, at: '2027-01-31T12:00:00.001Z' },
      },
      { kind: 'not_compared', ...payment('c'), text: expect.stringContaining('HTTP 500') },
    ],
  });
});

test('the reconciliation report names no subscription if a one-time payment differs', async () => {
  const oneTime = { subscriptionId: null, requestId: 'pay_a', paymentId: 'service-a' as PaymentId };
  await admin.reconciliation.compared(WHOLE, NOW, [{ ...oneTime, differences: [STOLEN] }]);
  const { items } = (await get()).json<Report>();
  expect(items).toMatchObject([{ kind: 'debit_unknown', paymentId: 'service-a', captureId: 'cap-1' }]);
  expect(Object.keys(items[0] ?? {})).not.toContain('subscriptionId');
});

test('without a finished comparison, the reconciliation report starts no comparison, and says that the whole period was not compared', async () => {
  await admin.reconciliation.started(WHOLE, NOW);
  expect((await get()).json()).toMatchObject({
    comparedAt: null,
    payments: 0,
    differences: 0,
    items: [],
    nextCursor: null,
    compared: [],
    notCompared: [{ from: '2027-01-01T00:00:00.000Z', to: '2027-01-31T23:00:00.000Z' }],
  });
  expect(admin.reconciliation.asked).toEqual([]);
});

test('the reconciliation report shows which part of the period was not compared, and what was found in the rest', async () => {
  await admin.reconciliation.compared({ from: NOW - 2 * DAY, to: NOW }, NOW, [
    { ...payment('a'), differences: [STOLEN] },
  ]);
  expect((await get()).json()).toMatchObject({
    comparedAt: null,
    differences: 1,
    items: [{ kind: 'debit_unknown' }],
    compared: [{ from: '2027-01-29T12:00:00.000Z', to: '2027-01-31T12:00:00.000Z' }],
    notCompared: [
      { from: '2027-01-01T00:00:00.000Z', to: '2027-01-29T12:00:00.000Z' },
      { from: '2027-01-31T12:00:00.000Z', to: '2027-01-31T23:00:00.000Z' },
    ],
  });
});

test('the reconciliation report takes each part of the period from its newest comparison, so that settled differences disappear from that part', async () => {
  const old = { ...STOLEN, captureId: 'cap-old', service: { ...STOLEN.service!, at: FROM + DAY } };
  await admin.reconciliation.compared(WHOLE, NOW - 5 * DAY, [{ ...payment('a'), differences: [STOLEN, old] }]);
  await admin.reconciliation.compared({ from: NOW - 3 * DAY, to: TO }, NOW, [
    { ...payment('b'), differences: [notCompared('HTTP 500')] },
  ]);
  const report = (await get()).json();
  expect(report).toMatchObject({ comparedAt: '2027-01-26T12:00:00.000Z', differences: 2, notCompared: [] });
  expect(report.items).toMatchObject([{ captureId: 'cap-old' }, { kind: 'not_compared', paymentId: 'pay-b' }]);
});

test('the reconciliation report has a difference only once, even if it belongs to the parts of two comparisons', async () => {
  const across = { ...OTHERWISE, ledger: { ...OTHERWISE.ledger!, at: FROM + DAY } };
  await admin.reconciliation.compared(WHOLE, NOW - DAY, [{ ...payment('a'), differences: [across] }]);
  await admin.reconciliation.compared({ from: NOW - DAY, to: TO }, NOW, [{ ...payment('a'), differences: [across] }]);
  expect((await get()).json()).toMatchObject({ differences: 1, items: [{ kind: 'refund_amount' }] });
});

test('the reconciliation report omits differences outside its period that a longer comparison has found, to the millisecond', async () => {
  const at = NOW - DAY;
  await admin.reconciliation.compared(WHOLE, NOW, [{ ...payment('a'), differences: [STOLEN] }]);
  const found = async (from: number, to: number) =>
    (await get(`from=${toIso(from)}&to=${toIso(to)}`)).json<{ differences: number }>().differences;
  expect([await found(at, at + 1), await found(at - 1, at), await found(at + 1, at + 2)]).toEqual([1, 0, 0]);
});

test('stopped and failed comparisons report nothing about the period', async () => {
  const [stopped, failed] = [
    await admin.reconciliation.started(WHOLE, NOW),
    await admin.reconciliation.started(WHOLE, NOW),
  ];
  await endReconciliation(admin.db, failed, 'HTTP 503', 1);
  await admin.call('DELETE', `/v1/jobs/${stopped}`);
  expect((await get()).json()).toMatchObject({ comparedAt: null, compared: [] });
});

test('the pages of the reconciliation report are based on the same comparisons, even if another comparison ends in between', async () => {
  const found = ['a', 'b', 'c'].map((name) => ({ ...payment(name), differences: [STOLEN] }));
  await admin.reconciliation.compared(WHOLE, NOW, found);
  const first = await get(`${SPAN}&limit=2`);
  const { nextCursor } = first.json<{ nextCursor: string }>();
  await admin.reconciliation.compared(WHOLE, NOW, []);
  const next = await get(`${SPAN}&limit=2&cursor=${nextCursor}`);
  expect([eachItems(first, 'subscriptionId'), eachItems(next, 'subscriptionId')]).toEqual([
    ['sub_a', 'sub_b'],
    ['sub_c'],
  ]);
  expect(next.json()).toMatchObject({ nextCursor: null, differences: 3 });
  expect((await get()).json()).toMatchObject({ differences: 0 });
  await purgeReconciliations(admin.db, Date.UTC(2100, 0, 1), 1_000);
  expect((await get(`${SPAN}&cursor=${nextCursor}`)).json()).toMatchObject({ status: 410, code: 'cursor_expired' });
});

const period = { from: '2027-01-01T00:00:00Z', to: '2027-02-01T00:00:00+01:00' };
const order = (body: unknown = period, role: 'viewer' | 'operator' = 'operator') =>
  admin.call('POST', '/v1/reports/reconciliation', { role, body });
const job = (jobId: string, more = '') => admin.call('GET', `/v1/jobs/${jobId}${more}`, { role: 'viewer' });
const auditLog = async (type: string) => {
  const answer = await admin.call('GET', `/v1/audit?type=${type}`);
  return answer.json<{ items: { actor: string; data: unknown }[] }>().items;
};

test('a comparison that an operator starts is a job, which shows its progress and the differences that it has found', async () => {
  const answer = await order();
  expect(answer.statusCode).toBe(202);
  const { jobId } = answer.json<{ jobId: string }>();
  expect(answer.headers.location).toBe(`/v1/jobs/${jobId}`);
  expect(answer.json()).toEqual({
    jobId,
    kind: 'reconciliation',
    state: 'running',
    done: 0,
    total: null,
    refused: 0,
    differences: 0,
    from: '2027-01-01T00:00:00.000Z',
    to: '2027-01-31T23:00:00.000Z',
    orderedBy: 'operator of the shop',
    startedAt: '2027-01-31T12:00:00.000Z',
  });
  const keyId = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
  expect(admin.reconciliation.asked).toEqual([{ period: WHOLE, actor: 'operator of the shop', keyId }]);
  expect(await auditLog('reconciliation.started')).toMatchObject([
    { actor: 'operator of the shop', data: { jobId, from: '2027-01-01T00:00:00.000Z' } },
  ]);
  await admin.reconciliation.finds(jobId, [
    { ...payment('a'), differences: [STOLEN] },
    { ...payment('b'), differences: [notCompared('HTTP 500')] },
  ]);
  expect((await job(jobId)).json()).toMatchObject({ state: 'running', done: 2, total: null, refused: 1 });
  const [first, second] = [await job(jobId, '/results?limit=1'), await job(jobId, '/results')];
  expect(first.json()).toMatchObject({ items: [{ captureId: 'cap-1' }], nextCursor: expect.any(String) });
  expect(eachItems(second, 'kind')).toEqual(['debit_unknown', 'not_compared']);
  const { nextCursor } = first.json<Report>();
  expect(eachItems(await job(jobId, `/results?cursor=${nextCursor!}`), 'kind')).toEqual(['not_compared']);
  await endReconciliation(admin.db, jobId, null, 1);
  expect((await job(jobId)).json()).toMatchObject({ state: 'finished', done: 2, total: 2, refused: 1 });
});

test('a comparison that an operator starts may cover any period', async () => {
  const all = { from: '1970-01-01T00:00:00.000Z', to: '9999-12-31T23:59:59.999Z' };
  expect((await order(all)).json()).toMatchObject({ kind: 'reconciliation', state: 'running', ...all });
});

test('a comparison that an operator starts shows why it failed', async () => {
  const { jobId } = (await order()).json<{ jobId: string }>();
  await endReconciliation(admin.db, jobId, 'HTTP 503', 1);
  expect((await job(jobId)).json()).toMatchObject({ state: 'failed', reason: 'HTTP 503', total: null });
});

test('a request for a comparison joins a running comparison of the same period, which is in the audit log once', async () => {
  const { jobId } = (await order()).json<{ jobId: string }>();
  admin.reconciliation.answer = { kind: 'joined', runId: jobId };
  const joined = await order();
  expect([joined.statusCode, joined.headers.location]).toEqual([202, `/v1/jobs/${jobId}`]);
  expect(await auditLog('reconciliation.started')).toHaveLength(1);
});

test('a request for a comparison is refused while a comparison of another period runs, and names the running one', async () => {
  const runId = randomUUID();
  admin.reconciliation.answer = { kind: 'busy', runId, period: { from: 0, to: DAY } };
  expect((await order()).json()).toMatchObject({
    status: 409,
    code: 'state_conflict',
    jobId: runId,
    detail: expect.stringContaining(runId),
    from: '1970-01-01T00:00:00.000Z',
    to: '1970-01-02T00:00:00.000Z',
  });
});

test('a request for a comparison while Temporal cannot be reached is answered with 503, and nothing is stored', async () => {
  admin.reconciliation.answer = { kind: 'not_ready' };
  expect((await order()).json()).toMatchObject({ status: 503, code: 'not_ready' });
  expect(await auditLog('reconciliation.started')).toEqual([]);
});

test('a comparison that an operator stops ends between two payments, and the differences that it has found remain', async () => {
  const { jobId } = (await order()).json<{ jobId: string }>();
  await admin.reconciliation.finds(jobId, [{ ...payment('a'), differences: [STOLEN] }]);
  const stop = (role: 'viewer' | 'operator') => admin.call('DELETE', `/v1/jobs/${jobId}`, { role });
  expect((await stop('viewer')).statusCode).toBe(403);
  expect((await stop('operator')).json()).toMatchObject({ jobId, state: 'stopped', done: 1 });
  await admin.reconciliation.finds(jobId, [{ ...payment('b'), differences: [STOLEN] }]);
  expect((await stop('operator')).json()).toMatchObject({ state: 'stopped', done: 1, differences: 1 });
  expect(eachItems(await job(jobId, '/results'), 'paymentId')).toEqual(['pay-a']);
  expect(await auditLog('reconciliation.stopped')).toMatchObject([{ actor: 'operator of the shop', data: { jobId } }]);
});

test('an ended comparison cannot be stopped', async () => {
  const jobId = await admin.reconciliation.compared(WHOLE, NOW);
  const answer = await admin.call('DELETE', `/v1/jobs/${jobId}`, { role: 'operator' });
  expect(answer.json()).toMatchObject({ status: 409, code: 'state_conflict', jobId });
  expect((await job(jobId)).json()).toMatchObject({ state: 'finished' });
});

test.each(['', '/results'])('an unknown comparison is not found: %s', async (more) => {
  expect((await job(randomUUID(), more)).statusCode).toBe(404);
  expect((await job('nothing', more)).statusCode).toBe(404);
});

test.each([
  ['no period', {}, ['from', 'to']],
  ['an empty period', { from: period.from, to: period.from }, ['to']],
  ['a field too many', { ...period, day: 1 }, ['day']],
])('a request for a comparison with %s is refused', async (_what, body, paths) => {
  const answer = await order(body);
  expect([answer.statusCode, faultPaths(answer)]).toEqual([400, paths]);
  expect(admin.reconciliation.asked).toEqual([]);
});

test('a request for a comparison needs an operator', async () => {
  expect((await order(period, 'viewer')).statusCode).toBe(403);
});

test.each([
  ['no period', '', ['from', 'to']],
  ['a date without a time', 'from=2027-01-01&to=2027-02-01T00:00:00Z', ['from']],
  ['an empty period', 'from=2027-01-01T00:00:00Z&to=2027-01-01T00:00:00Z', ['to']],
  ['a limit of 0', `${SPAN}&limit=0`, ['limit']],
  ['a limit of 1001', `${SPAN}&limit=1001`, ['limit']],
  ['an invalid cursor', `${SPAN}&cursor=abc`, ['cursor']],
  ['a cursor of another list', `${SPAN}&cursor=WzFd`, ['cursor']],
  ['a cursor with an invalid position', `${SPAN}&cursor=${randomUUID()}.abc`, ['cursor']],
  ['an unknown field', `${SPAN}&day=1`, ['day']],
])('the reconciliation report with %s is refused, naming the fields', async (_what, query, paths) => {
  const answer = await get(query);
  expect([answer.statusCode, faultPaths(answer)]).toEqual([400, paths]);
});

test('the reconciliation report of all years is possible, and shows which part of them was compared and which was not', async () => {
  const jobId = await admin.reconciliation.compared(WHOLE, NOW, [{ ...payment('a'), differences: [STOLEN] }]);
  const answer = await get('from=1970-01-01T00:00:00.000Z&to=9999-12-31T23:59:59.999Z');
  expect(answer.json()).toMatchObject({
    items: [{ captureId: 'cap-1' }],
    compared: [{ from: '2027-01-01T00:00:00.000Z', to: '2027-01-31T23:00:00.000Z', jobId }],
    notCompared: [
      { from: '1970-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' },
      { from: '2027-01-31T23:00:00.000Z', to: '9999-12-31T23:59:59.999Z' },
    ],
  });
});
