import type { Dependencies } from '../../activities';
import type { NoticeKind } from '../../src/contract/notices';
import type { NoticeId } from '../../src/domain/ids';
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../../src/domain/time';
import {
  applyChange,
  changePayer,
  getCycle,
  listNotices,
  readNoticeForDelivery,
  readRevision,
  recordTold,
  reopenNotice,
  steer,
} from '../../src/ledger';
import { type ChannelResult, createNotifier, type NoticeResult, type Notifier } from '../../src/notices';
import { startWebhookReceiver, type WebhookReceiver } from '../notices/webhook-receiver';
import { Crash, type DriveOptions } from './activity-driver';
import { AMOUNT, PERSON, type Subscribed, useWorld, type World } from './activity-world';
import { orderedNotices } from './notified';

const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;

const FIRST = { limit: 50, cursor: null };

const test = useWorld();
let receiver: WebhookReceiver;
let merchant: WebhookReceiver;
let notifiers: Notifier[] = [];

beforeEach(async () => {
  [receiver, merchant] = await Promise.all([startWebhookReceiver(), startWebhookReceiver()]);
});
afterEach(async () => {
  await Promise.all(notifiers.map((notifier) => notifier.close()));
  notifiers = [];
  await Promise.all([receiver.close(), merchant.close()]);
});

function withChannels(world: World) {
  const { clock, log } = world.deps;
  const webhook = (to: WebhookReceiver) => ({ url: to.url, secret: SECRET });
  const [payerWebhook, eventWebhook] = [webhook(receiver), webhook(merchant)];
  const notifier = createNotifier({ clock, logger: log, payerWebhook, eventWebhook });
  notifiers.push(notifier);
  return { notifier };
}

/** A refused attempt of the first cycle, of which the payer is to be notified. */
interface Rejected extends Subscribed {
  readonly noticeId: NoticeId;
  readonly retryAt: Instant;
  readonly retryUntil: Instant;
}

async function rejected(world: World): Promise<Rejected> {
  const subscribed = await world.due('insufficient-funds-once');
  const { result } = await world.collect(world.input(subscribed));
  if (result.kind !== 'rejected') throw new Error(result.kind);
  const { subscriptionId, dueAt } = subscribed;
  const [noticeId] = await orderedNotices(world, subscriptionId, 'dunning/0/0');
  expect(await world.decide(subscribed)).toMatchObject({ kind: 'wait', notices: [noticeId] });
  return { ...subscribed, noticeId: noticeId!, retryAt: dueAt + DAY, retryUntil: dueAt + 3 * DAY };
}

/** What has become of the notice once the activity has ended. */
async function notify(
  world: World,
  { noticeId }: Rejected,
  deps: Partial<Dependencies> = withChannels(world),
  options: DriveOptions = {},
) {
  const { result, stops } = await world.driver.drive(() => world.activities(deps).deliverNotice({ noticeId }), options);
  const { state, deliveredAt, lastError } = (await readNoticeForDelivery(world.deps.ledger, noticeId))!;
  return { changed: result, stops, state, at: deliveredAt, reason: lastError };
}

describe('notifying the payer', () => {
  it('is delivered once, with the evidence stored, whatever runs again', async () => {
    const { world } = test;
    const input = await rejected(world);
    const { subscriptionId } = input;
    const at = world.clock.now();
    const first = await notify(world, input);
    expect(first).toMatchObject({ state: 'delivered', at });
    // Its workflow has to be notified, also if a worker's answer was lost.
    const revision = await readRevision(world.deps.ledger, subscriptionId);
    expect(first.changed).toEqual({ subscriptionId, revision });
    world.clock.pass(HOUR);
    expect(await notify(world, input)).toEqual(first);
    expect(receiver.received).toHaveLength(1);
    const { type, data } = JSON.parse(receiver.received[0]!.body) as { type: string; data: Record<string, unknown> };
    expect(type).toBe('payment.failed');
    expect(data).toMatchObject({
      cycle: 0,
      attempt: 0,
      amount: AMOUNT,
      retriesLeft: 3,
      payer: { email: PERSON.email },
    });
    expect(await getCycle(world.deps.ledger, subscriptionId, 0)).toMatchObject({
      status: 'dunning',
      nextAttemptAt: input.retryAt,
      attempts: [{ payerNotifiedAt: at }],
    });
    expect((await world.trail(input)).filter((each) => each === 'notice.delivered')).toHaveLength(1);
    expect(await world.decide(input)).toMatchObject({ kind: 'wait', until: input.retryAt });
  });

  it('waits while the ledger is restored or copied, and goes out once it is accepted', async () => {
    const { world } = test;
    const input = await rejected(world);
    const { ledger } = world.deps;
    await ledger.query(`update restore_guard set identity = 'elsewhere'`);
    const { state, stops } = await notify(world, input, withChannels(world), {
      onStop: async (_stop, runs) => {
        expect(receiver.received).toHaveLength(0);
        if (runs === 3) await ledger.query('update restore_guard set identity = ledger_identity()');
      },
    });
    expect(stops.map(({ type }) => type)).toEqual(['halted', 'halted', 'halted']);
    expect(state).toBe('delivered');
    expect(receiver.received).toHaveLength(1);
  });

  it('is tried again with the back-off that was set, the last wait repeated', async () => {
    const { world } = test;
    const input = await rejected(world);
    receiver.answer((response) => void response.writeHead(503).end());
    const { state, stops } = await notify(world, input, withChannels(world), {
      onStop: (_stop, runs) => {
        if (runs === 4) receiver.answer((response) => void response.writeHead(204).end());
      },
    });
    expect(stops.map(({ type, pause }) => [type, pause])).toEqual([
      ['notice_undelivered', 5 * SECOND],
      ['notice_undelivered', 30 * SECOND],
      ['notice_undelivered', 30 * SECOND],
      ['notice_undelivered', 30 * SECOND],
    ]);
    expect(state).toBe('delivered');
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('to a receiver that wants no more (410) is sent no more, and stays open for a person until the last moment', async () => {
    const { world } = test;
    const input = await rejected(world);
    world.clock.passUntil(input.retryUntil - MINUTE);
    receiver.answer((response) => void response.writeHead(410).end());
    const given = await notify(world, input);
    const reason = 'the webhook answered 410: it wants no more notices';
    expect(given).toMatchObject({ state: 'undeliverable', reason, changed: null, stops: [] });
    expect(await world.decide(input)).toMatchObject({ kind: 'wait', until: input.retryUntil });
    world.clock.passUntil(input.retryUntil);
    await world.decide(input);
    expect(await getCycle(world.deps.ledger, input.subscriptionId, 0)).toMatchObject({
      status: 'failed',
      reason: 'notice_undeliverable',
    });
    expect(await notify(world, input)).toEqual(given);
    expect(receiver.received).toHaveLength(1);
  });

  it('without a channel is undeliverable, and open as long', async () => {
    const { world } = test;
    const input = await rejected(world);
    world.clock.passUntil(input.retryUntil - MINUTE);
    const given = await notify(world, input, { notifier: world.deps.notifier });
    expect(given).toMatchObject({ state: 'undeliverable', reason: 'no channel to payers is configured' });
    expect(await world.decide(input)).toMatchObject({ kind: 'wait', until: input.retryUntil });
  });

  it('that was given up counts as delivered from when an operator has notified the payer', async () => {
    const { world } = test;
    const input = await rejected(world);
    receiver.answer((response) => void response.writeHead(410).end());
    await notify(world, input);
    const toldAt = world.clock.now() + 1;
    world.clock.pass(MINUTE);
    const { items } = await listNotices(world.deps.ledger, { subscriptionId: input.subscriptionId }, FIRST);
    expect(items).toMatchObject([{ state: 'undeliverable', type: 'payment.failed' }]);
    const who = { actor: 'till', at: world.clock.now(), realAt: world.clock.realNow() };
    const word = { noticeId: input.noticeId, channel: 'phone', toldAt, evidence: 'spoke to the payer' };
    expect(await recordTold(world.deps.ledger, { ...word, ...who })).toMatchObject({ kind: 'told' });
    expect(await world.decide(input)).toMatchObject({ kind: 'wait', until: input.retryAt });
    expect(await notify(world, input)).toMatchObject({ state: 'delivered', at: toldAt });
    expect(receiver.received).toHaveLength(1);
  });

  it('that was given up goes to a new address once it is open again', async () => {
    const { world } = test;
    const input = await rejected(world);
    const { subscriptionId } = input;
    receiver.answer((response) => void response.writeHead(410).end());
    await notify(world, input);
    receiver.answer((response) => void response.writeHead(204).end());
    const change = { subscriptionId, patch: { email: 'new@example.org' }, actor: 'till', at: world.clock.now() };
    const changed = await changePayer(world.deps.ledger, change);
    expect(changed).toMatchObject({ kind: 'changed', notices: [{ noticeId: input.noticeId }] });
    expect((await notify(world, input)).state).toBe('delivered');
    expect(receiver.received).toHaveLength(2);
    expect(JSON.parse(receiver.received[1]!.body)).toMatchObject({ data: { payer: { email: 'new@example.org' } } });
  });

  it.each([
    [-1, 'delivered', 1],
    [0, 'undeliverable', 0],
  ])('%i ms from the last moment for a retry is %s', async (offset, state, posts) => {
    const { world } = test;
    const input = await rejected(world);
    world.clock.passUntil(input.retryUntil + offset);
    expect((await notify(world, input)).state).toBe(state);
    expect(receiver.received).toHaveLength(posts);
  });

  it('is given up at the last moment for a retry, and no later', async () => {
    const { world } = test;
    const input = await rejected(world);
    world.clock.passUntil(input.retryUntil - MINUTE);
    receiver.answer((response) => void response.writeHead(500).end());
    const { state, stops } = await notify(world, input);
    expect(state).toBe('undeliverable');
    expect(stops.map(({ pause }) => pause)).toEqual([5 * SECOND, 30 * SECOND, 30 * SECOND]);
    expect(receiver.received).toHaveLength(3);
    expect(await getCycle(world.deps.ledger, input.subscriptionId, 0)).toMatchObject({
      status: 'failed',
      reason: 'notice_undeliverable',
    });
  });

  it('by a worker that died before it could store the delivery is told again under the same id', async () => {
    const { world } = test;
    const input = await rejected(world);
    const { notifier } = withChannels(world);
    let alive = true;
    const dying = {
      ...notifier,
      deliver: async (...call: Parameters<typeof notifier.deliver>): Promise<NoticeResult> => {
        const result = await notifier.deliver(...call);
        if (!alive) return result;
        alive = false;
        throw new Crash('kill -9 after the delivery');
      },
    };
    expect((await notify(world, input, { notifier: dying })).state).toBe('delivered');
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.received).toHaveLength(2);
  });

  const GONE: ChannelResult = { kind: 'gone', channel: 'webhook', reason: 'the webhook answered 410' };

  /** Tells what people are warned of, too. */
  function answering(world: World, deliver: Notifier['deliver']) {
    const warned: unknown[] = [];
    const log = Object.assign(Object.create(world.deps.log) as World['deps']['log'], {
      warn: (...line: unknown[]) => warned.push(line),
    });
    return { warned, deps: { notifier: { ...world.deps.notifier, deliver }, log } };
  }

  const byMail = (world: World, others: readonly ChannelResult[]): NoticeResult => {
    const evidence = { smtpResponse: '250 ok' };
    return { kind: 'delivered', channel: 'email', evidence, at: world.clock.realNow(), others };
  };

  it('delivered on one channel while the other wants no more is told to people', async () => {
    const { world } = test;
    const input = await rejected(world);
    const { warned, deps } = answering(world, async () => byMail(world, [GONE]));
    expect((await notify(world, input, deps)).state).toBe('delivered');
    expect(warned).toEqual([[expect.objectContaining({ channel: 'webhook' }), 'channel gone']]);
  });

  it('that one channel wants no more of, while the other fails, is tried again on that other one alone', async () => {
    const { world } = test;
    const input = await rejected(world);
    const left: (readonly string[])[] = [];
    const { warned, deps } = answering(world, async (_notice, gone = []) => {
      left.push(gone);
      if (left.length === 1) return { kind: 'failed', reason: 'e-mail not accepted: ETIMEDOUT', others: [GONE] };
      return left.length === 2 ? { kind: 'failed', reason: 'e-mail not accepted', others: [] } : byMail(world, []);
    });
    expect((await notify(world, input, deps)).state).toBe('delivered');
    expect(left).toEqual([[], ['webhook'], ['webhook']]);
    expect(warned).toEqual([[expect.objectContaining({ channel: 'webhook' }), 'channel gone']]);
  });
});

describe('delivering a stored notice', () => {
  async function ordered(world: World, key = 'change-1'): Promise<NoticeId> {
    const { subscriptionId } = await world.due();
    const data = { reason: 'timeout' };
    await applyChange(world.deps.ledger, {
      subscriptionId,
      key,
      at: world.clock.now(),
      actor: 'dueday',
      events: [],
      notices: [{ type: 'consent.failed', cycle: null, attempt: null, data }],
    });
    return (await orderedNotices(world, subscriptionId, key))[0]!;
  }
  const stateOf = async (world: World, noticeId: NoticeId) =>
    (await readNoticeForDelivery(world.deps.ledger, noticeId))?.state;

  it('is done once', async () => {
    const { world } = test;
    const noticeId = await ordered(world);
    for (const time of [1, 2]) {
      await world.driver.drive(() => world.activities(withChannels(world)).deliverNotice({ noticeId }));
      expect({ time, posts: merchant.received.length }).toEqual({ time, posts: 1 });
    }
    expect(await stateOf(world, noticeId)).toBe('delivered');
  });

  it('is done once more for a person who asks, and what delivered it first stands', async () => {
    const { world } = test;
    const noticeId = await ordered(world);
    await world.driver.drive(() => world.activities(withChannels(world)).deliverNotice({ noticeId }));
    const before = await readNoticeForDelivery(world.deps.ledger, noticeId);
    world.clock.pass(HOUR);
    merchant.answer((response) => void response.writeHead(500).end());
    const { stops } = await world.driver.drive(
      () => world.activities(withChannels(world)).deliverNotice({ noticeId, again: true }),
      { onStop: () => merchant.answer((response) => void response.writeHead(204).end()) },
    );
    expect(stops.map(({ pause }) => pause)).toEqual([5 * SECOND]);
    expect(merchant.received).toHaveLength(3);
    expect(new Set(merchant.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await readNoticeForDelivery(world.deps.ledger, noticeId)).toEqual(before);
  });

  it('without an event webhook is left to the trail', async () => {
    const { world } = test;
    const noticeId = await ordered(world);
    await world.driver.drive(() => world.activities().deliverNotice({ noticeId }));
    expect(await readNoticeForDelivery(world.deps.ledger, noticeId)).toMatchObject({
      state: 'delivered',
      channel: 'trail',
    });
  });

  it('is repeated for a week and then given up', async () => {
    const { world } = test;
    const noticeId = await ordered(world);
    merchant.answer((response) => void response.writeHead(500).end());
    const from = world.clock.realNow();
    const settings = { ...world.deps.settings, noticeBackoff: [5, 12 * 3600] };
    const { stops } = await world.driver.drive(() =>
      world.activities({ ...withChannels(world), settings }).deliverNotice({ noticeId }),
    );
    expect(stops.slice(0, 3).map(({ pause }) => pause)).toEqual([5 * SECOND, 12 * HOUR, 12 * HOUR]);
    expect(world.clock.realNow() - from).toBeGreaterThan(7 * DAY);
    expect(world.clock.realNow() - from).toBeLessThan(8 * DAY);
    expect(await stateOf(world, noticeId)).toBe('undeliverable');
  });
});

describe('delivering a notice of a state', () => {
  /** One after the other, as the subscription has gone through them. */
  async function passed(world: World, { subscriptionId }: Subscribed, ...types: NoticeKind[]): Promise<NoticeId[]> {
    const ids: NoticeId[] = [];
    for (const type of types) {
      world.clock.pass(1);
      const at = world.clock.now();
      const notices = [{ type, cycle: null, attempt: null, data: {} }];
      const change = { subscriptionId, key: `${type}/${at}`, at, actor: 'dueday', events: [], notices };
      await applyChange(world.deps.ledger, change);
      ids.push(...(await orderedNotices(world, subscriptionId, change.key)));
    }
    return ids;
  }
  const told = () => receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  const read = (world: World, noticeId: NoticeId) => readNoticeForDelivery(world.deps.ledger, noticeId);

  it('that has passed between two tries is given up, so that the payer never hears of it after the later one', async () => {
    const { world } = test;
    const subscribed = await world.due();
    const [paused] = await passed(world, subscribed, 'subscription.paused');
    const activities = world.activities(withChannels(world));
    const deliver = (noticeId: NoticeId, options: DriveOptions = {}) =>
      world.driver.drive(() => activities.deliverNotice({ noticeId }), options);
    receiver.answer((response) => void response.writeHead(503).end());
    const { stops } = await deliver(paused!, {
      onStop: async () => {
        receiver.answer((response) => void response.writeHead(204).end());
        const [resumed] = await passed(world, subscribed, 'subscription.resumed');
        await deliver(resumed!);
      },
    });
    expect(stops).toHaveLength(1);
    expect(told()).toEqual(['subscription.paused', 'subscription.resumed']);
    expect(await read(world, paused!)).toMatchObject({
      state: 'undeliverable',
      lastError: 'overtaken: what it says no longer holds',
    });
    const [entry] = await world.events(subscribed, 'notice.undeliverable');
    expect(entry?.data).toMatchObject({ noticeId: paused, type: 'subscription.paused' });
  });

  it.each(['subscription.paused', 'subscription.resumed', 'subscription.cancelled', 'subscription.completed'] as const)(
    'is overtaken by a later %s, and by none of another subscription',
    async (later) => {
      const { world } = test;
      const [one, other] = [await world.due(), await world.due()];
      const [paused] = await passed(world, one, 'subscription.paused');
      const [untouched] = await passed(world, other, 'subscription.resumed');
      await passed(world, one, later);
      expect(await read(world, paused!)).toMatchObject({ isOvertaken: true });
      expect(await read(world, untouched!)).toMatchObject({ isOvertaken: false });
    },
  );

  it('is not overtaken by an earlier one, by a notice of a payment, or once the subscription has ended', async () => {
    const { world } = test;
    const subscribed = await world.due();
    const types = ['subscription.cancelled', 'subscription.paused', 'payment.increase_announced'] as const;
    const [cancelled, paused] = await passed(world, subscribed, ...types);
    expect(await read(world, cancelled!)).toMatchObject({ isOvertaken: false });
    expect(await read(world, paused!)).toMatchObject({ isOvertaken: false });
  });

  it('that has passed is delivered to a person who asks for it, and not to an address that is corrected', async () => {
    const { world } = test;
    const subscribed = await world.due();
    const [paused] = await passed(world, subscribed, 'subscription.paused', 'subscription.resumed');
    const deliver = (again: boolean) =>
      world.driver.drive(() => world.activities(withChannels(world)).deliverNotice({ noticeId: paused!, again }));
    await deliver(false);
    const { subscriptionId } = subscribed;
    const change = { subscriptionId, patch: { email: 'new@example.org' }, actor: 'till', at: world.clock.now() };
    expect(await changePayer(world.deps.ledger, change)).toMatchObject({
      notices: [{ type: 'subscription.resumed' }],
    });
    expect(told()).toEqual([]);
    await reopenNotice(world.deps.ledger, paused!, { actor: 'till', at: world.clock.now() });
    await deliver(true);
    expect(told()).toEqual(['subscription.paused']);
  });
});

it('a request is carried out once, however often it is repeated', async () => {
  const { world } = test;
  const { clock, ledger } = world.deps;
  const subscribed = await world.due();
  const request = { until: null, requestId: 'request-1', actor: 'ops', reason: null };
  const ask = () =>
    steer(ledger, 'pause', subscribed.subscriptionId, request, { at: clock.now(), realAt: clock.realNow() });
  const first = await ask();
  expect(first.kind).toBe('steered');
  expect(await ask()).toEqual(first);
  expect((await world.trail(subscribed)).filter((type) => type === 'subscription.paused')).toHaveLength(1);
});
