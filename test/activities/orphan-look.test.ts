import { createActivities } from '../../activities';
import { noticeWorkflowId } from '../../src/contract/workflows';
import type { NoticeId } from '../../src/domain/ids';
import { MINUTE, toIso } from '../../src/domain/time';
import {
  applyChange,
  applyPaymentChange,
  getNotice,
  getPayment,
  getSubscription,
  listAttention,
  listEvents,
  markOrphaned,
} from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import { AMOUNT, useWorld, type World } from './activity-world';
import { orderedNotices } from './notified';
import { authorized, orderedCapture } from './payment-world';

const holder = useWorld();
beforeEach(async () => {
  await emptyLedger(holder.world.deps.ledger);
  await holder.world.deps.ledger.query('delete from workflow_orphans');
});

/** One look, where these workflows run. */
async function look(world: World, running: readonly string[] = [], after: string | null = null) {
  const isRunning = async (workflowId: string) => running.includes(workflowId);
  const workflows = { ...world.deps.workflows, isRunning };
  return (await world.driver.drive(() => createActivities({ ...world.deps, workflows }).lookForOrphans({ after })))
    .result;
}

/** What waits for its restart. */
async function queued(world: World): Promise<string[]> {
  const { rows } = await world.deps.ledger.query<{ id: string }>(
    'select subject_id as id from workflow_orphans where waits order by subject_id',
  );
  return rows.map(({ id }) => id);
}

async function attentionOf(world: World, subscriptionId: Parameters<typeof getSubscription>[1]) {
  return (await getSubscription(world.deps.ledger, subscriptionId))?.attention;
}

test('what is not final and has no workflow waits for its restart, and is no matter for an operator', async () => {
  const { world } = holder;
  const [lost, alive] = [await world.due(), await world.due()];
  world.clock.pass(2 * MINUTE + 1);
  const running = [`subscription/${alive.subscriptionId}`];

  expect(await look(world, running)).toEqual({ looked: 2, orphaned: 1, noticeIds: [], after: null });
  expect(await look(world, running)).toMatchObject({ looked: 2, orphaned: 1 });

  expect(await queued(world)).toEqual([lost.subscriptionId]);
  expect(await attentionOf(world, lost.subscriptionId)).toEqual([]);
  expect(await attentionOf(world, alive.subscriptionId)).toEqual([]);
  const { items } = await listEvents(world.deps.ledger, lost, { limit: 50, cursor: null });
  expect(items.filter(({ type }) => type === 'subscription.orphaned')).toHaveLength(0);
});

test('it is no orphan any more once its workflow runs', async () => {
  const { world } = holder;
  const lost = await world.due();
  world.clock.pass(2 * MINUTE + 1);
  await markOrphaned(world.deps.ledger, { kind: 'subscription', id: lost.subscriptionId }, world.clock.now());
  expect(await look(world)).toMatchObject({ orphaned: 0 });
  expect(await attentionOf(world, lost.subscriptionId)).toEqual(['orphaned']);
  expect(await queued(world)).toEqual([]);
  await look(world, [`subscription/${lost.subscriptionId}`]);
  expect(await attentionOf(world, lost.subscriptionId)).toEqual([]);
});

test('what was ordered two minutes ago may be on its way to its workflow', async () => {
  const { world } = holder;
  const young = await world.due();
  await world.deps.ledger.query('update subscriptions set drafted_real_at = $2 where subscription_id = $1', [
    ...[young.subscriptionId, toIso(world.clock.realNow())],
  ]);
  world.clock.pass(2 * MINUTE);
  expect(await look(world)).toMatchObject({ looked: 0, orphaned: 0 });
  world.clock.pass(1);
  expect(await look(world)).toMatchObject({ looked: 1, orphaned: 1 });
});

test('a one-time payment is one too, and the look goes on behind a place', async () => {
  const { world } = holder;
  const subscription = await world.due();
  const { paymentId } = await authorized(world);
  world.clock.pass(2 * MINUTE + 1);

  expect(await look(world, [], `0${subscription.subscriptionId}`)).toMatchObject({ looked: 1, orphaned: 1 });

  expect(await queued(world)).toEqual([paymentId]);
  expect(await attentionOf(world, subscription.subscriptionId)).toEqual([]);
  expect(await look(world, [], `1${paymentId}`)).toMatchObject({ looked: 0 });
});

test('a payment that has come to its end is no orphan any more, unless a capture of it is open', async () => {
  const { world } = holder;
  const { ledger, clock } = world.deps;
  const over = await authorized(world);
  const open = await authorized(world);
  await orderedCapture(world, open, 500);
  world.clock.pass(2 * MINUTE + 1);
  expect(await look(world)).toMatchObject({ orphaned: 2 });
  for (const { paymentId } of [over, open]) await markOrphaned(ledger, { kind: 'payment', id: paymentId }, clock.now());
  const waiting = async () =>
    (await listAttention(ledger, {}, { limit: 10, cursor: null })).items.map(({ paymentId }) => paymentId);
  for (const { paymentId } of [over, open]) {
    await applyPaymentChange(ledger, { paymentId, at: clock.now(), patch: { expiredAt: clock.now() } });
  }
  await look(world);
  expect(await waiting()).toEqual([open.paymentId]);
  const { workflowId } = (await getPayment(ledger, open.paymentId))!;
  await look(world, [workflowId]);
  expect(await waiting()).toEqual([]);
});

test('what is over is no matter', async () => {
  const { world } = holder;
  const over = await world.due();
  await world.deps.ledger.query(`update subscriptions set status = 'cancelled' where subscription_id = $1`, [
    over.subscriptionId,
  ]);
  world.clock.pass(2 * MINUTE + 1);
  expect(await look(world)).toMatchObject({ looked: 0, orphaned: 0 });
});

test('notices that nobody delivers are found, however many before them somebody delivers', async () => {
  const { world } = holder;
  const { subscriptionId } = await world.due();
  const at = world.clock.now();
  const noticeIds: NoticeId[] = [];
  for (let cycle = 0; cycle < 45; cycle += 1) {
    const notices = [{ type: 'cycle.failed', cycle, attempt: null, data: {} }] as const;
    const change = { subscriptionId, key: `notice/${cycle}`, at, actor: 'test', events: [], notices };
    await applyChange(world.deps.ledger, change);
    noticeIds.push(...(await orderedNotices(world, subscriptionId, change.key)));
  }
  const ordered = noticeIds.toSorted();
  const lost = [ordered[0]!, ordered[20]!, ordered[44]!];
  const delivered = ordered.filter((id) => !lost.includes(id)).map(noticeWorkflowId);
  const running = [`subscription/${subscriptionId}`, ...delivered];
  world.clock.pass(2 * MINUTE);
  expect(await look(world, running)).toMatchObject({ noticeIds: [] });
  world.clock.pass(1);
  expect(await look(world, running)).toMatchObject({ noticeIds: lost });
});

describe("a payer's notice of a retry that is not delivered", () => {
  /** The cycle waits for its retry, of which the payer is to be told first. */
  async function inDunning(world: World, retryAt: string | null) {
    const { subscriptionId, dueAt, collectBy } = await world.due();
    await applyChange(world.deps.ledger, {
      subscriptionId,
      key: 'dunning/0/0',
      at: world.clock.now(),
      actor: 'dueday',
      events: [],
      cycle: { cycle: 0, dueAt, collectBy, amount: AMOUNT, status: 'dunning' },
      notices: [{ type: 'payment.failed', cycle: 0, attempt: 0, data: { retryAt } }],
    });
    const noticeIds = await orderedNotices(world, subscriptionId, 'dunning/0/0');
    world.clock.pass(2 * MINUTE + 1);
    const state = async () => (await getNotice(world.deps.ledger, noticeIds[0]!))?.state;
    const close = () => {
      const cycle = { cycle: 0, dueAt, collectBy, amount: AMOUNT, status: 'failed' } as const;
      const change = { subscriptionId, key: 'closed', at: world.clock.now(), actor: 'dueday', events: [], cycle };
      return applyChange(world.deps.ledger, change);
    };
    return { noticeId: noticeIds[0]!, state, close, running: [`subscription/${subscriptionId}`] };
  }

  test('is left to the workflow that waits for it, and given up once none does: it would be false', async () => {
    const { world } = holder;
    const { noticeId, state, close, running } = await inDunning(world, '2027-02-01T10:00:00.000Z');
    expect(await look(world, running)).toMatchObject({ noticeIds: [] });
    expect(await state()).toBe('pending');
    await close();
    // Resent by a person, who knows better.
    expect(await look(world, [...running, noticeWorkflowId(noticeId)])).toMatchObject({ noticeIds: [] });
    expect(await state()).toBe('pending');
    expect(await look(world, running)).toMatchObject({ noticeIds: [] });
    expect(await state()).toBe('undeliverable');
  });

  test('is delivered after all where it promises no retry: it tells of what has come to pass', async () => {
    const { world } = holder;
    const { noticeId, state, close, running } = await inDunning(world, null);
    await close();
    expect(await look(world, running)).toMatchObject({ noticeIds: [noticeId] });
    expect(await state()).toBe('pending');
  });
});
