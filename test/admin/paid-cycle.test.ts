import { randomUUID } from 'node:crypto';
import type { AuthorizationId, CaptureId, PaymentId, SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { DAY, HOUR, toIso } from '../../src/domain/time';
import {
  adoptAuthorization,
  applyChange,
  getCycle,
  getSubscription,
  listAttention,
  listEvents,
  openContradiction,
  readState,
  recordOutcome,
} from '../../src/ledger';
import { type AdminUnderTest, faultPaths, NOW, startAdmin } from './admin-under-test';
import { createLink, payLink } from '../ledger/link-fixture';
import { order } from './order';

/** An operator decides which of two cycles an adopted debit, which another system made, has paid (rule 40). */

let admin: AdminUnderTest;
beforeAll(async () => (admin = await startAdmin()));
beforeEach(() => {
  admin.clock.business = NOW + HOUR;
  admin.workflows.steered.splice(0);
  admin.workflows.notified.splice(0);
});
afterAll(() => admin.stop());

const AMOUNT = euros(1999);
const DUE = NOW;
const COLLECT_BY = NOW + 5 * DAY;

interface Adopted {
  readonly id: SubscriptionId;
  readonly authorizationId: AuthorizationId;
  readonly captureId: CaptureId;
}

/** Creates a subscription whose cycle 0 has ended, and whose cycle 1 has adopted a debit that another system made. */
async function createAdopted(
  previous: 'failed' | 'missed' | 'collected' = 'failed',
  before: (id: SubscriptionId, paymentId: PaymentId) => Promise<unknown> = async () => undefined,
): Promise<Adopted> {
  const id = `sub_${randomUUID()}` as SubscriptionId;
  const [authorizationId, captureId] = [`aut-${id}` as AuthorizationId, `cap-${id}` as CaptureId];
  const paymentId = `pay_${id}` as PaymentId;
  admin.clock.business = NOW - 60 * DAY;
  const asked = order({
    ...{ subscriptionId: id, amount: AMOUNT, repetition: 'MONTHLY' },
    startAt: toIso(DUE - 31 * DAY),
    firstPaymentAt: toIso(DUE - 31 * DAY),
  });
  expect((await admin.call('POST', '/v1/subscriptions', { body: asked })).statusCode).toBe(201);
  admin.clock.business = NOW + HOUR;
  const due = DUE - 31 * DAY;
  await put(id, 'first', {
    subscription: { status: 'active', pastDue: previous !== 'collected' },
    cycle: { cycle: 0, dueAt: due, collectBy: due + 5 * DAY, amount: AMOUNT, status: previous },
  });
  await before(id, paymentId);
  const at = { enteredAt: NOW, realAt: admin.clock.realNow(), owner: 'worker-1' };
  const place = { subscriptionId: id, paymentId, cycle: 1, attempt: 0, dueAt: DUE, collectBy: COLLECT_BY };
  const taken = await adoptAuthorization(admin.db, {
    ...{ ...place, ...at, amount: AMOUNT, authorizationId },
    createdAt: DUE - 66 * HOUR,
  });
  if (taken.kind !== 'adopted') throw new Error(taken.kind);
  const outcome = { state: 'successful', authorizationId, captureId, createdAt: DUE - 66 * HOUR } as const;
  await recordOutcome(admin.db, taken.send, { ...outcome, nextDueAt: DUE + 28 * DAY }, NOW, {
    type: 'attempt.successful',
    data: {},
  });
  return { id, authorizationId, captureId };
}

function put(id: SubscriptionId, key: string, change: object) {
  return applyChange(admin.db, { subscriptionId: id, key, at: NOW, actor: 'test', events: [], ...change });
}

function resolve({ id }: Pick<Adopted, 'id'>, body: object, cycle = 1, role: 'admin' | 'operator' = 'admin') {
  return admin.call('POST', `/v1/subscriptions/${id}/cycles/${cycle}/resolve`, {
    body: { evidence: 'asked the old provider', ...body },
    role,
  });
}

const PREVIOUS = { outcome: 'failed', paidCycle: 0 };

function refund({ id }: Adopted, cycle: number) {
  const url = `/v1/subscriptions/${id}/cycles/${cycle}/refunds`;
  return admin.call('POST', url, { body: { amount: euros(500) }, idempotencyKey: randomUUID() });
}

async function items(id: SubscriptionId) {
  const { items: open } = await listAttention(admin.db, { kind: 'contradiction' }, { limit: 200, cursor: null });
  return open.filter((each) => each.subscriptionId === id);
}

async function auditEntriesOf(id: SubscriptionId) {
  const { items: events } = await listEvents(admin.db, { subscriptionId: id }, { limit: 200, cursor: null });
  return events;
}

test('an adopted debit that is resolved as that of its own cycle stays recorded, and its item closes', async () => {
  const debit = await createAdopted();
  expect(await items(debit.id)).toHaveLength(1);
  const answer = await resolve(debit, { outcome: 'collected' });
  expect([answer.statusCode, answer.json()]).toMatchObject([
    200,
    { cycle: 1, status: 'collected', attempts: [{ adopted: true, outcome: 'successful' }] },
  ]);
  expect(await items(debit.id)).toEqual([]);
  expect(admin.workflows.steered).toEqual([]);
  expect((await auditEntriesOf(debit.id)).map(({ type }) => type)).toContain('cycle.resolved');
});

test.each(['failed', 'missed'] as const)(
  'resolving an adopted debit as that of the previous cycle, which is %s, collects that cycle',
  async (status) => {
    const debit = await createAdopted(status);
    const answer = await resolve(debit, PREVIOUS);
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { cycle: 1, status: 'scheduled' }]);
    const { db } = admin;
    expect(await getCycle(db, debit.id, 0)).toMatchObject({
      status: 'collected',
      // The time of the debit, not of the resolution about three days later.
      collectedAt: DUE - 66 * HOUR,
      attempts: [
        { adopted: true, state: 'successful', authorizationId: debit.authorizationId, captureId: debit.captureId },
      ],
    });
    expect(await getCycle(db, debit.id, 1)).toMatchObject({
      collectedAt: null,
      attempts: [{ adopted: true, state: 'rejected', authorizationId: null, captureId: null }],
    });
    expect(await getSubscription(db, debit.id)).toMatchObject({ cyclesCollected: 1, pastDue: false, nextDueAt: DUE });
    expect(await items(debit.id)).toEqual([]);
    const events = await auditEntriesOf(debit.id);
    expect(events.filter(({ type }) => type === 'cycle.resolved')).toMatchObject([
      { data: { cycle: 1, outcome: 'failed', paidCycle: 0, authorizationId: debit.authorizationId } },
    ]);
    expect(events.filter(({ type, data }) => type === 'cycle.collected' && data['cycle'] === 0)).toMatchObject([
      { data: { late: true, adopted: true, captureId: debit.captureId } },
    ]);
    const notified = admin.workflows.notified.filter(({ id }) => id === debit.id);
    expect(notified).toMatchObject([{ revision: expect.any(Number) as number }]);
  },
);

test('an adopted debit resolved as that of a cycle that was also paid by a link opens an item about a second debit', async () => {
  const debit = await createAdopted('failed', async (subscriptionId, paymentId) => {
    const link = await createLink(admin.db, { subscriptionId, paymentId, payerId: '' }, { createdAt: NOW - HOUR });
    await payLink(admin.db, link, NOW - HOUR);
  });
  expect((await resolve(debit, PREVIOUS)).statusCode).toBe(200);
  expect(await getCycle(admin.db, debit.id, 0)).toMatchObject({ status: 'collected' });
  expect(await items(debit.id)).toMatchObject([{ cycle: 0, amount: AMOUNT }]);
});

test('a cycle whose adopted debit paid the previous cycle is then collected itself, from its first attempt on', async () => {
  const debit = await createAdopted();
  await resolve(debit, PREVIOUS);
  expect(await readState(admin.db, debit.id, NOW + HOUR)).toMatchObject({ cycle: 1, open: null, pending: [] });
});

test('a cycle whose adopted debit paid the previous cycle is missed if its window has closed', async () => {
  const debit = await createAdopted();
  admin.clock.business = COLLECT_BY;
  expect((await resolve(debit, PREVIOUS)).json()).toMatchObject({ cycle: 1, status: 'missed' });
  expect(await getSubscription(admin.db, debit.id)).toMatchObject({ cyclesCollected: 1, pastDue: true });
  expect((await auditEntriesOf(debit.id)).map(({ type }) => type)).toContain('cycle.missed');
});

test('an adopted debit that paid the previous cycle can be refunded as that of the previous cycle only', async () => {
  const debit = await createAdopted();
  await resolve(debit, PREVIOUS);
  expect((await refund(debit, 0)).json()).toMatchObject({ captureId: debit.captureId });
  expect((await refund(debit, 1)).statusCode).toBe(409);
});

test.each([
  [
    'with its own cycle as paidCycle',
    { outcome: 'failed', paidCycle: 1 },
    'expected 0, the cycle before cycle 1; got 1',
  ],
  [
    'with a later cycle as paidCycle',
    { outcome: 'failed', paidCycle: 2 },
    'expected 0, the cycle before cycle 1; got 2',
  ],
  [
    'as collected with a paidCycle',
    { outcome: 'collected', paidCycle: 0 },
    'not allowed with outcome "collected"; got 0',
  ],
  [
    'as failed without a paidCycle',
    { outcome: 'failed' },
    'expected 0: the debit of cycle 1 was made by another system',
  ],
])('resolving an adopted debit %s is refused, naming the field', async (_, body, message) => {
  const answer = await resolve(await createAdopted(), body);
  expect([answer.statusCode, faultPaths(answer)]).toEqual([400, ['paidCycle']]);
  expect(answer.body.replaceAll('\\"', '"')).toContain(message);
});

test.each([
  ['if that cycle is collected', () => createAdopted('collected'), 'no open attention item asks which cycle'],
  [
    'once the next cycle has started',
    async () => {
      const debit = await createAdopted();
      const cycle = { cycle: 2, dueAt: NOW + 1, collectBy: NOW + DAY, amount: AMOUNT, status: 'collecting' };
      await put(debit.id, 'later', { cycle });
      return debit;
    },
    'cycle 2 has started',
  ],
  [
    'a second time, with other evidence',
    async () => {
      const debit = await createAdopted();
      await resolve(debit, { ...PREVIOUS, evidence: 'another letter' });
      return debit;
    },
    'cycle 1 has no debit made by another system',
  ],
  [
    'after a refund of the debit',
    async () => {
      const debit = await createAdopted();
      expect((await refund(debit, 1)).statusCode).toBe(201);
      return debit;
    },
    'a refund of capture',
  ],
])('resolving an adopted debit as that of the previous cycle %s is a conflict', async (_, prepare, message) => {
  const debit = await prepare();
  const before = await getCycle(admin.db, debit.id, 0);
  const answer = await resolve(debit, PREVIOUS);
  expect([answer.statusCode, answer.json()]).toMatchObject([
    409,
    { code: 'state_conflict', detail: expect.stringContaining(message) as string },
  ]);
  expect(await getCycle(admin.db, debit.id, 0)).toEqual(before);
});

test.each([
  ['paid the previous cycle', PREVIOUS],
  ['paid its own cycle', { outcome: 'collected' }],
])(
  'resolving that an adopted debit %s returns the same response when it is repeated, and changes nothing more',
  async (_, finding) => {
    const debit = await createAdopted();
    const first = await resolve(debit, finding);
    const events = await auditEntriesOf(debit.id);
    const repeated = await resolve(debit, finding);
    expect([repeated.statusCode, repeated.json()]).toEqual([200, first.json()]);
    expect(await auditEntriesOf(debit.id)).toEqual(events);
  },
);

test('repeating the resolution of an adopted debit after a new contradiction closes the item of the contradiction, too', async () => {
  const debit = await createAdopted();
  await resolve(debit, { outcome: 'collected' });
  const side = { state: 'successful', at: NOW };
  const about = { subscriptionId: debit.id, paymentId: `pay_${debit.id}` as PaymentId, cycle: 1, amount: AMOUNT };
  const found = { ...about, authorizationId: debit.authorizationId, ledger: side, service: side, detail: 'again' };
  await openContradiction(admin.db, found, NOW);
  expect((await resolve(debit, { outcome: 'collected' })).statusCode).toBe(200);
  expect(await items(debit.id)).toEqual([]);
  const events = await auditEntriesOf(debit.id);
  expect(events.filter(({ type }) => type === 'cycle.resolved')).toHaveLength(2);
});

test('only an admin may resolve which cycle an adopted debit paid', async () => {
  expect((await resolve(await createAdopted(), PREVIOUS, 1, 'operator')).statusCode).toBe(403);
});

test('the database refuses a plain update of an adopted debit from successful to rejected', async () => {
  const debit = await createAdopted();
  const take = (detail: string) =>
    admin.db.query(
      `update attempts set state = 'rejected', authorization_id = null, capture_id = null, detail = $2, evidence = 'x',
         resolved_by = 'x' where subscription_id = $1 and cycle = 1`,
      [debit.id, detail],
    );
  await expect(take('PAID_PREVIOUS_CYCLE')).rejects.toThrow('successful to rejected is refused');
  await expect(take('OTHER')).rejects.toThrow('successful to rejected is refused');
});
