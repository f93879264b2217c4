import { randomUUID } from 'node:crypto';
import { createActivities } from '../../activities';
import { decide } from '../../activities/decide';
import type { NoticeId } from '../../src/domain/ids';
import { DAY, HOUR, MINUTE } from '../../src/domain/time';
import { deliverDueNotices } from '../../src/jobs/deliver-notices';
import {
  applyChange,
  applyPaymentChange,
  getNotice,
  getPayment,
  getSubscription,
  listSubscriptions,
  recordManualNotification,
  reopenNotice,
} from '../../src/ledger';
import { AMOUNT, useWorld, type World } from './activity-world';
import { pageOf } from './daily-pages';
import { orderedNotices } from './deliver-notice';
import {
  createAuthorized,
  capture,
  capturePosts,
  draftPayment,
  follow,
  orderedCapture,
  paymentActivities,
  createRequested,
  stepOf,
} from './payment-world';
import { accept, refusedItems, refusing, standingOf } from './refusing';
import { createCollected, placeRefund, refund, refundPosts } from './refund-world';

/** What each kind of activity does if PostgreSQL refuses its write (rule 43). */

const holder = useWorld();

/** Lets the ledger accept the write again once the activity has stopped this many times. */
function acceptAfter(world: World, table: string, stops: number, check?: () => Promise<void>) {
  let seen = 0;
  return async ({ type }: { type: string }) => {
    seen += 1;
    if (seen <= stops) expect(type).toBe('unrecordable');
    if (seen <= stops) await check?.();
    if (seen === stops) await accept(world.deps.ledger, table);
  };
}

it('no POST is made for a refund whose send the ledger refuses, and its item closes once the refund is sent', async () => {
  const { world } = holder;
  const subscribed = await createCollected(world);
  const input = await placeRefund(world, subscribed);
  await refusing(world, 'order_sends', `order_id <> '${input.refundId}'`, async () => {
    const onStop = acceptAfter(world, 'order_sends', 3, async () => {
      const [item] = await refusedItems(world, input.refundId);
      const { subscriptionId, paymentId } = subscribed;
      expect(item).toMatchObject({ subscriptionId, paymentId, orderId: input.refundId, source: 'evidence' });
      expect(item?.ledger?.detail).toContain('SQLSTATE 23514 at order_sends.refused_by_the_test');
      expect(await standingOf(world, subscriptionId)).toBe('needs_attention');
      const step = await decide(world.deps, { subscriptionId, revision: 0, followed: [] });
      expect(step.show?.standing).toBe('needs_attention');
      expect(refundPosts(world, input)).toBe(0);
    });
    const { result } = await refund(world, input, {}, { onStop });
    expect(result).toMatchObject({ kind: 'successful' });
  });
  expect(await refusedItems(world, input.refundId)).toEqual([]);
  expect(await standingOf(world, subscribed.subscriptionId)).toBe('good');
  expect(refundPosts(world, input)).toBe(1);
});

it('the revision of a subscription is raised when a refused write opens an item of the subscription, and when that item closes', async () => {
  const { world } = holder;
  const subscribed = await createCollected(world);
  const input = await placeRefund(world, subscribed);
  const revision = () => world.revision(subscribed);
  const before = await revision();
  await refusing(world, 'order_sends', `order_id <> '${input.refundId}'`, async () => {
    const onStop = acceptAfter(world, 'order_sends', 3, async () => expect(await revision()).toBe(before + 1));
    await refund(world, input, {}, { onStop });
  });
  expect(await revision()).toBe(before + 2);
});

it('no POST is made for a capture whose send the ledger refuses, and its item closes once the capture is sent', async () => {
  const { world } = holder;
  const input = await orderedCapture(world, await createAuthorized(world), 5_000);
  await refusing(world, 'order_sends', `order_id <> '${input.orderId}'`, async () => {
    const onStop = acceptAfter(world, 'order_sends', 2, async () => {
      const { orderId, paymentId } = input;
      expect(await refusedItems(world, orderId)).toMatchObject([{ orderId, paymentId, subscriptionId: null }]);
      expect(capturePosts(world)).toBe(0);
    });
    const { result } = await capture(world, input, {}, { onStop });
    expect(result).toMatchObject({ kind: 'successful' });
  });
  expect(await refusedItems(world, input.orderId)).toEqual([]);
  expect(capturePosts(world)).toBe(1);
});

it('a payment whose consent the ledger refuses to store waits, and an operator’s check is answered', async () => {
  const { world } = holder;
  const reference = await createRequested(world);
  const { paymentId } = reference;
  world.sandbox.payer(paymentId).approve('approves');
  const check = `payment_id <> '${paymentId}' or consent_status is distinct from 'successful'`;
  await refusing(world, 'payments', check, async () => {
    const { result: checked } = await world.driver.drive(() => paymentActivities(world).checkPayment(reference));
    expect(checked).toEqual({ changed: null, unavailable: expect.stringContaining('SQLSTATE 23514') });
    expect(await refusedItems(world, paymentId)).toMatchObject([{ paymentId, subscriptionId: null }]);
    await follow(world, reference, { onStop: acceptAfter(world, 'payments', 2) });
  });
  expect((await getPayment(world.deps.ledger, paymentId))?.status).toBe('authorized');
  await world.driver.drive(() => paymentActivities(world).checkPayment(reference));
  expect(await refusedItems(world, paymentId)).toEqual([]);
});

it('a consent session that the ledger refuses to store is requested only once, and its draft ends', async () => {
  const { world } = holder;
  const subscriptionId = await world.draft();
  // Temporal runs this activity only once; the next step is then decided from the ledger.
  const request = async () => {
    const reference = world.reference({ subscriptionId });
    const end = await world.driver.once(() => world.activities().requestConsent(reference));
    return { end, next: await world.decide({ subscriptionId }) };
  };
  const check = `subscription_id <> '${subscriptionId}' or payment_id is null`;
  const { end, next } = await refusing(world, 'subscriptions', check, request);
  expect(end).toMatchObject({ type: 'unrecordable', message: expect.stringContaining('SQLSTATE 23514') });
  expect(next).toMatchObject({ kind: 'finish', summary: "the service's answer was lost" });
  expect(await refusedItems(world, subscriptionId)).toMatchObject([{ kind: 'unrecordable' }]);
  expect((await request()).next).toMatchObject({ kind: 'finish' });
  expect(world.requests.filter((each) => each === 'POST /payments')).toHaveLength(1);
  expect(await refusedItems(world, subscriptionId)).toEqual([]);
});

it('a consent that the ledger refuses to store is polled at growing intervals', async () => {
  const { world } = holder;
  const { subscriptionId, paymentId } = await world.requested();
  world.sandbox.payer(paymentId).approve('approves');
  const input = world.reference({ subscriptionId });
  const check = `subscription_id <> '${subscriptionId}' or consent_status is distinct from 'successful'`;
  const waits: number[] = [];
  await refusing(world, 'subscriptions', check, async () => {
    const onStop = async ({ type, wait }: { type: string; wait: number }) => {
      expect(type).toBe('unrecordable');
      expect(await standingOf(world, subscriptionId)).toBe('needs_attention');
      waits.push(wait);
      if (waits.length === 40) await accept(world.deps.ledger, 'subscriptions');
    };
    const { result } = await world.driver.drive(() => world.activities().awaitConsent(input), { onStop });
    expect(result).toMatchObject({ kind: 'wait', show: { status: 'active' } });
  });
  expect(waits.at(-1)).toBeGreaterThan(MINUTE);
  expect(await refusedItems(world, subscriptionId)).toEqual([]);
});

it('the item of a refused write closes if a change starts a new activity in which the write succeeds', async () => {
  const { world } = holder;
  const { subscriptionId, paymentId } = await world.requested();
  world.sandbox.payer(paymentId).approve('approves');
  const awaiting = () => world.activities().awaitConsent(world.reference({ subscriptionId }));
  const check = `subscription_id <> '${subscriptionId}' or consent_status is distinct from 'successful'`;
  await refusing(world, 'subscriptions', check, async () => {
    expect(await world.driver.once(awaiting)).toMatchObject({ type: 'unrecordable' });
    expect(await standingOf(world, subscriptionId)).toBe('needs_attention');
  });
  // The workflow ends the wait of the first activity, and starts another activity.
  expect((await world.driver.drive(awaiting)).result).toMatchObject({ kind: 'wait', show: { status: 'active' } });
  expect(await refusedItems(world, subscriptionId)).toEqual([]);
  expect(await standingOf(world, subscriptionId)).toBe('good');
});

it('a refused write of a one-time payment that succeeds in another activity of the same kind closes its item', async () => {
  const { world } = holder;
  const reference = await createRequested(world);
  world.sandbox.payer(reference.paymentId).approve();
  const check = `payment_id <> '${reference.paymentId}' or consent_status is distinct from 'successful'`;
  await refusing(world, 'payments', check, async () => {
    const stop = await world.driver.once(() => paymentActivities(world).followPayment(stepOf(reference)));
    expect(stop).toMatchObject({ type: 'unrecordable' });
    expect(await refusedItems(world, reference.requestId)).toHaveLength(1);
  });
  await follow(world, reference);
  expect(await refusedItems(world, reference.requestId)).toEqual([]);
});

it('a notice whose delivery the ledger refuses to store is sent once, and again the next day', async () => {
  const { world } = holder;
  const { paymentId } = await createRequested(world);
  const notice = { type: 'consent.failed', data: { reason: 'timeout' } } as const;
  const { noticeId } = await applyPaymentChange(world.deps.ledger, { paymentId, at: world.clock.now(), notice });
  const id = noticeId as NoticeId;
  const deliver = () => deliverDueNotices(world.outbox());
  expect(await refusing(world, 'notices', `notice_id <> '${id}' or state = 'pending'`, deliver)).toBe(1);
  expect(await refusedItems(world, id)).toMatchObject([{ paymentId }]);
  expect(await getNotice(world.deps.ledger, id)).toMatchObject({ state: 'pending' });
  world.clock.pass(DAY - 1);
  expect(await deliver()).toBe(0);
  world.clock.pass(1);
  expect(await deliver()).toBe(1);
  expect(await getNotice(world.deps.ledger, id)).toMatchObject({ state: 'delivered' });
  expect(await refusedItems(world, id)).toEqual([]);
});

it.each(['resent', 'reported as delivered by an operator'])(
  'the item of a notice whose delivery the ledger refused to store closes once the notice is %s',
  async (how) => {
    const { world } = holder;
    const subscribed = await world.due();
    const { subscriptionId } = subscribed;
    const { ledger } = world.deps;
    const by = { actor: 'till', at: world.clock.now() };
    const notices = [{ type: 'subscription.paused', cycle: null, attempt: null, data: {} }] as const;
    await applyChange(ledger, { subscriptionId, key: 'paused', ...by, events: [], notices });
    const [id] = await orderedNotices(world, subscriptionId, 'paused');
    const delivered = { channel: 'webhook', evidence: {}, at: world.clock.realNow(), others: [] };
    const notifier = {
      deliver: async () => ({ kind: 'delivered' as const, ...delivered }),
      close: async () => undefined,
    };
    const deliver = () => deliverDueNotices(world.outbox({ notifier }));
    expect(await refusing(world, 'notices', `notice_id <> '${id}' or state = 'pending'`, deliver)).toBe(1);
    expect(await refusedItems(world, id!)).toMatchObject([{ subscriptionId }]);

    world.clock.pass(MINUTE);
    const at = world.clock.now();
    const report = {
      noticeId: id!,
      channel: 'phone',
      toldAt: at,
      evidence: 'called',
      at,
      realAt: world.clock.realNow(),
    };
    if (how === 'resent') await reopenNotice(ledger, id!, by);
    else await recordManualNotification(ledger, { ...report, actor: 'till' });
    await deliver();
    expect(await getNotice(ledger, id!)).toMatchObject({ state: 'delivered' });
    expect(await refusedItems(world, id!)).toEqual([]);
  },
);

it('the daily check of consents skips a consent that the ledger refuses to store', async () => {
  const { world } = holder;
  const [refused, other] = [await world.due(), await world.due()];
  world.clock.pass(HOUR);
  const look = async () => {
    const input = { dueBy: world.clock.now(), after: null };
    return pageOf((await world.driver.drive(() => createActivities(world.deps).checkDueConsents(input))).result);
  };
  const check = `subscription_id <> '${refused.subscriptionId}' or consent_checked_for is null`;
  expect(await refusing(world, 'subscriptions', check, look)).toMatchObject({
    asked: 2,
    'not readable': 1,
    after: null,
  });
  const { subscriptionId, paymentId } = refused;
  expect(await refusedItems(world, subscriptionId)).toMatchObject([{ subscriptionId, paymentId }]);
  const consent = (await getSubscription(world.deps.ledger, other.subscriptionId))?.consent;
  expect(consent).toMatchObject({ status: 'successful', checkedAt: world.clock.now() });
  expect(await look()).toMatchObject({ asked: 1, 'not readable': 0 });
  expect(await refusedItems(world, subscriptionId)).toEqual([]);
});

it.each(['everything', 'the work of a day'])(
  'a comparison of %s skips a payment whose comparison the ledger refuses to store',
  async (what) => {
    const { world } = holder;
    const [refused, other] = [await world.due(), await world.due()];
    for (const { paymentId } of [refused, other]) await world.deps.service.initiate(paymentId, AMOUNT);
    world.clock.pass(DAY);
    const compare = async () => {
      const day = world.clock.now();
      const until = what === 'everything' ? {} : { until: day + DAY };
      const period = { from: day - 31 * DAY, to: day };
      const input = { runId: randomUUID(), period, actor: 'dueday', timeout: 2 * HOUR, announce: true, ...until };
      return (await world.driver.drive(() => createActivities(world.deps).reconcileLedger(input))).result;
    };
    const check = `payment_id <> '${refused.paymentId}' or kind = 'not_compared'`;
    const result = await refusing(world, 'reconciliation_differences', check, compare);
    expect(result).toMatchObject({ kind: 'compared', payments: 2, differences: 2 });
    const { subscriptionId, paymentId } = refused;
    expect(await refusedItems(world, paymentId)).toMatchObject([{ subscriptionId, paymentId }]);
    expect(await refusedItems(world, other.paymentId)).toEqual([]);
    world.clock.pass(8 * DAY);
    await compare();
    expect(await refusedItems(world, paymentId)).toEqual([]);
  },
);

it('rows that the ledger refuses to remove do not delay the other parts of the daily removal', async () => {
  const { world } = holder;
  const { ledger } = world.deps;
  const remove = async () => (await world.driver.drive(() => createActivities(world.deps).removeLeftovers())).result;
  const [draft] = [await world.draft(), await draftPayment(world)];
  world.clock.pass(3 * DAY);
  await ledger.query('create table refused_by_the_test (id text references subscriptions (subscription_id))');
  await ledger.query('insert into refused_by_the_test values ($1)', [draft]);
  try {
    expect(await remove()).toMatchObject({ words: expect.stringContaining('1 drafts') });
    const [item] = await refusedItems(world, 'drafts of subscriptions');
    expect(item?.ledger?.detail).toContain('SQLSTATE 23503');
  } finally {
    await ledger.query('drop table refused_by_the_test');
  }
  expect(await remove()).toMatchObject({ words: expect.stringContaining('1 drafts') });
  expect(await refusedItems(world, 'drafts of subscriptions')).toEqual([]);
});

it('the search for lost workflows skips a subscription that the ledger refuses to queue', async () => {
  const { world } = holder;
  const [refused, other] = [await world.due(), await world.due()];
  world.clock.pass(3 * MINUTE);
  const workflows = { ...world.deps.workflows, isRunning: async () => false };
  const look = async () =>
    pageOf(
      (await world.driver.drive(() => createActivities({ ...world.deps, workflows }).findOrphans({ after: null })))
        .result,
    );
  const { subscriptionId } = refused;
  const result = await refusing(world, 'workflow_orphans', `subject_id <> '${subscriptionId}'`, look);
  expect(result).toMatchObject({ checked: 2, 'without a workflow': 2, after: null });
  expect(await refusedItems(world, subscriptionId)).toMatchObject([{ subscriptionId }]);
  const queued = 'select subject_id from workflow_orphans where waits';
  expect((await world.deps.ledger.query(queued)).rows).toEqual([{ subject_id: other.subscriptionId }]);
  await look();
  expect(await refusedItems(world, subscriptionId)).toEqual([]);
});

it('a subscription with an unrecordable item is listed only among those that need attention', async () => {
  const { world } = holder;
  const [refused, other] = [await world.due(), await world.due()];
  const { subscriptionId, paymentId } = refused;
  const check = `subscription_id <> '${subscriptionId}' or consent_checked_at is null`;
  const look = () => world.driver.drive(() => world.activities().checkConsent({ subscriptionId, paymentId }));
  expect((await refusing(world, 'subscriptions', check, look)).result).toMatchObject({
    changed: null,
    unavailable: expect.stringContaining('SQLSTATE'),
  });
  const listed = async (standing: 'needs_attention' | 'good') => {
    const { items } = await listSubscriptions(world.deps.ledger, { standing }, { limit: 10, cursor: null });
    return items.map((each) => each.subscriptionId);
  };
  expect(await listed('needs_attention')).toEqual([subscriptionId]);
  expect(await listed('good')).toEqual([other.subscriptionId]);
  await look();
  expect(await listed('needs_attention')).toEqual([]);
});
