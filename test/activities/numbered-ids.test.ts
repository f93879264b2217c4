import { randomUUID } from 'node:crypto';
import { createActivities } from '../../activities';
import { DAY, SECOND } from '../../src/domain/time';
import { listDifferences } from '../../src/ledger';
import { type Subscribed, useWorld, type World } from './activity-world';
import {
  createAuthorized,
  capture,
  onRecord,
  orderedCapture,
  orderedPaymentRefund,
  orderSends,
  SINGLE,
} from './payment-world';
import { placeRefund, refund, refundPosts } from './refund-world';

/** The service numbers the authorizations, captures and refunds of each payment 1, 2, … (rule 34). */
const holder = useWorld({ sandbox: { numberedIds: true, eventDependentRefunds: true } });

const EVER = { from: 0, to: Date.parse('2099-01-01T00:00:00.000Z') };

async function differences(world: World): Promise<unknown[]> {
  const runId = randomUUID();
  const input = { runId, period: EVER, actor: 'till', timeout: 10 * SECOND, announce: false };
  const { result } = await world.driver.drive(() => createActivities(world.deps).reconcileLedger(input));
  expect(result).toMatchObject({ kind: 'compared' });
  return (await listDifferences(world.deps.ledger, runId, { limit: 100, cursor: null })).items.map(({ kind }) => kind);
}

/** The first two cycles of a subscription; the answer of the second debit is lost. */
async function twoCycles(world: World): Promise<Subscribed> {
  const subscribed = await world.due();
  expect((await world.collect(world.input(subscribed))).result.kind).toBe('collected');
  world.clock.passUntil(subscribed.dueAt + 28 * DAY);
  world.sandbox.faults.add({ kind: 'lost_answer', match: { method: 'POST', path: '/authorizations$' } });
  expect((await world.collect(world.input(subscribed, { cycle: 1 }))).result.kind).toBe('collected');
  return subscribed;
}

it('two subscriptions whose debits and refunds have the same ids are collected, refunded and compared with the service', async () => {
  const { world } = holder;
  for (const subscribed of [await twoCycles(world), await twoCycles(world)]) {
    expect(world.debits(subscribed).map(({ authorizationId }) => authorizationId)).toEqual(['1', '2']);
    expect(await world.sends(subscribed, 1)).toMatchObject([{ authorizationId: '2', captureId: '2' }]);
    const first = await placeRefund(world, subscribed, 500);
    expect((await refund(world, first)).result).toMatchObject({ kind: 'successful', serviceRefundId: '1' });
    world.sandbox.faults.add({ kind: 'lost_answer', match: { method: 'POST', path: '/refunds$' } });
    const second = await placeRefund(world, subscribed, 700);
    expect((await refund(world, second)).result).toMatchObject({ kind: 'successful', serviceRefundId: '2' });
    expect(refundPosts(world, second)).toBe(2);
  }
  expect(await differences(world)).toEqual([]);
});

it('captures and refunds of one payment may have the same ids, and each is found among the records of its kind (rule 34)', async () => {
  const { world } = holder;
  for (const { paymentId } of [await createAuthorized(world), await createAuthorized(world)]) {
    const taken = await orderedCapture(world, { paymentId }, 3_000);
    expect((await capture(world, taken)).result.kind).toBe('successful');
    // The capture with the id 1 says nothing about the refund with the id 1, whose answer is lost.
    world.sandbox.faults.add({ kind: 'lost_answer', match: { method: 'POST', path: '/refunds$' } });
    const given = await orderedPaymentRefund(world, { paymentId }, 400);
    expect((await refund(world, given)).result).toMatchObject({ kind: 'successful', serviceRefundId: '1' });
    // The refund with the id 1 says nothing about the capture with the id 2, whose answer is lost.
    world.sandbox.faults.add({ kind: 'lost_answer', match: { method: 'POST', path: '/captures$' } });
    const more = await orderedCapture(world, { paymentId }, 2_000);
    expect((await capture(world, more)).result.kind).toBe('successful');
    expect(await orderSends(world, more.orderId)).toMatchObject([{ serviceId: '2', knownIds: [] }]);
    expect((await onRecord(world, paymentId)).captures).toMatchObject([{ captureId: '1' }, { captureId: '2' }]);
  }
  expect(await differences(world)).toEqual([]);
});

it('a refund that dueday has not ordered stops the next refund, even if a capture has the same id as the unknown refund', async () => {
  const { world } = holder;
  const { paymentId } = await createAuthorized(world);
  await capture(world, await orderedCapture(world, { paymentId }, 3_000));
  const order = await orderedPaymentRefund(world, { paymentId }, 400);
  await world.deps.service.refund(paymentId, { amount: order.amount, captureId: '1' });
  const stop = await world.driver.once(() => createActivities(world.deps).refundPayment(order));
  expect(stop).toMatchObject({ type: 'outcome_unknown', message: 'the service lists 1, which the ledger lacks' });
  expect(world.requests.filter((each) => each === `POST /${paymentId}/refunds`)).toHaveLength(1);
});

it('two Single Immediate payments are booked under the same ids', async () => {
  const { world } = holder;
  const payments = [await createAuthorized(world, SINGLE), await createAuthorized(world, SINGLE)];
  const records = await Promise.all(payments.map(({ paymentId }) => onRecord(world, paymentId)));
  expect(records).toMatchObject(
    payments.map(() => ({
      status: 'captured',
      authorization: { authorizationId: '1' },
      captures: [{ captureId: '1' }],
    })),
  );
  expect(await differences(world)).toEqual([]);
});
