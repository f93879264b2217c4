import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { HOUR } from '../../src/domain/time';
import {
  applyChange,
  applyPaymentChange,
  openReleaseItem,
  markOrphaned,
  type SubjectRef,
  unmarkOrphaned,
} from '../../src/ledger';
import { createCollected } from '../ledger/refund-fixture';
import { emptyLedger } from '../support/empty-ledger';
import { type AdminUnderTest, NOW, startAdmin } from './admin-under-test';
import { createAuthorized, eur } from './payment-order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(async () => {
  await emptyLedger(admin.db);
  admin.clock.business = NOW;
});
afterAll(() => admin.stop());

interface Item {
  subscriptionId: string | null;
  paymentId: string;
}

async function createOrphaned(): Promise<PaymentId> {
  const paymentId = await createAuthorized(admin);
  await markOrphaned(admin.db, subjectOf(paymentId), NOW + HOUR);
  return paymentId;
}

const subjectOf = (paymentId: PaymentId): SubjectRef => ({ kind: 'payment', id: paymentId });

async function createUnresolved(): Promise<SubscriptionId> {
  const { subscriptionId } = await createCollected(admin.db);
  const change = { key: 'unresolved', at: NOW, actor: 'test', events: [] };
  await applyChange(admin.db, { subscriptionId, ...change, subscription: { attention: ['unresolved:0'] } });
  return subscriptionId;
}

async function page(limit: number, cursor: string | null): Promise<{ items: Item[]; nextCursor: string | null }> {
  const behind = cursor === null ? '' : `&cursor=${cursor}`;
  return (await admin.call('GET', `/v1/attention?limit=${limit}${behind}`, { role: 'viewer' })).json();
}

test('a one-time payment without a workflow is an attention item with instructions until it has one', async () => {
  const paymentId = await createOrphaned();
  expect((await page(10, null)).items).toEqual([
    {
      item: expect.stringMatching(/^att_/),
      kind: 'orphaned',
      subscriptionId: null,
      paymentId,
      payer: {},
      status: 'authorized',
      amount: eur(10_000),
      since: '2027-01-31T13:00:00.000Z',
      deadline: '2027-02-07T12:00:00.000Z',
      ledger: { state: 'authorized' },
      service: { state: 'consent successful', at: expect.any(String) },
      assignee: null,
      note: null,
      cycle: null,
      title: 'No workflow is running',
      explanation: expect.stringContaining('then restart the workflow'),
      recommended: {
        method: 'POST',
        path: `/v1/payments/${encodeURIComponent(paymentId)}/restart`,
        body: { reason: expect.stringMatching(/^attention item att_/) },
      },
      evidence: [
        { what: 'state', ledger: 'authorized', service: 'consent successful', differs: false },
        { what: 'at', ledger: null, service: expect.any(String), differs: false },
      ],
      related: [],
    },
  ]);
  await unmarkOrphaned(admin.db, subjectOf(paymentId), NOW);
  expect((await page(10, null)).items).toEqual([]);
});

test('a release that the service does not make is an attention item with the records of ledger and service', async () => {
  const paymentId = await createAuthorized(admin);
  await openReleaseItem(admin.db, { paymentId, serviceState: 'successful', reason: 'DELETE: refused', at: NOW });
  const id = `auth-${paymentId}`;
  expect((await page(10, null)).items).toMatchObject([
    {
      kind: 'release_unresolved',
      paymentId,
      amount: eur(10_000),
      deadline: '2027-02-07T12:00:00.000Z',
      ledger: { state: 'successful', id, detail: 'DELETE: refused' },
      service: { state: 'successful', id },
      explanation: expect.stringContaining('until the deadline'),
      recommended: null,
    },
  ]);
  await applyPaymentChange(admin.db, { paymentId, at: NOW, patch: { releasedAt: NOW } });
  expect((await page(10, null)).items).toEqual([]);
});

test.each([1, 2, 3, 200])(
  'the attention list has each subscription and each payment once, newest first, in pages of %i',
  async (limit) => {
    const waiting: string[] = [];
    const payments: string[] = [];
    for (let each = 0; each < 6; each += 1) {
      admin.clock.business += HOUR;
      if (each % 2 === 0) payments.unshift(await createOrphaned());
      else waiting.push(await createUnresolved());
    }
    const seen: Item[] = [];
    let cursor: string | null = null;
    do {
      const { items, nextCursor } = await page(limit, cursor);
      expect(items.length).toBeLessThanOrEqual(limit);
      seen.push(...items);
      cursor = nextCursor;
    } while (cursor !== null);
    const ids = seen.map(({ subscriptionId, paymentId }) => subscriptionId ?? paymentId);
    expect([...ids].sort()).toEqual([...waiting, ...payments].sort());
    expect(ids.filter((id) => payments.includes(id))).toEqual(payments);
  },
);
