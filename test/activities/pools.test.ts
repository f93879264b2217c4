import type { PoolClient } from 'pg';
import { createActivities } from '../../activities';
import { createPool, getSubscription, type Pool } from '../../src/ledger';
import { createTestDatabase } from '../support/database';
import { useWorld } from './activity-world';
import { createAuthorized, draftPayment, orderedCapture } from './payment-world';
import { createCollected, placeRefund } from './refund-world';

const holder = useWorld();

let none: Pool;
let held: PoolClient;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createTestDatabase();
  drop = database.drop;
  none = createPool({ databaseUrl: database.url, max: 1 });
  held = await none.connect();
});
afterAll(async () => {
  held.release();
  await none.end();
  await drop();
});

/** A worker of which all connections of one kind are taken. */
function without(kind: 'collecting' | 'steering') {
  const { deps } = holder.world;
  const activities = createActivities(kind === 'collecting' ? { ...deps, ledger: none } : { ...deps, steering: none });
  return <T>(work: (from: typeof activities) => Promise<T>) => holder.world.driver.drive(() => work(activities));
}

test('recording, and requests of operators and payers, need no connection from the pool for collecting', async () => {
  const { world } = holder;
  const drive = without('collecting');
  const subscriptionId = await world.draft();
  const reference = world.reference({ subscriptionId });
  const { result } = await drive((from) => from.requestConsent(reference));
  expect(result.kind).toBe('await_consent');
  const { paymentId } = (await getSubscription(world.deps.ledger, subscriptionId))!;
  await drive((from) => from.checkConsent({ subscriptionId, paymentId: paymentId! }));
  world.sandbox.payer(paymentId!).approve();
  expect((await drive((from) => from.awaitConsent(reference))).result.kind).toBe('wait');
  await world.patch({ subscriptionId }, { stoppedBy: 'cancel' });
  expect((await drive((from) => from.cancelConsent(reference))).result.kind).toBe('finish');
  expect((await drive((from) => from.decide(reference))).result.kind).toBe('finish');
  const requestId = await draftPayment(world);
  await drive((from) => from.decidePayment({ requestId, revision: 0 }));

  const subscribed = await createCollected(world);
  const refund = await placeRefund(world, subscribed);
  expect((await drive((from) => from.refundPayment(refund))).result).toMatchObject({ kind: 'successful' });
  const payment = await createAuthorized(world);
  const capture = await orderedCapture(world, payment, 500);
  expect((await drive((from) => from.capturePayment(capture))).result).toMatchObject({ kind: 'successful' });
});

test('collecting needs no connection from the pool for steering', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const { result } = await without('steering')((from) =>
    from.collectPayment({ ...world.reference(subscribed), cycle: 0, attempt: 0 }),
  );
  expect(result.kind).toBe('wait');
  await world.expectLedgerEqual(subscribed, 1);
});
