import type { CaptureId } from '../../src/domain/ids';
import { DAY, HOUR, MINUTE, toIso } from '../../src/domain/time';
import { haltSending, liftHalt, recordOutcome, reopenAttempt } from '../../src/ledger';
import { createFailed, payLink } from '../ledger/link-fixture';
import { COLLECT_BY, DUE, REAL_NOW, subscribe, type Subscribed } from '../ledger/ledger-fixture';
import { patchPayment } from '../ledger/payment-fixture';
import { type AdminUnderTest, type CallOptions, faultPaths, SANDBOX, startAdmin } from './admin-under-test';
import { eur } from './payment-order';

let admin: AdminUnderTest;
let given: Subscribed;

beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(async () => {
  given = await createFailed(admin.db);
  admin.clock.business = COLLECT_BY;
  admin.payments.onCreateLink = (draft) => admin.payments.openLink(draft);
});
afterAll(() => admin.stop());

interface Link {
  readonly paymentId: string;
  readonly redirectURL: string;
  readonly expiresAt: string;
}

const BODY = { returnURL: 'https://shop.example/back', reason: 'Ada asked to pay now' };
const path = (cycle: number | string = 0) => `/v1/subscriptions/${given.subscriptionId}/cycles/${cycle}`;
const ask = (options: CallOptions = {}, cycle: number | string = 0) =>
  admin.call('POST', `${path(cycle)}/payment-link`, { role: 'operator', body: BODY, ...options });
const refOf = ({ paymentId }: Link) => ({
  subscriptionId: null,
  paymentId: paymentId as never,
  requestId: paymentId.slice('at-service:'.length),
});

async function cycle() {
  const answer = await admin.call('GET', path().replace(/\/0$/, ''));
  return answer.json<{ items: { cycle: number }[] }>().items.find((each) => each.cycle === 0);
}

async function collectLate(): Promise<void> {
  const ref = { subscriptionId: given.subscriptionId, cycle: 0, attempt: 0, send: 0 };
  await reopenAttempt(admin.db, ref, { at: COLLECT_BY, realAt: REAL_NOW, found: {}, isCaptured: false }, true);
  const { rows } = await admin.db.query('select authorization_id from attempts where subscription_id = $1', [
    given.subscriptionId,
  ]);
  const known = { authorizationId: rows[0]!.authorization_id, captureId: 'late-1' as CaptureId, createdAt: DUE };
  const event = { type: 'attempt.successful', data: {} } as const;
  await recordOutcome(admin.db, ref, { state: 'successful', ...known }, COLLECT_BY + HOUR, event);
}

test('a payment link of a failed cycle is answered with the address of its session, and with the end of this session', async () => {
  const answer = await ask();
  expect(answer.statusCode).toBe(201);
  const draft = admin.payments.createdLinks.at(-1)!;
  const paymentId = `at-service:${draft.requestId}`;
  expect(answer.json()).toEqual({
    paymentId,
    redirectURL: 'https://bank.example/approve',
    expiresAt: toIso(admin.clock.real + 10 * MINUTE),
  });
  expect(answer.headers.location).toBe(`/v1/payments/at-service%3A${draft.requestId}`);
  const { subscriptionId } = given;
  expect(draft).toMatchObject({ ...BODY, subscriptionId, cycle: 0, amount: eur(1999), actor: 'operator of the shop' });
  const payment = await admin.call('GET', answer.headers.location as string);
  expect(payment.json()).toMatchObject({
    plan: 'SINGLE',
    amount: eur(1999),
    link: { subscriptionId: given.subscriptionId, cycle: 0 },
  });
  expect(await cycle()).toMatchObject({
    status: 'failed',
    paymentLink: { paymentId, state: 'open', createdAt: toIso(COLLECT_BY) },
  });
});

test.each<[string, () => void, string, number | string]>([
  ['of a cycle whose window is open', () => (admin.clock.business = COLLECT_BY - 1), 'collection window', 0],
  ['of a cycle that has not fallen due', () => undefined, 'has not fallen due yet', 1],
])('a payment link %s is refused and reported', async (_of, prepare, message, n) => {
  prepare();
  const answer = await ask({}, n);
  expect(answer.json()).toMatchObject({
    status: 409,
    code: 'state_conflict',
    detail: expect.stringContaining(message),
  });
  const { items } = (await admin.call('GET', `/v1/subscriptions/${given.subscriptionId}/events`)).json();
  expect(items[0]).toMatchObject({
    type: 'request.refused',
    text: expect.stringMatching(/asked for a payment link \(cycle \d\); it was refused: /),
    rule: { decision: 15 },
    data: { request: 'payment_link', cycle: n, code: 'state_conflict' },
  });
});

test('a payment link is refused if the amount of the cycle has changed since the request read it, and nothing is created', async () => {
  const { subscriptionId } = given;
  admin.payments.onCreateLink = async (draft) => {
    await admin.db.query('update cycles set amount = 2500 where subscription_id = $1 and cycle = 0', [subscriptionId]);
    return admin.payments.openLink(draft);
  };
  const detail = 'cycle 0 is of 25.00 EUR, not of 19.99 EUR';
  expect((await ask()).json()).toMatchObject({ status: 409, code: 'state_conflict', detail });
  expect(await cycle()).not.toHaveProperty('paymentLink');
  const { items } = (await admin.call('GET', `/v1/subscriptions/${subscriptionId}/events`)).json();
  expect(items[0]).toMatchObject({ type: 'request.refused', rule: { decision: 15 }, data: { message: detail } });
  // The next request reads the new amount.
  expect((await ask()).statusCode).toBe(201);
});

test('of two simultaneous requests for a payment link of one cycle, one is answered and the other refused', async () => {
  const answers = await Promise.all([ask({ idempotencyKey: 'one' }), ask({ idempotencyKey: 'two' })]);
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
  expect(answers.find(({ statusCode }) => statusCode === 409)!.json()).toMatchObject({ code: 'state_conflict' });
});

test('a repeated request for a payment link is answered with the same link, even after its response is no longer stored', async () => {
  const idempotencyKey = `again-${given.subscriptionId}`;
  const first = await ask({ idempotencyKey });
  const again = await ask({ idempotencyKey });
  expect(again.json()).toEqual(first.json());
  expect(again.headers['idempotent-replay']).toBe('true');
  admin.clock.real += 25 * HOUR;
  const late = await ask({ idempotencyKey });
  expect([late.statusCode, late.json()]).toEqual([201, first.json()]);
  expect((await ask({ idempotencyKey, body: { ...BODY, reason: 'another' } })).statusCode).toBe(422);
  expect((await ask()).json()).toMatchObject({ status: 409, code: 'state_conflict' });
});

test('a request for a payment link that is repeated after a lost answer finds the link that was created', async () => {
  const idempotencyKey = `lost-${given.subscriptionId}`;
  admin.payments.onCreateLink = async (draft) => {
    await admin.payments.openLink(draft);
    throw new Error('the process died');
  };
  expect((await ask({ idempotencyKey })).statusCode).toBe(500);
  expect(await ask({ idempotencyKey })).toMatchObject({ statusCode: 201 });
});

test('after a payment link was declined another link can be created, and after one was paid none can', async () => {
  const first = (await ask()).json<Link>();
  await patchPayment(admin.db, refOf(first), { consent: { status: 'failed', reason: 'declined' } });
  const second = (await ask()).json<Link>();
  expect(second.paymentId).not.toBe(first.paymentId);
  await payLink(admin.db, refOf(second));
  expect((await ask()).json()).toMatchObject({ detail: `cycle 0 was paid by payment ${second.paymentId}` });
  const read = await admin.call('GET', `/v1/subscriptions/${given.subscriptionId}`);
  expect(read.json()).toMatchObject({ standing: 'good' });
  expect(await cycle()).toMatchObject({ paymentLink: { state: 'paid', paidAt: toIso(COLLECT_BY + MINUTE) } });
});

test('a refund of a cycle that was paid by a link is a refund of the link’s payment, and is shown at the cycle', async () => {
  const link = (await ask()).json<Link>();
  const refund = (cents: number) =>
    admin.call('POST', `${path()}/refunds`, {
      body: { amount: eur(cents) },
      idempotencyKey: `refund-${cents}-${given.subscriptionId}`,
      role: 'operator',
    });
  expect((await refund(1)).json()).toMatchObject({ status: 409, rule: 'not_collected' });
  const captureId = await payLink(admin.db, refOf(link));
  expect((await refund(2000)).json()).toMatchObject({ code: 'refund_not_allowed', highestAllowed: eur(1999) });
  const answer = await refund(1999);
  expect(answer.json()).toMatchObject({ cycle: 0, amount: eur(1999), captureId, status: 'pending' });
  expect(await cycle()).toMatchObject({ refunds: [answer.json<object>()] });
});

test('if a payment link is paid after its cycle was collected, an attention item recommends refunding the link’s payment', async () => {
  const link = (await ask()).json<Link>();
  await collectLate();
  expect((await ask()).json()).toMatchObject({ detail: expect.stringContaining('cycle 0 is collected') });
  const captureId = await payLink(admin.db, refOf(link), COLLECT_BY + DAY);
  const { items } = (await admin.call('GET', '/v1/attention?kind=contradiction')).json<{
    items: { subscriptionId: string; recommended: { path: string; body: object } }[];
  }>();
  const item = items.find(({ subscriptionId }) => subscriptionId === given.subscriptionId)!;
  expect(item.recommended).toMatchObject({
    method: 'POST',
    path: `/v1/payments/${encodeURIComponent(link.paymentId)}/refunds`,
    body: { amount: eur(1999), captureId },
  });
  const { path: url, body } = item.recommended;
  expect((await admin.call('POST', url, { body, idempotencyKey: 'as-recommended' })).statusCode).toBe(201);
});

test.each<[string, object | undefined, string[]]>([
  ['no returnURL', {}, ['returnURL']],
  ['a returnURL that is not an address', { returnURL: 'shop' }, ['returnURL']],
  ['a returnURL with a password', { returnURL: 'https://me:secret@shop.example/' }, ['returnURL']],
  ['an amount', { ...BODY, amount: eur(1) }, ['amount']],
  ['several faults', { returnURL: 'ftp://x', colour: 'red' }, ['colour', 'returnURL']],
  ['no body', undefined, ['']],
])('a payment link with %s is refused with the path of the fault', async (_what, body, paths) => {
  const answer = await ask({ body });
  expect(answer.json()).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(faultPaths(answer).sort()).toEqual(paths);
});

test('a payment link needs an operator, a known subscription, and sending that is not halted', async () => {
  expect((await ask({ role: 'viewer' })).statusCode).toBe(403);
  const unknown = await admin.call('POST', '/v1/subscriptions/sub_none/cycles/0/payment-link', { body: BODY });
  expect(unknown.statusCode).toBe(404);
  const act = { actor: 'ops', reason: 'a drill', at: COLLECT_BY };
  await haltSending(admin.db, act);
  expect((await ask()).json()).toMatchObject({ status: 409, code: 'halted' });
  await liftHalt(admin.db, act);
  expect((await ask()).statusCode).toBe(201);
});

test('a cycle above the capture limit of a restricted merchant category cannot be paid by a link', async () => {
  const policy = { ...SANDBOX, merchantCategoryCode: '4111' };
  const on = await admin.another({ policy });
  expect((await ask({ on })).statusCode).toBe(201);
  const dear = await subscribe(admin.db);
  await admin.db.query(
    `insert into cycles (subscription_id, cycle, due_at, collect_by, amount, status)
     values ($1, 0, $2, $3, 5001, 'missed')`,
    [dear.subscriptionId, toIso(DUE), toIso(COLLECT_BY)],
  );
  const url = `/v1/subscriptions/${dear.subscriptionId}/cycles/0/payment-link`;
  expect((await admin.call('POST', url, { body: BODY, on })).json()).toMatchObject({
    status: 409,
    detail: expect.stringContaining('at most 5000'),
  });
  await on.close();
});

test.each([
  ['refused', { kind: 'refused', detail: 'NO', description: 'not today' }, 400, 'invalid_request'],
  ['unavailable', { kind: 'unavailable', reason: 'no route' }, 502, 'payment_service_unavailable'],
  ['not_ready', { kind: 'not_ready' }, 503, 'not_ready'],
  ['exists', { kind: 'exists' }, 503, 'not_ready'],
] as const)('a link whose creation ends as %s is not answered as created', async (_what, outcome, status, code) => {
  admin.payments.onCreateLink = async () => outcome;
  expect((await ask()).json()).toMatchObject({ status, code });
});
