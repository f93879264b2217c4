import type { OrderId } from '../../src/domain/ids';
import { openOrderItem, beginOrderSend, getCapture, getRefund } from '../../src/ledger';
import { issueKey } from '../../src/admin/access/key-ring';
import { type AdminUnderTest, faultPaths, NOW, PRODUCTION, startAdmin } from './admin-under-test';
import { createAuthorized, createBooked, BOTH_FLAGS, created, eur, pathOf } from './payment-order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const FAILED = { outcome: 'failed', evidence: 'the operator has none' };
let keys = 0;

/** Orders a capture or refund that waits for an operator. @returns the path of the call that resolves it */
async function createWaiting(kind: 'captures' | 'refunds'): Promise<string> {
  const paymentId = kind === 'captures' ? await createAuthorized(admin, BOTH_FLAGS) : await createBooked(admin, 100);
  const idempotencyKey = `resolve-${(keys += 1)}`;
  const answer = await admin.call('POST', `${pathOf(paymentId)}/${kind}`, { body: { amount: eur(5) }, idempotencyKey });
  const { orderId, refundId } = created(answer) as unknown as { orderId?: string; refundId?: string };
  const id = (orderId ?? refundId)!;
  await openOrderItem(admin.db, id as OrderId, 'the service lists another', NOW);
  return `/v1/${kind}/${id}/resolve`;
}

const resolve = (path: string, body: unknown, role: 'admin' | 'operator' = 'admin') =>
  admin.call('POST', path, { body, role });
const idIn = (path: string) => path.split('/')[3] as OrderId;

test("a capture that is resolved as made has the service's id", async () => {
  const path = await createWaiting('captures');
  admin.payments.notified.splice(0);
  const answer = await resolve(path, { outcome: 'successful', evidence: 'bank statement', captureId: 'cpt_9' });
  expect(admin.payments.notified).toContainEqual(expect.objectContaining({ revision: 1 }));
  expect([answer.statusCode, answer.json()]).toMatchObject([
    200,
    { orderId: idIn(path), status: 'successful', captureId: 'cpt_9' },
  ]);
});

test('a refund that is resolved as never made gets the status failed', async () => {
  const path = await createWaiting('refunds');
  const answer = await resolve(path, FAILED);
  expect([answer.statusCode, answer.json()]).toMatchObject([
    200,
    { refundId: idIn(path), status: 'failed', detail: 'RESOLVED_AS_FAILED' },
  ]);
  expect((await getRefund(admin.db, idIn(path)))?.state).toBe('failed');
});

test('an order that does not wait for an operator cannot be resolved, and the error names the state of the order', async () => {
  const path = await createWaiting('captures');
  await resolve(path, FAILED);
  const answer = await resolve(path, { outcome: 'successful', evidence: 'after all', captureId: 'cpt_10' });
  expect([answer.statusCode, answer.json()]).toMatchObject([
    409,
    { code: 'state_conflict', detail: 'The capture is failed and does not wait for an operator.' },
  ]);
  expect((await getCapture(admin.db, idIn(path)))?.state).toBe('failed');
});

test.each([
  ['captures', '/v1/captures/ref_1/resolve'],
  ['refunds', '/v1/refunds/cap_1/resolve'],
])('resolving an order that is not among the %s is answered with 404', async (_kind, path) => {
  expect((await resolve(path, FAILED)).statusCode).toBe(404);
});

test.each([
  [{}, ['evidence', 'outcome']],
  [{ ...FAILED, outcome: 'perhaps' }, ['outcome']],
  [{ ...FAILED, evidence: ' ' }, ['evidence']],
  [{ ...FAILED, evidence: 'x'.repeat(501) }, ['evidence']],
  [{ ...FAILED, outcome: 'successful' }, ['captureId']],
  [{ ...FAILED, captureId: 'cpt_1' }, ['captureId']],
  [{ ...FAILED, serviceRefundId: 'ref_1' }, ['serviceRefundId']],
  [{ ...FAILED, surprise: 1 }, ['surprise']],
])('resolving an order with the body %j is refused, naming every fault', async (body, paths) => {
  const answer = await resolve('/v1/captures/cap_1/resolve', body);
  expect([answer.statusCode, faultPaths(answer).sort()]).toEqual([400, paths]);
});

test("a refund is resolved as made with the service's refund id, which a refund of another payment may have too", async () => {
  const [path, other] = [await createWaiting('refunds'), await createWaiting('refunds')];
  const made = { outcome: 'successful', evidence: 'bank statement', serviceRefundId: 'srf_9' };
  expect((await resolve(path, { ...made, serviceRefundId: undefined })).statusCode).toBe(400);
  expect((await resolve(path, made)).json()).toMatchObject({ status: 'successful' });
  // The same id at another payment identifies another record.
  expect((await resolve(other, made)).statusCode).toBe(200);
});

test('resolving a capture is refused if another capture has the given id, or has an unknown outcome, and the error names the other capture', async () => {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  const order = async () => {
    const idempotencyKey = `resolve-${(keys += 1)}`;
    const answer = await admin.call('POST', `${pathOf(paymentId)}/captures`, {
      body: { amount: eur(5) },
      idempotencyKey,
    });
    const { orderId } = created(answer);
    await openOrderItem(admin.db, orderId as OrderId, 'the service lists another', NOW);
    return orderId as OrderId;
  };
  const [first, second, third] = [await order(), await order(), await order()];
  const said = { outcome: 'successful', evidence: 'bank statement', captureId: 'cpt_twice' };
  await resolve(`/v1/captures/${first}/resolve`, said);
  expect((await resolve(`/v1/captures/${second}/resolve`, said)).json()).toMatchObject({
    code: 'state_conflict',
    detail: `captureId cpt_twice belongs to capture ${first}; expected one that no other capture has.`,
  });
  await beginOrderSend(admin.db, { orderId: third, knownIds: [], owner: 'w', at: NOW, realAt: admin.clock.real });
  expect((await resolve(`/v1/captures/${second}/resolve`, FAILED)).json()).toMatchObject({
    code: 'state_conflict',
    detail: `The outcome of order ${third} of the same payment is unknown; resolve that one first.`,
  });
});

test('only an admin may resolve an order', async () => {
  const path = await createWaiting('refunds');
  expect((await resolve(path, FAILED, 'operator')).statusCode).toBe(403);
});

test('in production, resolving an order needs approval by a second person, but is refused at once if the order is not waiting for an operator', async () => {
  const path = await createWaiting('captures');
  const on = await admin.another({ policy: PRODUCTION });
  const act = { actor: 'test', reason: null, at: NOW, realAt: admin.clock.real };
  const issued = await issueKey(admin.db, { name: 'resolver', role: 'admin', holder: 'Ada Byron', scopes: [] }, act);
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  const asked = (body: unknown) => admin.call('POST', path, { on, key: issued.key, body });
  expect((await asked(FAILED)).json()).toMatchObject({ code: 'approval_required' });
  expect((await getCapture(admin.db, idIn(path)))?.state).toBe('ordered');
  await resolve(path, FAILED);
  const late = await asked({ outcome: 'successful', evidence: 'after all', captureId: 'cpt_11' });
  expect(late.json()).toMatchObject({ code: 'state_conflict' });
  await on.close();
});
