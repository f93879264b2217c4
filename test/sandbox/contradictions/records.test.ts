import { createApproved, BOOKING, euros, oneTimeRequest } from '../merchant';
import { Liar, WEEK } from './liar';

const RETRYABLE = 'AUTHORIZATION_REJECTION_RETRYABLE';

let liar: Liar;
afterEach(() => liar.close());

it('a simulated false refusal answers a retryable rejection, lists the debit as failed, and later as successful', async () => {
  liar = await Liar.open({ kind: 'refused_then_successful', delayMs: 5000 });
  expect(await liar.collect()).toMatchObject({ status: 422, body: { result: 'FAILED', detail: RETRYABLE } });
  expect(await liar.listed()).toMatchObject([{ status: { result: 'failed' }, detail: RETRYABLE }]);
  liar.shop.clock.pass(4999);
  expect(await liar.states()).toEqual(['failed']);
  expect(liar.debits()).toEqual(['successful']);
  liar.shop.clock.pass(1);
  expect(await liar.states()).toEqual(['successful']);
});

it('a simulated false refusal names its authorization in the answer if configured to', async () => {
  liar = await Liar.open({ kind: 'refused_then_successful', named: true });
  const { status, body } = await liar.collect();
  expect([status, body.status.result, body.detail]).toEqual([422, 'failed', RETRYABLE]);
  expect((await liar.listed())[0]).toMatchObject({ authorizationId: body.authorizationId });
});

it('a simulated refusal can be listed as pending later, and as failed again if nothing is booked', async () => {
  liar = await Liar.open({ kind: 'refused_then_failed', delayMs: 2000, pendingMs: 3000 });
  expect((await liar.collect()).status).toBe(422);
  liar.shop.clock.pass(2000);
  expect(await liar.states()).toEqual(['pending']);
  liar.shop.clock.pass(3000);
  expect(await liar.states()).toEqual(['failed']);
  expect(liar.debits()).toEqual([]);
});

it('a simulated false refusal can be limited to an attempt', async () => {
  liar = await Liar.open({ kind: 'refused_then_successful', match: { cycle: 0, attempt: 1 } });
  expect((await liar.collect()).status).toBe(201);
  expect((await liar.collect()).status).toBe(422);
  expect((await liar.collect()).status).toBe(201);
});

it('a simulated false refusal can be limited to a merchant', async () => {
  liar = await Liar.open();
  const order = (clientId: string) =>
    liar.shop.post('/_sandbox/faults', { kind: 'refused_then_successful', match: { clientId } });
  await order('another');
  expect((await liar.collect()).status).toBe(201);
  await order('merchant-1');
  expect((await liar.collect()).status).toBe(422);
});

it('the simulator can list an authorization as refused while its capture is booked', async () => {
  liar = await Liar.open({ kind: 'refused_while_booking' });
  expect(await liar.collect()).toMatchObject({ status: 201, body: { status: { result: 'pending' } } });
  expect(await liar.states()).toEqual(['failed']);
  liar.shop.clock.pass(BOOKING);
  expect(await liar.listed()).toMatchObject([{ status: { result: 'failed' }, detail: RETRYABLE }]);
  expect(await liar.states('captures')).toEqual(['successful']);
  expect(liar.debits()).toEqual(['successful']);
});

it('the simulator can list a successful authorization as failed later', async () => {
  liar = await Liar.open({ kind: 'success_withdrawn', delayMs: 4000 });
  await liar.collect();
  expect(await liar.states()).toEqual(['pending']);
  liar.shop.clock.pass(BOOKING / 2);
  expect([await liar.states(), await liar.states('captures')]).toEqual([['successful'], ['pending']]);
  liar.shop.clock.pass(4000);
  expect([await liar.states(), await liar.states('captures')]).toEqual([['failed'], ['successful']]);
});

it('the simulator can give an old record an unknown status', async () => {
  liar = await Liar.open({ kind: 'new_status', word: 'reversed', afterMinutes: 60 });
  await liar.collect();
  liar.shop.clock.pass(BOOKING);
  expect(await liar.states()).toEqual(['successful']);
  liar.shop.clock.travelTo(liar.shop.clock.now() + 3_600_000);
  expect(await liar.states()).toEqual(['reversed']);
  expect(liar.debits()).toEqual(['successful']);
});

it('a simulated pending authorization can disappear from the list without a debit', async () => {
  liar = await Liar.open({ kind: 'vanishing', delayMs: 3000 });
  const { body } = await liar.collect();
  expect(await liar.states()).toEqual(['pending']);
  liar.shop.clock.pass(3000);
  expect(await liar.states()).toEqual([]);
  const named = `/authorizations?paymentId=${liar.paymentId}&authorizationId=${body.authorizationId}`;
  expect((await liar.shop.get(named)).body.items).toEqual([]);
  expect(liar.debits()).toEqual([]);
});

it('a simulated pending authorization can disappear from the list and be booked', async () => {
  liar = await Liar.open({ kind: 'vanishing', delayMs: 3000, books: true });
  await liar.collect();
  expect(await liar.states()).toEqual(['pending']);
  liar.shop.clock.pass(3000);
  expect([await liar.states(), await liar.states('captures')]).toEqual([[], ['successful']]);
  expect(liar.debits()).toEqual(['successful']);
});

it('a simulated authorization that disappears and is booked is booked whatever the wallet of its payer', async () => {
  liar = await Liar.open({ kind: 'vanishing', delayMs: 3000, books: true });
  liar.shop.sandbox.setWallet(liar.paymentId, 'rejected-with-id-once');
  expect((await liar.collect()).status).toBe(201);
  liar.shop.clock.pass(3000);
  expect(liar.debits()).toEqual(['successful']);
});

it('a simulated false refusal of a capture or a refund is booked whatever the wallet of the payer', async () => {
  liar = await Liar.open({ kind: 'refused_then_successful', match: { on: 'refunds' } });
  await liar.collect();
  liar.shop.clock.pass(BOOKING);
  liar.shop.sandbox.setWallet(liar.paymentId, 'refund-fails');
  expect((await liar.shop.post(`/${liar.paymentId}/refunds`, { amount: euros(100) })).status).toBe(422);
  liar.shop.clock.pass(BOOKING);
  expect(liar.shop.sandbox.payment(liar.paymentId).refunds).toMatchObject([{ result: 'successful' }]);
  const paymentId = await createApproved(liar.shop, oneTimeRequest('EVENT_DEPENDENT', { partialCapture: true }));
  liar.shop.clock.pass(BOOKING);
  liar.shop.sandbox.setWallet(paymentId, 'capture-fails');
  await liar.shop.post('/_sandbox/faults', { kind: 'refused_then_successful', match: { paymentId, on: 'captures' } });
  expect((await liar.shop.post('/captures', { paymentId, amount: euros(100) })).status).toBe(422);
  liar.shop.clock.pass(BOOKING);
  expect(liar.shop.sandbox.payment(paymentId).debits).toMatchObject([{ status: 'successful' }]);
});

it('the simulator can answer a retry with the id of the earlier attempt, whose authorization it opens again', async () => {
  liar = await Liar.open({ kind: 'same_id', match: { attempt: 1 } });
  liar.shop.sandbox.setWallet(liar.paymentId, 'rejected-with-id-once');
  const first = (await liar.collect()).body;
  expect(await liar.states()).toEqual(['failed']);
  const second = (await liar.collect()).body;
  expect(second.authorizationId).toBe(first.authorizationId);
  liar.shop.clock.pass(BOOKING);
  expect(await liar.listed()).toMatchObject([
    { authorizationId: first.authorizationId, status: { result: 'successful' }, createdAt: first.createdAt },
  ]);
  expect(await liar.listed('captures')).toMatchObject([{ authorizationId: first.authorizationId }]);
  expect(liar.debits()).toEqual(['successful']);
});

it('the simulator can answer every request with one id, and make a debit for each', async () => {
  liar = await Liar.open({ kind: 'same_id', as: 'first', times: null });
  const ids = [];
  for (let n = 0; n < 3; n += 1) ids.push((await liar.collect()).body.authorizationId);
  liar.shop.clock.pass(BOOKING);
  expect(new Set(ids).size).toBe(1);
  expect(await liar.states()).toEqual(['successful']);
  expect(liar.debits()).toEqual(['successful', 'successful', 'successful']);
});

it('the simulator can answer a debit with the id of another cycle', async () => {
  liar = await Liar.open({ kind: 'same_id', as: 'other_cycle', match: { cycle: 1 } });
  const first = (await liar.collect()).body.authorizationId;
  liar.shop.clock.pass(BOOKING);
  liar.shop.clock.travelTo(liar.shop.clock.now() + WEEK);
  expect((await liar.collect()).body.authorizationId).toBe(first);
});

it('the simulator can answer a refund with the id of an earlier refund', async () => {
  liar = await Liar.open({ kind: 'same_id', as: 'first', match: { on: 'refunds' }, times: null });
  await liar.collect();
  liar.shop.clock.pass(BOOKING);
  const refund = async (cents: number) =>
    (await liar.shop.post(`/${liar.paymentId}/refunds`, { amount: euros(cents) })).body.refundId;
  expect(await refund(100)).toBe(await refund(200));
  expect(liar.shop.sandbox.payment(liar.paymentId).refunds).toHaveLength(2);
});

it('the simulator can answer a capture with the id of an earlier capture', async () => {
  liar = await Liar.open();
  const plan = { partialCapture: true, multipleCapture: true };
  const paymentId = await createApproved(liar.shop, oneTimeRequest('EVENT_DEPENDENT', plan));
  liar.shop.clock.pass(BOOKING);
  await liar.shop.post('/_sandbox/faults', { kind: 'same_id', match: { paymentId, on: 'captures', attempt: 1 } });
  const capture = async (cents: number) =>
    (await liar.shop.post('/captures', { paymentId, amount: euros(cents) })).body.captureId;
  expect(await capture(100)).toBe(await capture(200));
  expect(liar.shop.sandbox.payment(paymentId).debits).toHaveLength(2);
});

it('the simulator can give a record a date beyond the year 9999, in the answer and in the list', async () => {
  liar = await Liar.open({ kind: 'far_date' });
  const { body } = await liar.collect();
  expect(new Date(body.createdAt).getUTCFullYear()).toBe(10_000);
  expect((await liar.listed())[0]?.createdAt).toBe(body.createdAt);
});

it.each([
  ['date', (id: string, own: string) => id === own],
  ['nul_id', (id: string, own: string) => id === `${own}\u0000`],
  ['long_id', (id: string) => id.length === 10_000],
  ['no_id', (id: string | undefined) => id === undefined],
] as const)(
  'the simulator can give an answer that cannot be stored, while the list is right: %s',
  async (variant, isSo) => {
    liar = await Liar.open({ kind: 'unstorable_answer', variant });
    const { status, body } = await liar.collect();
    const listed = await liar.listed();
    expect(status).toBe(201);
    expect(isSo(body.authorizationId, String(listed[0]?.authorizationId))).toBe(true);
    expect(listed[0]?.createdAt).toBe(new Date(liar.shop.clock.now()).toISOString());
  },
);

it('a contradiction about a record affects one record unless it names another number', async () => {
  liar = await Liar.open({ kind: 'refused_then_successful' });
  expect((await liar.collect()).status).toBe(422);
  expect((await liar.collect()).status).toBe(201);
  expect((await liar.shop.get('/_sandbox/faults')).body.items).toMatchObject([{ left: 0, taken: 1 }]);
});

it('a contradictory record stays contradictory after the contradictions have been cleared', async () => {
  liar = await Liar.open({ kind: 'refused_while_booking' });
  await liar.collect();
  await liar.shop.delete('/_sandbox/faults');
  expect(await liar.states()).toEqual(['failed']);
});
