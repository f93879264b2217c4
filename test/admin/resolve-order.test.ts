import type { OrderId } from '../../src/domain/ids';
import { awaitPerson, getCapture, getRefund } from '../../src/ledger';
import { issueKey } from '../../src/admin/keys/key-ring';
import { type AdminUnderTest, faultPaths, NOW, PRODUCTION, startAdmin } from './admin-under-test';
import { authorized, booked, BOTH_FLAGS, created, eur, pathOf } from './payment-order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const FAILED = { outcome: 'failed', evidence: 'the operator has none' };
let keys = 0;

/** Ordered, and for a person to resolve. */
async function waiting(kind: 'captures' | 'refunds'): Promise<string> {
  const paymentId = kind === 'captures' ? await authorized(admin, BOTH_FLAGS) : await booked(admin, 100);
  const idempotencyKey = `resolve-${(keys += 1)}`;
  const answer = await admin.call('POST', `${pathOf(paymentId)}/${kind}`, { body: { amount: eur(5) }, idempotencyKey });
  const { orderId, refundId } = created(answer) as unknown as { orderId?: string; refundId?: string };
  const id = (orderId ?? refundId)!;
  await awaitPerson(admin.db, id as OrderId, 'the service lists another', NOW);
  return `/v1/${kind}/${id}/resolve`;
}

const resolve = (path: string, body: unknown, role: 'admin' | 'operator' = 'admin') =>
  admin.call('POST', path, { body, role });
const idIn = (path: string) => path.split('/')[3] as OrderId;

test('a capture that was made is answered with the id that the service has for it', async () => {
  const path = await waiting('captures');
  const answer = await resolve(path, { outcome: 'successful', evidence: 'bank statement', serviceId: 'cpt_9' });
  expect([answer.statusCode, answer.json()]).toMatchObject([
    200,
    { orderId: idIn(path), status: 'successful', captureId: 'cpt_9' },
  ]);
});

test('a refund that was never made has failed', async () => {
  const path = await waiting('refunds');
  const answer = await resolve(path, FAILED);
  expect([answer.statusCode, answer.json()]).toMatchObject([
    200,
    { refundId: idIn(path), status: 'failed', detail: 'RESOLVED_AS_FAILED' },
  ]);
  expect((await getRefund(admin.db, idIn(path)))?.state).toBe('failed');
});

test('one that waits for no person is refused, and named as what it is', async () => {
  const path = await waiting('captures');
  await resolve(path, FAILED);
  const answer = await resolve(path, { outcome: 'successful', evidence: 'after all', serviceId: 'cpt_10' });
  expect([answer.statusCode, answer.json()]).toMatchObject([
    409,
    { code: 'state_conflict', detail: 'The capture is failed and waits for no person.' },
  ]);
  expect((await getCapture(admin.db, idIn(path)))?.state).toBe('failed');
});

test.each([
  ['captures', '/v1/captures/ref_1/resolve'],
  ['refunds', '/v1/refunds/cap_1/resolve'],
])('what is none of the %s is not found', async (_kind, path) => {
  expect((await resolve(path, FAILED)).statusCode).toBe(404);
});

test.each([
  [{}, ['evidence', 'outcome']],
  [{ ...FAILED, outcome: 'perhaps' }, ['outcome']],
  [{ ...FAILED, evidence: ' ' }, ['evidence']],
  [{ ...FAILED, evidence: 'x'.repeat(501) }, ['evidence']],
  [{ ...FAILED, outcome: 'successful' }, ['serviceId']],
  [{ ...FAILED, serviceId: 'cpt_1' }, ['serviceId']],
  [{ ...FAILED, surprise: 1 }, ['surprise']],
])('%j is refused with every fault', async (body, paths) => {
  const answer = await resolve('/v1/captures/cap_1/resolve', body);
  expect([answer.statusCode, faultPaths(answer).sort()]).toEqual([400, paths]);
});

test('only an admin may', async () => {
  const path = await waiting('refunds');
  expect((await resolve(path, FAILED, 'operator')).statusCode).toBe(403);
});

test('a second person approves it first, in production, where nothing else speaks against it', async () => {
  const path = await waiting('captures');
  const on = await admin.another({ policy: PRODUCTION });
  const act = { actor: 'test', reason: null, at: NOW, realAt: admin.clock.real };
  const issued = await issueKey(admin.db, { name: 'resolver', role: 'admin', holder: 'Ada Byron', scopes: [] }, act);
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  const asked = (body: unknown) => admin.call('POST', path, { on, key: issued.key, body });
  expect((await asked(FAILED)).json()).toMatchObject({ code: 'approval_required' });
  expect((await getCapture(admin.db, idIn(path)))?.state).toBe('ordered');
  await resolve(path, FAILED);
  const late = await asked({ outcome: 'successful', evidence: 'after all', serviceId: 'cpt_11' });
  expect(late.json()).toMatchObject({ code: 'state_conflict' });
  await on.close();
});
