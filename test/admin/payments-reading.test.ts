import type { AuthorizationId } from '../../src/domain/ids';
import { DAY } from '../../src/domain/time';
import { applyPaymentChange, insertPaymentDraft } from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import { type AdminUnderTest, eachItems, faultPaths, NOW, startAdmin } from './admin-under-test';
import { address } from './order';
import { createAuthorized, createBooked, eur, createOpened, pathOf } from './payment-order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(async () => {
  await emptyLedger(admin.db);
  admin.payments.created.splice(0);
  admin.payments.onCreate = (draft) => admin.payments.open(draft);
  admin.clock.business = NOW;
});
afterAll(() => admin.stop());

const read = (url: string) => admin.call('GET', url, { role: 'viewer' });
const list = async (query = '') => eachItems(await read(`/v1/payments${query}`), 'paymentId');

test('a payment shows its authorization, its remaining amount, and until when it may be captured', async () => {
  const paymentId = await createAuthorized(admin, { timeToCapture: 86_400 });
  const answer = await read(pathOf(paymentId));
  expect(answer.json()).toMatchObject({
    status: 'authorized',
    remaining: eur(10_000),
    captureBy: '2027-02-01T12:00:00.000Z',
    consent: { status: 'successful' },
    authorizations: [
      {
        authorizationId: `auth-${paymentId}`,
        amount: eur(10_000),
        status: 'successful',
        createdAt: '2027-01-31T12:00:00.000Z',
      },
    ],
  });
  expect(answer.json().consent).not.toHaveProperty('redirectURL');
  for (const absent of ['releasedAt', 'expiredAt', 'merchantCategoryCode']) {
    expect(answer.json()).not.toHaveProperty(absent);
  }
});

test('a payment that the bank has refused shows why', async () => {
  const { paymentId } = await createOpened(admin, { plan: 'SINGLE' });
  const refused = { detail: 'AUTHORIZATION_REJECTED', description: 'not enough money' };
  const authorization = { authorizationId: 'a' as AuthorizationId, state: 'failed', createdAt: NOW } as const;
  const consent = { status: 'successful', reason: null } as const;
  const patch = { consent, authorization: { ...authorization, ...refused } };
  await applyPaymentChange(admin.db, { paymentId, at: NOW, patch });
  const answer = (await read(pathOf(paymentId))).json();
  expect(answer).toMatchObject({ status: 'failed', authorizations: [{ status: 'failed', ...refused }] });
  expect(answer.remaining).toEqual(eur(0));
  expect(answer).not.toHaveProperty('captureBy');
});

test('a Single Immediate payment leaves nothing to capture, also before the service has booked it', async () => {
  const paymentId = await createAuthorized(admin, { plan: 'SINGLE', amount: eur(1999) });
  expect((await read(pathOf(paymentId))).json()).toMatchObject({ status: 'authorized', remaining: eur(0) });
});

test('a Single Immediate payment shows what the service has booked by itself', async () => {
  const paymentId = await createBooked(admin, 1999);
  expect((await read(pathOf(paymentId))).json()).toMatchObject({
    status: 'captured',
    timeToCapture: null,
    remaining: eur(0),
    captures: [
      {
        captureId: `booked-${paymentId}`,
        amount: eur(1999),
        status: 'successful',
        finalCapture: true,
        createdAt: '2027-01-31T12:00:00.000Z',
      },
    ],
  });
});

test.each(['nobody', 'pay_0'])('a payment with the id %s is not found, nor are its audit entries', async (id) => {
  expect((await read(`/v1/payments/${id}`)).json()).toMatchObject({ status: 404, code: 'not_found' });
  expect((await read(`/v1/payments/${id}/events`)).json()).toMatchObject({ status: 404, code: 'not_found' });
});

test('a payment that is a draft is not found', async () => {
  admin.payments.onCreate = async (draft) => {
    await insertPaymentDraft(admin.db, draft, 0);
    return { kind: 'not_ready' };
  };
  await expect(createOpened(admin)).rejects.toThrow('503');
  const { requestId } = admin.payments.created[0]!;
  expect((await read(`/v1/payments/${requestId}`)).statusCode).toBe(404);
  expect(await list()).toEqual([]);
});

test('the list of payments is newest first, in pages without gaps or overlaps', async () => {
  const made: unknown[] = [];
  for (let day = 0; day < 5; day += 1) {
    admin.clock.business = NOW + Math.floor(day / 2) * DAY;
    made.push((await createOpened(admin)).paymentId);
  }
  const all = await list();
  expect(all).toHaveLength(5);
  expect(all[0]).toBe(made[4]);
  expect([...all].sort()).toEqual([...made].sort());
  const paged: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await read(`/v1/payments?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    paged.push(...eachItems(page, 'paymentId'));
    cursor = page.json<{ nextCursor: string | null }>().nextCursor;
  }
  expect(paged).toEqual(all);
});

test('the list of payments can be filtered by plan, by status, or by both', async () => {
  const pending = (await createOpened(admin)).paymentId;
  const single = await createBooked(admin, 1999);
  const waiting = await createAuthorized(admin);
  expect(await list('?plan=SINGLE')).toEqual([single]);
  expect(await list('?status=pending_consent')).toEqual([pending]);
  expect(await list('?plan=EVENT_DEPENDENT&status=authorized')).toEqual([waiting]);
  expect(await list('?plan=SINGLE&status=authorized')).toEqual([]);
});

test('the list of payments can be searched by words of the ids and of the payer', async () => {
  const { paymentId } = await createOpened(admin, { billingAddress: address({ name: 'Jörg Käufer' }) });
  await createOpened(admin);
  const found = (q: string) => list(`?q=${encodeURIComponent(q)}`);
  expect(await found('KÄUFER jörg')).toEqual([paymentId]);
  expect(await found(paymentId)).toEqual([paymentId]);
  expect(await found(`' or %`)).toEqual([]);
  expect(await list('?q=jörg&plan=SINGLE')).toEqual([]);
});

test.each([
  ['plan=SUBSCRIPTION', 'plan'],
  ['status=active', 'status'],
  ['limit=0', 'limit'],
  ['limit=201', 'limit'],
  ['cursor=WzFd', 'cursor'],
  ['q=%00', 'q'],
  [`q=${'a'.repeat(201)}`, 'q'],
])('the list of payments with %s is refused', async (query, path) => {
  expect(faultPaths(await read(`/v1/payments?${query}`))).toEqual([path]);
});

test('the audit log of a payment has only the entries of this payment, newest first', async () => {
  const { paymentId } = await createOpened(admin);
  await createOpened(admin);
  const answer = await read(`${pathOf(paymentId)}/events`);
  expect(eachItems(answer, 'type')).toEqual(['consent.requested', 'payment.requested']);
  expect(answer.json().items[1]).toMatchObject({ actor: 'admin of the shop', text: expect.any(String) });
  expect(answer.json().items[1].text).not.toBe('');
  const first = await read(`${pathOf(paymentId)}/events?limit=1`);
  const second = await read(`${pathOf(paymentId)}/events?limit=1&cursor=${first.json().nextCursor}`);
  expect(eachItems(second, 'type')).toEqual(['payment.requested']);
  expect(second.json().nextCursor).toBeNull();
});

test('the complete audit log names the payment of each entry that has one, and can be filtered by payment', async () => {
  const { paymentId } = await createOpened(admin);
  await createOpened(admin);
  const own = await read(`/v1/audit?paymentId=${encodeURIComponent(paymentId)}`);
  expect(own.json().items).toMatchObject(Array(2).fill({ paymentId, subscriptionId: null }));
  const ofKeys = await read('/v1/audit?type=key.created');
  expect(ofKeys.json().items[0]).not.toHaveProperty('paymentId');
  expect(faultPaths(await read('/v1/audit?paymentId='))).toEqual(['paymentId']);
});
