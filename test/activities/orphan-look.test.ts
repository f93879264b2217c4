import { createActivities } from '../../activities';
import { MINUTE, toIso } from '../../src/domain/time';
import { applyPaymentChange, getSubscription, listAttention, listEvents, markOrphaned } from '../../src/ledger';
import { useWorld, type World } from './activity-world';
import { pageOf } from './daily-pages';
import { createAuthorized, orderedCapture } from './payment-world';

const holder = useWorld();

/** Runs the check for lost workflows once, while these workflows run. */
async function look(world: World, running: readonly string[] = [], after: string | null = null) {
  const isRunning = async (workflowId: string) => running.includes(workflowId);
  const workflows = { ...world.deps.workflows, isRunning };
  const activities = createActivities({ ...world.deps, workflows });
  return pageOf((await world.driver.drive(() => activities.findOrphans({ after }))).result);
}

/** The ids of the subscriptions and payments whose workflows wait for their restart. */
async function queued(world: World): Promise<string[]> {
  const { rows } = await world.deps.ledger.query<{ id: string }>(
    'select subject_id as id from workflow_orphans where waits order by subject_id',
  );
  return rows.map(({ id }) => id);
}

async function attentionOf(world: World, subscriptionId: Parameters<typeof getSubscription>[1]) {
  return (await getSubscription(world.deps.ledger, subscriptionId))?.attention;
}

test('a subscription that is not final and has no workflow waits for its restart without an item', async () => {
  const { world } = holder;
  const [lost, alive] = [await world.due(), await world.due()];
  world.clock.pass(2 * MINUTE + 1);
  const running = [`subscription/${alive.subscriptionId}`];

  expect(await look(world, running)).toEqual({ checked: 2, 'without a workflow': 1, after: null });
  expect(await look(world, running)).toMatchObject({ checked: 2, 'without a workflow': 1 });

  expect(await queued(world)).toEqual([lost.subscriptionId]);
  expect(await attentionOf(world, lost.subscriptionId)).toEqual([]);
  expect(await attentionOf(world, alive.subscriptionId)).toEqual([]);
  const { items } = await listEvents(world.deps.ledger, lost, { limit: 50, cursor: null });
  expect(items.filter(({ type }) => type === 'subscription.orphaned')).toHaveLength(0);
});

test('a subscription is no longer an orphan once its workflow runs', async () => {
  const { world } = holder;
  const lost = await world.due();
  world.clock.pass(2 * MINUTE + 1);
  await markOrphaned(world.deps.ledger, { kind: 'subscription', id: lost.subscriptionId }, world.clock.now());
  expect(await look(world)).toMatchObject({ 'without a workflow': 0 });
  expect(await attentionOf(world, lost.subscriptionId)).toEqual(['orphaned']);
  expect(await queued(world)).toEqual([]);
  await look(world, [`subscription/${lost.subscriptionId}`]);
  expect(await attentionOf(world, lost.subscriptionId)).toEqual([]);
});

test('a subscription is not checked in its first two minutes, as its workflow may not have started yet', async () => {
  const { world } = holder;
  const young = await world.due();
  await world.deps.ledger.query('update subscriptions set drafted_real_at = $2 where subscription_id = $1', [
    ...[young.subscriptionId, toIso(world.clock.realNow())],
  ]);
  world.clock.pass(2 * MINUTE);
  expect(await look(world)).toMatchObject({ checked: 0, 'without a workflow': 0 });
  world.clock.pass(1);
  expect(await look(world)).toMatchObject({ checked: 1, 'without a workflow': 1 });
});

test('a one-time payment can be an orphan too, and the check continues from a given position', async () => {
  const { world } = holder;
  const subscription = await world.due();
  const { paymentId } = await createAuthorized(world);
  world.clock.pass(2 * MINUTE + 1);

  expect(await look(world, [], `0${subscription.subscriptionId}`)).toMatchObject({
    checked: 1,
    'without a workflow': 1,
  });

  expect(await queued(world)).toEqual([paymentId]);
  expect(await attentionOf(world, subscription.subscriptionId)).toEqual([]);
  expect(await look(world, [], `1${paymentId}`)).toMatchObject({ checked: 0 });
});

test('a payment that has ended is no longer an orphan, even with an open capture', async () => {
  const { world } = holder;
  const { ledger, clock } = world.deps;
  const over = await createAuthorized(world);
  const open = await createAuthorized(world);
  await orderedCapture(world, open, 500);
  world.clock.pass(2 * MINUTE + 1);
  expect(await look(world)).toMatchObject({ 'without a workflow': 2 });
  for (const { paymentId } of [over, open]) await markOrphaned(ledger, { kind: 'payment', id: paymentId }, clock.now());
  const waiting = async () =>
    (await listAttention(ledger, {}, { limit: 10, cursor: null })).items.map(({ paymentId }) => paymentId);
  for (const { paymentId } of [over, open]) {
    await applyPaymentChange(ledger, { paymentId, at: clock.now(), patch: { expiredAt: clock.now() } });
  }
  expect(await waiting()).toHaveLength(2);
  await look(world);
  expect(await waiting()).toEqual([]);
});

test('subscriptions that have ended need no workflow', async () => {
  const { world } = holder;
  const over = await world.due();
  await world.deps.ledger.query(`update subscriptions set status = 'cancelled' where subscription_id = $1`, [
    over.subscriptionId,
  ]);
  world.clock.pass(2 * MINUTE + 1);
  expect(await look(world)).toMatchObject({ checked: 0, 'without a workflow': 0 });
});
