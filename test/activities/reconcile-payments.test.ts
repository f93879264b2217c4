import { randomUUID } from 'node:crypto';
import { createActivities, type Dependencies } from '../../activities';
import type { ReconcileInput } from '../../src/contract/housekeeping';
import { CONSENT_SESSION } from '../../src/domain/subscription/state';
import type { AuthorizationId, OrderId, PaymentId } from '../../src/domain/ids';
import { DAY, SECOND } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import {
  beginOrderSend,
  type DifferenceRecord,
  getPaymentOfRequest,
  listDifferences,
  listEvents,
  orderRelease,
} from '../../src/ledger';
import type { Authorization, PaymentService } from '../../src/payment-service';
import { BOOKING, useWorld, type World } from './activity-world';
import { listing, lists, listsEach, listsNothing } from './listing';
import {
  createAuthorized,
  capture,
  decide,
  draftPayment,
  onRecord,
  orderedCapture,
  orderedPaymentRefund,
  release,
  createRequested,
  SINGLE,
} from './payment-world';
import { createCollected, refund } from './refund-world';

const holder = useWorld();

const EVER = { from: 0, to: Date.parse('2099-01-01T00:00:00.000Z') };

interface Compared {
  readonly payments: number;
  readonly found: readonly DifferenceRecord[];
}

async function run(
  world: World,
  changes: Partial<ReconcileInput> = {},
  deps: Partial<Dependencies> = {},
): Promise<Compared> {
  const runId = randomUUID();
  const input = { runId, period: EVER, actor: 'till', timeout: 10 * SECOND, announce: false, ...changes };
  const activities = createActivities({ ...world.deps, ...deps });
  const { result } = await world.driver.drive(() => activities.reconcileLedger(input));
  if (result.kind !== 'compared') throw new Error(`not compared: ${JSON.stringify(result)}`);
  const { items: found } = await listDifferences(world.deps.ledger, runId, { limit: 100, cursor: null });
  expect(result.differences).toBe(found.length);
  return { payments: result.payments, found };
}

const compare = async (world: World, service?: PaymentService) =>
  (await run(world, {}, service === undefined ? {} : { service })).found;
const kindsOf = (found: readonly DifferenceRecord[]) => found.map(({ kind }) => kind);

/** Makes a capture as another program with the same credentials would. */
async function captureOutsideDueday(world: World, paymentId: PaymentId, cents: number): Promise<void> {
  const made = await world.deps.service.capture(paymentId, { amount: euros(cents), finalCapture: false });
  expect(made.kind).toBe('accepted');
  world.clock.pass(2 * BOOKING);
}

/** Writes the row that precedes a POST, as a worker that dies right after it would. */
async function startSend(world: World, orderId: OrderId): Promise<void> {
  const { ledger, clock } = world.deps;
  const input = { orderId, at: clock.now(), realAt: clock.realNow(), knownIds: [], owner: 'gone' };
  expect((await beginOrderSend(ledger, input)).kind).toBe('started');
}

test('a comparison finds no difference in one-time payments without orders, or in a subscription next to them', async () => {
  const { world } = holder;
  await createCollected(world);
  await createRequested(world);
  await createAuthorized(world);
  await createAuthorized(world, SINGLE);
  await createAuthorized(world, SINGLE, 'final-rejection');
  await createAuthorized(world, SINGLE, 'capture-fails');
  await draftPayment(world);
  expect(await run(world)).toEqual({ payments: 6, found: [] });
});

test('a comparison finds no difference in one-time payments with captures, a failed capture and a refund', async () => {
  const { world } = holder;
  const several = await createAuthorized(world);
  await capture(world, await orderedCapture(world, several, 3_000));
  await capture(world, await orderedCapture(world, several, 2_000, true));
  const failing = await createAuthorized(world, {}, 'capture-fails');
  expect((await capture(world, await orderedCapture(world, failing, 500))).result.kind).toBe('failed');
  const single = await createAuthorized(world, SINGLE);
  await refund(world, await orderedPaymentRefund(world, single, 400));
  expect(await run(world)).toEqual({ payments: 3, found: [] });
});

test('a comparison finds no difference in one-time payments after a release or a deadline, whether or not the ledger has recorded the expiry', async () => {
  const { world } = holder;
  const released = await createAuthorized(world);
  const order = { paymentId: released.paymentId, reason: null, actor: 'till', at: world.clock.now() };
  await orderRelease(world.deps.ledger, order);
  await release(world, released);
  const [expired, late] = [await createAuthorized(world), await createAuthorized(world)];
  world.clock.pass(8 * DAY);
  await decide(world, expired);
  expect((await onRecord(world, late.paymentId)).expiredAt).toBeNull();
  expect(await run(world)).toEqual({ payments: 3, found: [] });
});

test('a comparison finds no difference in a one-time payment whose new debit the ledger does not have yet', async () => {
  const { world } = holder;
  const { paymentId } = await createRequested(world, SINGLE);
  world.sandbox.payer(paymentId).approve();
  world.clock.pass(3 * BOOKING);
  expect(world.debits({ paymentId })).toHaveLength(1);
  expect(await compare(world)).toEqual([]);
});

test('a comparison reports the debit of a one-time payment that the ledger still lacks a day after the consent session', async () => {
  const { world } = holder;
  const { paymentId } = await createRequested(world, SINGLE);
  world.sandbox.payer(paymentId).approve();
  world.clock.pass(CONSENT_SESSION + DAY);
  expect(await compare(world)).toMatchObject([{ kind: 'debit_unknown', paymentId }]);
});

test('a comparison reports a capture that was made outside dueday as one difference', async () => {
  const { world } = holder;
  const { paymentId } = await createAuthorized(world);
  await captureOutsideDueday(world, paymentId, 700);
  const [debit] = world.debits({ paymentId });
  expect(await compare(world)).toMatchObject([
    {
      kind: 'debit_unknown',
      subscriptionId: null,
      paymentId,
      cycle: null,
      captureId: debit!.captureId,
      ledger: null,
      service: { state: 'successful', amount: euros(700) },
    },
  ]);
});

test('a comparison explains one capture by an order with an unknown outcome, and reports a second one of the same amount', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  const { orderId } = await orderedCapture(world, reference, 700);
  await startSend(world, orderId);
  await captureOutsideDueday(world, reference.paymentId, 700);
  expect(await compare(world)).toEqual([]);
  await captureOutsideDueday(world, reference.paymentId, 700);
  expect(kindsOf(await compare(world))).toEqual(['debit_unknown']);
});

test('a comparison explains a refund by an order with an unknown outcome, and reports one that was made outside dueday', async () => {
  const { world } = holder;
  const { paymentId } = await createAuthorized(world, SINGLE);
  const { refundId } = await orderedPaymentRefund(world, { paymentId }, 250);
  await startSend(world, refundId);
  const give = async (cents: number) => {
    expect((await world.deps.service.refund(paymentId, { amount: euros(cents) })).kind).toBe('accepted');
    world.clock.pass(2 * BOOKING);
  };
  await give(250);
  expect(await compare(world)).toEqual([]);
  await give(333);
  expect(await compare(world)).toMatchObject([
    { kind: 'refund_unknown', subscriptionId: null, cycle: null, service: { amount: euros(333) } },
  ]);
});

test('a comparison reports an authorization that was released outside dueday', async () => {
  const { world } = holder;
  const { paymentId } = await createAuthorized(world);
  const { authorization } = await onRecord(world, paymentId);
  await world.deps.service.release(paymentId, authorization!.authorizationId);
  expect(await compare(world)).toMatchObject([
    {
      kind: 'authorization_state',
      authorizationId: authorization!.authorizationId,
      ledger: { state: 'successful', amount: euros(10_000) },
      service: { state: 'released' },
    },
  ]);
});

test('a comparison reports a capture as missing if the service does not list it', async () => {
  const { world } = holder;
  const { paymentId } = await createAuthorized(world);
  await capture(world, await orderedCapture(world, { paymentId }, 3_000));
  const [{ captureId } = { captureId: null }] = (await onRecord(world, paymentId)).captures;
  const { service } = listing(world, { captures: listsNothing });
  expect(await compare(world, service)).toMatchObject([
    { kind: 'debit_missing', captureId, ledger: { state: 'successful', amount: euros(3_000) }, service: null },
  ]);
});

test('a comparison reports records that the service lists with another amount or state, or not at all, and records that the ledger lacks', async () => {
  const { world } = holder;
  const { paymentId } = await createAuthorized(world, SINGLE);
  await refund(world, await orderedPaymentRefund(world, { paymentId }, 400));
  const seen = async (changes: Parameters<typeof listing>[1]) =>
    kindsOf(await compare(world, listing(world, changes).service));
  expect(await seen({ authorizations: listsNothing })).toEqual(['authorization_missing']);
  expect(await seen({ captures: listsNothing })).toEqual(['debit_missing']);
  expect(await seen({ refunds: listsNothing })).toEqual(['refund_missing']);
  const one = listsEach({ amount: euros(1) });
  expect(await seen({ authorizations: one, captures: one, refunds: one })).toEqual([
    ...['authorization_amount', 'debit_amount', 'refund_amount'],
  ]);
  const failed = listsEach({ status: 'failed' });
  expect(await seen({ captures: failed, refunds: failed })).toEqual(['debit_state', 'refund_state']);
  const twin = 'aut-twin' as AuthorizationId;
  const twins = lists<Authorization>((all) => all.flatMap((each) => [each, { ...each, authorizationId: twin }]));
  expect(await seen({ authorizations: twins })).toEqual(['authorization_unknown']);
});

test('a comparison reports a one-time payment that cannot be read as not compared', async () => {
  const { world } = holder;
  const { paymentId } = await createAuthorized(world);
  await createCollected(world);
  const service = world.service({
    listCaptures: (id) =>
      id === paymentId ? Promise.resolve({ kind: 'unknown', reason: 'HTTP 500' }) : world.deps.service.listCaptures(id),
  });
  expect(await compare(world, service)).toMatchObject([
    { kind: 'not_compared', subscriptionId: null, paymentId, reason: 'HTTP 500' },
  ]);
});

test('a difference that two daily runs find is written to the audit log of the one-time payment once', async () => {
  const { world } = holder;
  const { paymentId } = await createAuthorized(world);
  await captureOutsideDueday(world, paymentId, 700);
  const at = world.clock.now();
  await run(world, { announce: true });
  world.clock.pass(DAY);
  await run(world, { announce: true });
  const filter = { ofPayment: paymentId, type: 'reconciliation.difference' };
  const { items } = await listEvents(world.deps.ledger, filter, { limit: 10, cursor: null });
  expect(items).toMatchObject([{ at, subscriptionId: null, paymentId, data: { kind: 'debit_unknown' } }]);
});

test('a comparison that is interrupted at a one-time payment continues from that payment', async () => {
  const { world } = holder;
  const subscribed = await createCollected(world);
  const payments = [await createAuthorized(world), await createAuthorized(world), await createAuthorized(world)];
  const records = await Promise.all(payments.map(({ paymentId }) => onRecord(world, paymentId)));
  const [first, second, third] = records
    .sort((one, other) => (one.requestId < other.requestId ? -1 : 1))
    .map(({ paymentId }) => paymentId);
  const asked: string[] = [];
  const service = world.service({
    async listAuthorizations(id) {
      asked.push(id);
      const isRefused = id === second && asked.filter((each) => each === id).length === 1;
      return isRefused ? { kind: 'not_sent', reason: 'connection refused' } : world.deps.service.listAuthorizations(id);
    },
  });
  expect(await run(world, {}, { service })).toEqual({ payments: 4, found: [] });
  expect(asked.slice(0, 4).toSorted()).toEqual([subscribed.paymentId, first, second, third].toSorted());
  expect(asked.slice(4).toSorted()).toEqual([second, third].toSorted());
});

test('drafts of one-time payments are removed with their payers after two days, and counted with those of subscriptions', async () => {
  const { world } = holder;
  const left = await draftPayment(world);
  await world.draft();
  const draftedAt = world.clock.realNow();
  const { paymentId } = await createRequested(world);
  const remove = async () => (await world.driver.drive(() => createActivities(world.deps).removeLeftovers())).result;
  const payers = async () => (await world.deps.ledger.query('select from payers')).rows.length;
  world.clock.passUntilReal(draftedAt + 2 * DAY);
  expect([await remove(), await payers()]).toEqual([
    { kind: 'done', words: '0 drafts and 0 old reconciliations removed' },
    3,
  ]);
  world.clock.pass(1);
  expect([await remove(), await payers()]).toEqual([
    { kind: 'done', words: '2 drafts and 0 old reconciliations removed' },
    1,
  ]);
  expect(await getPaymentOfRequest(world.deps.ledger, left)).toBeNull();
  expect((await onRecord(world, paymentId)).status).toBe('pending_consent');
});
