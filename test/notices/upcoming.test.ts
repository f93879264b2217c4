import { euros } from '../../src/domain/money';
import { DAY, HOUR, type Instant, MINUTE, toIso } from '../../src/domain/time';
import type { SubscriptionId } from '../../src/domain/ids';
import type { Repetition } from '../../src/domain/subscription/schedule';
import { deliverDueNotices } from '../../src/jobs/deliver-notices';
import { maintainEvents } from '../../src/jobs/maintain-events';
import {
  actOnAttention,
  inTransaction,
  listAttention,
  listNotices,
  type NoticeRecord,
  orderUpcomingNotices,
  recordManualNotification,
  reopenNotice,
} from '../../src/ledger';
import type { Notice, NoticeResult, Notifier } from '../../src/notices';
import { AMOUNT, useWorld, type Subscribed } from '../activities/activity-world';
import { emptyLedger } from '../support/empty-ledger';
import { silentLog } from '../support/silent-log';

const PAGE = { limit: 50, cursor: null };

const holder = useWorld();
beforeEach(() => emptyLedger(holder.world.deps.ledger));

/** Creates an active subscription that is first due this much later, and whose payer can be notified. */
async function createActive(repetition: Repetition, inMs: number): Promise<Subscribed> {
  const { world } = holder;
  const dueAt = world.clock.now() + inMs;
  const subscribed = await world.requested({ repetition, firstPaymentAt: dueAt });
  await world.patch(subscribed, { status: 'active', nextDueAt: dueAt });
  return subscribed;
}

function order(days: number, repetition: Repetition = 'YEARLY', now: Instant = holder.world.clock.now()) {
  const term = { repetition, ahead: days * DAY };
  return inTransaction(holder.world.deps.ledger, (db) => orderUpcomingNotices(db, now, term));
}

async function notices({ subscriptionId }: { readonly subscriptionId: SubscriptionId }) {
  const filter = { subscriptionId, type: 'payment.upcoming' } as const;
  return (await listNotices(holder.world.deps.ledger, filter, PAGE)).items;
}

async function only(subscribed: Subscribed): Promise<NoticeRecord> {
  const [notice, ...others] = await notices(subscribed);
  expect(others).toEqual([]);
  return notice!;
}

/** A messenger that answers as given, and records the notices that it received. */
function messenger(answer: (notice: Notice) => NoticeResult): Notifier & { readonly given: Notice[] } {
  const given: Notice[] = [];
  return {
    given,
    close: async () => undefined,
    async deliver(notice) {
      given.push(notice);
      return answer(notice);
    },
  };
}

const accepting = () =>
  messenger(() => ({
    kind: 'delivered',
    channel: 'webhook',
    evidence: { status: 200 },
    at: holder.world.clock.realNow(),
    others: [],
  }));
const refusing = () => messenger(() => ({ kind: 'no_channel', reason: 'no channel reaches the payer' }));
const failing = () => messenger(() => ({ kind: 'failed', reason: 'the webhook answered 500', others: [] }));

const deliver = (notifier: Notifier) => deliverDueNotices(holder.world.outbox({ notifier }));

async function items(): Promise<readonly unknown[]> {
  const { items: open } = await listAttention(holder.world.deps.ledger, {}, PAGE);
  return open.map(({ kind, cycle, amount, deadline }) => ({ kind, cycle, amount, deadline }));
}

async function pass(ms: number): Promise<void> {
  holder.world.clock.pass(ms);
}

it('the payer is notified of a coming debit from the limit on, to the millisecond, once for each due date', async () => {
  const subscribed = await createActive('YEARLY', 30 * DAY + 1);
  expect(await order(30)).toBe(0);
  await pass(1);
  expect([await order(30), await order(30)]).toEqual([1, 0]);
  const { dueAt } = subscribed;
  expect(await only(subscribed)).toMatchObject({
    state: 'pending',
    cycle: 0,
    data: { cycle: 0, amount: AMOUNT, dueAt: toIso(dueAt) },
  });
  await holder.world.patch(subscribed, { nextDueAt: dueAt + 365 * DAY, amount: euros(2500) });
  expect(await order(30, 'YEARLY', dueAt + 335 * DAY)).toBe(1);
  expect((await notices(subscribed)).map(({ data }) => data)).toMatchObject([
    { cycle: 1, amount: euros(2500), dueAt: toIso(dueAt + 365 * DAY) },
    { cycle: 0 },
  ]);
});

it('the payer is notified of a coming debit only if it has the configured repetition, and not once the debit is due', async () => {
  const yearly = await createActive('YEARLY', 3 * DAY);
  const monthly = await createActive('MONTHLY', 3 * DAY);
  expect(await order(30, 'MONTHLY')).toBe(1);
  expect([await notices(yearly), await notices(monthly)].map((each) => each.length)).toEqual([0, 1]);
  expect(await order(30, 'YEARLY', yearly.dueAt)).toBe(0);
});

it('the payer is notified of each coming debit once, even if several processes check at once', async () => {
  const all = [
    await createActive('YEARLY', DAY),
    await createActive('YEARLY', DAY),
    await createActive('YEARLY', 2 * DAY),
  ];
  const counts = await Promise.all([order(30), order(30), order(30)]);
  expect(counts.reduce((sum, each) => sum + each, 0)).toBe(3);
  for (const each of all) await only(each);
});

it('the notice of a coming debit has what the payer needs, and the postponed time if the payer has asked for one', async () => {
  const { world } = holder;
  const subscribed = await createActive('YEARLY', 3 * DAY);
  const until = subscribed.dueAt + DAY;
  await world.deps.ledger.query(
    `insert into cycles (subscription_id, cycle, due_at, collect_by, amount, status, postponed_until)
       values ($1, 0, $2, $3, 1999, 'scheduled', $4)`,
    [subscribed.subscriptionId, ...[subscribed.dueAt, subscribed.collectBy, until].map(toIso)],
  );
  await order(30);
  const notifier = accepting();
  expect(await deliver(notifier)).toBe(1);
  expect(notifier.given).toMatchObject([
    {
      body: {
        type: 'payment.upcoming',
        data: { subscriptionId: subscribed.subscriptionId, amount: AMOUNT, postponedUntil: toIso(until) },
      },
    },
  ]);
  expect(await only(subscribed)).toMatchObject({ state: 'delivered', evidence: { status: 200 } });
});

it('a notice of a coming debit that is not delivered stops nothing, and is an item for a yearly debit only', async () => {
  const yearly = await createActive('YEARLY', 3 * DAY);
  await createActive('MONTHLY', 3 * DAY);
  await order(30, 'YEARLY');
  await order(30, 'MONTHLY');
  expect(await deliver(refusing())).toBe(2);
  expect(await items()).toEqual([{ kind: 'upcoming_undelivered', cycle: 0, amount: AMOUNT, deadline: yearly.dueAt }]);
});

it('a notice of a coming debit that is not delivered is given up when the debit is due, and an item opens', async () => {
  const subscribed = await createActive('YEARLY', HOUR);
  await order(30);
  await deliver(failing());
  await pass(HOUR - 1);
  await deliver(failing());
  expect([(await only(subscribed)).state, await items()]).toEqual(['pending', []]);
  await pass(MINUTE);
  await deliver(failing());
  expect(await only(subscribed)).toMatchObject({
    state: 'undeliverable',
    lastError: 'not delivered before its due date',
  });
  expect(await items()).toMatchObject([{ kind: 'upcoming_undelivered', deadline: null }]);
});

it('a notice of a coming debit that is not delivered closes its item once it is delivered after all', async () => {
  const { ledger } = holder.world.deps;
  const subscribed = await createActive('YEARLY', 3 * DAY);
  await order(30);
  await deliver(refusing());
  const { noticeId } = await only(subscribed);
  await reopenNotice(ledger, noticeId, { actor: 'ada', at: holder.world.clock.now() });
  expect(await items()).toHaveLength(1);
  await deliver(accepting());
  expect(await items()).toEqual([]);
});

it('the item about an undelivered notice of a coming debit closes once an operator records that the payer was notified, or gives a reason', async () => {
  const { ledger } = holder.world.deps;
  const [told, explained] = [await createActive('YEARLY', 3 * DAY), await createActive('YEARLY', 3 * DAY)];
  await order(30);
  await deliver(refusing());
  const act = { actor: 'ada', at: holder.world.clock.now() + HOUR, realAt: holder.world.clock.realNow() };
  const { noticeId } = await only(told);
  const report = { noticeId, channel: 'phone', toldAt: act.at - MINUTE, evidence: 'call 17', ...act };
  expect(await recordManualNotification(ledger, report)).toMatchObject({ kind: 'recorded' });
  const { items: open } = await listAttention(ledger, {}, PAGE);
  expect(open.map(({ subscriptionId }) => subscriptionId)).toEqual([explained.subscriptionId]);
  await actOnAttention(ledger, open[0]!.itemId, { kind: 'close', reason: 'informed by letter' }, act);
  expect(await items()).toEqual([]);
});

it.each([
  ['cancelled', `status = 'cancelled'`],
  ['skipped', `skips = '{0}', next_due_at = next_due_at + interval '1 year'`],
])('an undelivered notice is dropped without an item if the debit was %s', async (_, assignments) => {
  const subscribed = await createActive('YEARLY', 3 * DAY);
  await order(30);
  const { subscriptionId } = subscribed;
  await holder.world.deps.ledger.query(`update subscriptions set ${assignments} where subscription_id = $1`, [
    subscriptionId,
  ]);
  const notifier = accepting();
  await deliver(notifier);
  expect([notifier.given, (await only(subscribed)).state, await items()]).toEqual([[], 'undeliverable', []]);
});

it('a notice of a coming debit that is not delivered because of a pause is delivered after a resumption in time', async () => {
  const subscribed = await createActive('YEARLY', 3 * DAY);
  await order(30);
  await holder.world.patch(subscribed, { status: 'paused' });
  await deliver(accepting());
  expect([(await only(subscribed)).state, await items()]).toEqual(['undeliverable', []]);
  expect(await order(30)).toBe(0);
  await holder.world.patch(subscribed, { status: 'active' });
  expect([await order(30), await order(30)]).toEqual([1, 0]);
  await deliver(accepting());
  expect((await only(subscribed)).state).toBe('delivered');
});

it.each([
  ['it links to the payment page if no retry follows', 'final-rejection', 'https://shop.example/pay?s=SUB&c=0'],
  ['it has no link while a retry follows', 'insufficient-funds-once', undefined],
])('the notice of a failed payment: %s', async (_, wallet, link) => {
  const { world } = holder;
  const subscribed = await world.due(wallet);
  await world.collect(world.input(subscribed));
  await world.decide(subscribed);
  const notifier = accepting();
  const paymentPage = 'https://shop.example/pay?s={subscriptionId}&c={cycle}';
  await deliverDueNotices(world.outbox({ notifier, paymentPage }));
  const links = notifier.given
    .filter(({ body }) => body.type === 'payment.failed')
    .map(({ body }) => (body.data as { readonly paymentLink?: string }).paymentLink);
  expect(links).toEqual([link?.replace('SUB', subscribed.subscriptionId)]);
});

it.each([
  ['none runs if neither events nor notices are configured', null, [], 0],
  ['one runs for events alone', 3 * DAY, [], 1],
  ['one runs for notices alone', null, [{ repetition: 'YEARLY', ahead: 30 * DAY }], 1],
  ['two run for both', 3 * DAY, [{ repetition: 'YEARLY', ahead: 30 * DAY }], 2],
] as const)('the timers of coming debits: %s', async (_, upcoming, payerUpcoming, timers) => {
  const { clock, deps } = holder.world;
  const started = jest.spyOn(globalThis, 'setInterval');
  const parts = { db: deps.ledger, clock, logger: silentLog(), retention: 90 * DAY };
  const keeping = maintainEvents({ ...parts, upcoming, payerUpcoming });
  const count = started.mock.calls.length;
  started.mockRestore();
  await keeping.stop();
  // One more timer removes old events.
  expect(count).toBe(timers + 1);
});
