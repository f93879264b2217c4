import type { NoticeKind } from '../../src/contract/notices';
import type { NoticeId } from '../../src/domain/ids';
import { DAY, HOUR, type Instant, MINUTE, SECOND, toIso } from '../../src/domain/time';
import {
  applyChange,
  changePayer,
  getCycle,
  getNotice,
  listNotices,
  listUnacknowledged,
  nextNoticeTry,
  readNoticeForDelivery,
  readRevision,
  recordManualNotification,
  reopenNotice,
} from '../../src/ledger';
import { deliverDueNotices, type NoticeDeps } from '../../src/jobs/deliver-notices';
import { type ChannelResult, createNotifier, type NoticeResult, type Notifier } from '../../src/notices';
import { AMOUNT, PERSON, type Subscribed, useWorld, type World } from '../activities/activity-world';
import { orderedNotices } from '../activities/deliver-notice';
import { emptyLedger } from '../support/empty-ledger';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver';

const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;

const FIRST = { limit: 50, cursor: null };

const holder = useWorld();
let receiver: WebhookReceiver;
let merchant: WebhookReceiver;
let notifiers: Notifier[] = [];

beforeEach(async () => {
  await emptyLedger(holder.world.deps.ledger);
  [receiver, merchant] = await Promise.all([startWebhookReceiver(), startWebhookReceiver()]);
});
afterEach(async () => {
  await Promise.all(notifiers.map((notifier) => notifier.close()));
  notifiers = [];
  await Promise.all([receiver.close(), merchant.close()]);
});

function withChannels(world: World): Pick<NoticeDeps, 'notifier'> {
  const { clock, log } = world.deps;
  const webhook = (to: WebhookReceiver) => ({ url: to.url, secret: SECRET });
  const [payerWebhook, eventWebhook] = [webhook(receiver), webhook(merchant)];
  const notifier = createNotifier({ clock, logger: log, payerWebhook, eventWebhook });
  notifiers.push(notifier);
  return { notifier };
}

/** A refused attempt of the first cycle, about which the payer is to be notified. */
interface Rejected extends Subscribed {
  readonly noticeId: NoticeId;
  readonly retryAt: Instant;
  readonly retryUntil: Instant;
}

async function createRejected(world: World): Promise<Rejected> {
  const subscribed = await world.due('insufficient-funds-once');
  const { result } = await world.collect(world.input(subscribed));
  if (result.kind !== 'rejected') throw new Error(result.kind);
  const { subscriptionId, dueAt } = subscribed;
  const [noticeId] = await orderedNotices(world, subscriptionId, 'dunning/0/0');
  expect(await world.decide(subscribed)).toMatchObject({ kind: 'wait' });
  return { ...subscribed, noticeId: noticeId!, retryAt: dueAt + DAY, retryUntil: dueAt + 3 * DAY };
}

interface Delivering {
  /** Called after each failed try, before the wait for the next one. */
  readonly onWait?: (tries: number) => void | Promise<void>;
}

const MAX_TRIES = 400;

/** Delivers what is due, and what falls due after it, until nothing is open. @returns the waits between tries, in ms */
async function deliverAll(
  world: World,
  deps: Partial<NoticeDeps> = withChannels(world),
  { onWait }: Delivering = {},
): Promise<readonly number[]> {
  const waits: number[] = [];
  while (waits.length < MAX_TRIES) {
    await deliverDueNotices(world.outbox(deps));
    const next = await nextNoticeTry(world.deps.ledger);
    if (next === null) return waits;
    const wait = next - world.clock.realNow();
    // The delivery of a notice may lead to another notice.
    if (wait <= 0) continue;
    const tries = waits.push(wait);
    await onWait?.(tries);
    world.clock.pass(wait);
  }
  throw new Error(`not settled after ${MAX_TRIES} tries`);
}

/** Delivers until no notice is open. @returns the state of the notice then */
async function notify(world: World, { noticeId }: Rejected, deps = withChannels(world), how: Delivering = {}) {
  const changed: unknown[] = [];
  const notified: NoticeDeps['notify'] = async (subscriptionId, revision) =>
    void changed.push({ subscriptionId, revision });
  const waits = await deliverAll(world, { ...deps, notify: notified }, how);
  const { state, deliveredAt, lastError } = (await readNoticeForDelivery(world.deps.ledger, noticeId))!;
  return { changed, waits, state, at: deliveredAt, reason: lastError };
}

it('a notice to the payer is delivered once, with the evidence stored, whatever runs again', async () => {
  const { world } = holder;
  const input = await createRejected(world);
  const { subscriptionId } = input;
  const at = world.clock.now();
  const before = (await readRevision(world.deps.ledger, subscriptionId))!;
  const first = await notify(world, input);
  expect(first).toMatchObject({ state: 'delivered', at });
  expect(first.changed).toEqual([{ subscriptionId, revision: before + 1 }]);
  // The workflow is notified again until it has acknowledged the change.
  expect(await listUnacknowledged(world.deps.ledger, '', 10)).toContainEqual(first.changed[0]);
  world.clock.pass(HOUR);
  expect(await notify(world, input)).toEqual({ ...first, changed: [] });
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
  expect((await world.auditLog(input)).filter((each) => each === 'notice.delivered')).toHaveLength(1);
  expect(await world.decide(input)).toMatchObject({ kind: 'wait', until: input.retryAt });
});

it.each([
  ['45 seconds', null, 45 * SECOND],
  ['half a day of a test clock that runs 6,000 times as fast', 6_000, 7_200],
])('a notice to the payer is tried again %s after the delivering process died', async (_wait, speed, lease) => {
  const { world } = holder;
  const { noticeId } = await createRejected(world);
  const setting = speed === null ? null : { virtualStart: 0, realStart: 0, speed };
  const clock = Object.create(world.clock, { setting: { value: setting } }) as NoticeDeps['clock'];
  const died: Notifier = {
    deliver: () => new Promise(() => undefined),
    close: async () => undefined,
  };
  void deliverDueNotices(world.outbox({ clock, notifier: died }));
  const { ledger } = world.deps;
  while ((await nextNoticeTry(ledger))! <= world.clock.realNow());
  world.clock.pass(lease - 1);
  const living = world.outbox(withChannels(world));
  expect(await deliverDueNotices(living)).toBe(0);
  world.clock.pass(1);
  expect(await deliverDueNotices(living)).toBe(1);
  expect(await getNotice(ledger, noticeId)).toMatchObject({ state: 'delivered' });
});

it('a notice to the payer waits while the ledger is restored or copied, and goes out once it is accepted', async () => {
  const { world } = holder;
  const input = await createRejected(world);
  const { ledger } = world.deps;
  await ledger.query(`update restore_guard set identity = 'elsewhere'`);
  expect(await deliverDueNotices(world.outbox(withChannels(world)))).toBe(0);
  expect(receiver.received).toHaveLength(0);
  await ledger.query('update restore_guard set identity = ledger_identity()');
  expect(await notify(world, input)).toMatchObject({ state: 'delivered', waits: [] });
  expect(receiver.received).toHaveLength(1);
});

it('a notice to the payer is tried again with the back-off that was set, the last wait repeated', async () => {
  const { world } = holder;
  const input = await createRejected(world);
  receiver.answer((response) => void response.writeHead(503).end());
  const { state, waits } = await notify(world, input, withChannels(world), {
    onWait: (tries) => {
      if (tries === 4) receiver.answer((response) => void response.writeHead(204).end());
    },
  });
  expect(waits).toEqual([5, 30, 30, 30].map((seconds) => seconds * SECOND));
  expect(state).toBe('delivered');
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

it('a notice to the payer that is sent late names the retry that its delivery leads to', async () => {
  const { world } = holder;
  const input = await createRejected(world);
  world.clock.passUntil(input.retryAt + HOUR);
  const at = world.clock.now();
  expect(await notify(world, input)).toMatchObject({ state: 'delivered', at });
  const { data } = JSON.parse(receiver.received[0]!.body) as { data: Record<string, unknown> };
  expect(data).toMatchObject({ attempt: 0, retryAt: toIso(at + MINUTE), retriesLeft: 3 });
  expect(await world.decide(input)).toMatchObject({ kind: 'wait', until: at + MINUTE });
});

it('a notice to a receiver that answers 410 is not sent again, and stays open for an operator until the last moment for a retry', async () => {
  const { world } = holder;
  const input = await createRejected(world);
  world.clock.passUntil(input.retryUntil - MINUTE);
  receiver.answer((response) => void response.writeHead(410).end());
  const given = await notify(world, input);
  const reason = 'the webhook answered 410: it wants no more notices';
  expect(given).toMatchObject({ state: 'undeliverable', reason, changed: [], waits: [] });
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

it('a notice to the payer without a channel is undeliverable, and its cycle waits until the last moment for a retry', async () => {
  const { world } = holder;
  const input = await createRejected(world);
  world.clock.passUntil(input.retryUntil - MINUTE);
  const given = await notify(world, input, { notifier: world.outbox().notifier });
  expect(given).toMatchObject({ state: 'undeliverable', reason: 'no channel to payers is configured' });
  expect(await world.decide(input)).toMatchObject({ kind: 'wait', until: input.retryUntil });
});

it('a notice to the payer that was given up counts as delivered from when an operator has notified the payer', async () => {
  const { world } = holder;
  const input = await createRejected(world);
  receiver.answer((response) => void response.writeHead(410).end());
  await notify(world, input);
  const toldAt = world.clock.now() + 1;
  world.clock.pass(MINUTE);
  const { items } = await listNotices(world.deps.ledger, { subscriptionId: input.subscriptionId }, FIRST);
  expect(items).toMatchObject([{ state: 'undeliverable', type: 'payment.failed' }]);
  const who = { actor: 'till', at: world.clock.now(), realAt: world.clock.realNow() };
  const word = { noticeId: input.noticeId, channel: 'phone', toldAt, evidence: 'spoke to the payer' };
  expect(await recordManualNotification(world.deps.ledger, { ...word, ...who })).toMatchObject({ kind: 'recorded' });
  expect(await world.decide(input)).toMatchObject({ kind: 'wait', until: input.retryAt });
  expect(await notify(world, input)).toMatchObject({ state: 'delivered', at: toldAt });
  expect(receiver.received).toHaveLength(1);
});

it('a notice to the payer that was given up is sent to the new address once an operator has changed the address', async () => {
  const { world } = holder;
  const input = await createRejected(world);
  const { subscriptionId } = input;
  receiver.answer((response) => void response.writeHead(410).end());
  await notify(world, input);
  receiver.answer((response) => void response.writeHead(204).end());
  const change = { subscriptionId, patch: { email: 'new@example.org' }, actor: 'till', at: world.clock.now() };
  expect(await changePayer(world.deps.ledger, change)).toEqual({ kind: 'changed' });
  expect((await notify(world, input)).state).toBe('delivered');
  expect(receiver.received).toHaveLength(2);
  expect(JSON.parse(receiver.received[1]!.body)).toMatchObject({ data: { payer: { email: 'new@example.org' } } });
});

it.each([
  [-1, 'delivered', 1],
  [0, 'undeliverable', 0],
])('a notice %i ms from the last moment for a retry is %s', async (offset, state, posts) => {
  const { world } = holder;
  const input = await createRejected(world);
  world.clock.passUntil(input.retryUntil + offset);
  expect((await notify(world, input)).state).toBe(state);
  expect(receiver.received).toHaveLength(posts);
});

it('a notice to the payer is given up at the last moment for a retry, and no later', async () => {
  const { world } = holder;
  const input = await createRejected(world);
  world.clock.passUntil(input.retryUntil - MINUTE);
  receiver.answer((response) => void response.writeHead(500).end());
  const { state, waits } = await notify(world, input);
  expect(state).toBe('undeliverable');
  expect(waits).toEqual([5 * SECOND, 30 * SECOND, 30 * SECOND]);
  expect(receiver.received).toHaveLength(3);
  expect(await getCycle(world.deps.ledger, input.subscriptionId, 0)).toMatchObject({
    status: 'failed',
    reason: 'notice_undeliverable',
  });
});

it('a notice to the payer by a process that died before it could store the delivery is sent again under the same id', async () => {
  const { world } = holder;
  const input = await createRejected(world);
  const { notifier } = withChannels(world);
  let alive = true;
  const dying = {
    ...notifier,
    deliver: async (...call: Parameters<typeof notifier.deliver>): Promise<NoticeResult> => {
      const result = await notifier.deliver(...call);
      if (!alive) return result;
      alive = false;
      throw new Error('kill -9 after the delivery');
    },
  };
  const { state, waits } = await notify(world, input, { notifier: dying });
  expect({ state, waits }).toEqual({ state: 'delivered', waits: [45 * SECOND] });
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(receiver.received).toHaveLength(2);
});

const GONE: ChannelResult = { kind: 'gone', channel: 'webhook', reason: 'the webhook answered 410' };

/** Returns the warnings in the log, too. */
function answering(world: World, deliver: Notifier['deliver']) {
  const warned: unknown[] = [];
  const logger = Object.assign(Object.create(world.deps.log) as World['deps']['log'], {
    warn: (...line: unknown[]) => warned.push(line),
  });
  return { warned, deps: { notifier: { ...world.outbox().notifier, deliver }, logger } };
}

const byMail = (world: World, others: readonly ChannelResult[]): NoticeResult => {
  const evidence = { smtpResponse: '250 ok' };
  return { kind: 'delivered', channel: 'email', evidence, at: world.clock.realNow(), others };
};

it('a notice to the payer delivered on one channel while the other refuses it for good opens an attention item', async () => {
  const { world } = holder;
  const input = await createRejected(world);
  const { warned, deps } = answering(world, async () => byMail(world, [GONE]));
  expect((await notify(world, input, deps)).state).toBe('delivered');
  expect(warned).toEqual([[expect.objectContaining({ channel: 'webhook' }), 'channel gone']]);
});

it('a notice to the payer that one channel refuses for good, while the other channel fails, is tried again only on the other channel', async () => {
  const { world } = holder;
  const input = await createRejected(world);
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

async function orderNotice(world: World, key = 'change-1'): Promise<NoticeId> {
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

it('a stored notice is delivered once', async () => {
  const { world } = holder;
  const noticeId = await orderNotice(world);
  for (const time of [1, 2]) {
    await deliverAll(world);
    expect({ time, posts: merchant.received.length }).toEqual({ time, posts: 1 });
  }
  expect(await stateOf(world, noticeId)).toBe('delivered');
});

it('a stored notice is delivered once more if an operator resends it, and the first delivery remains recorded', async () => {
  const { world } = holder;
  const noticeId = await orderNotice(world);
  await deliverAll(world);
  const before = await getNotice(world.deps.ledger, noticeId);
  world.clock.pass(HOUR);
  merchant.answer((response) => void response.writeHead(500).end());
  await reopenNotice(world.deps.ledger, noticeId, { actor: 'till', at: world.clock.now() });
  const waits = await deliverAll(world, withChannels(world), {
    onWait: () => merchant.answer((response) => void response.writeHead(204).end()),
  });
  expect(waits).toEqual([5 * SECOND]);
  expect(merchant.received).toHaveLength(3);
  expect(new Set(merchant.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(await getNotice(world.deps.ledger, noticeId)).toEqual(before);
});

it('delivering a notice to the merchant without an event webhook writes only an audit entry', async () => {
  const { world } = holder;
  const noticeId = await orderNotice(world);
  await deliverAll(world, {});
  expect(await readNoticeForDelivery(world.deps.ledger, noticeId)).toMatchObject({
    state: 'delivered',
    channel: 'audit_log',
  });
});

it('the delivery of a stored notice is tried for a week and then given up', async () => {
  const { world } = holder;
  const noticeId = await orderNotice(world);
  merchant.answer((response) => void response.writeHead(500).end());
  const from = world.clock.realNow();
  const waits = await deliverAll(world, { ...withChannels(world), noticeBackoff: [5, 12 * 3600] });
  expect(waits.slice(0, 3)).toEqual([5 * SECOND, 12 * HOUR, 12 * HOUR]);
  expect(world.clock.realNow() - from).toBeGreaterThan(7 * DAY);
  expect(world.clock.realNow() - from).toBeLessThan(8 * DAY);
  expect(await stateOf(world, noticeId)).toBe('undeliverable');
});

/** Orders the notices of states that the subscription passes through, one after the other. */
async function passThrough(world: World, { subscriptionId }: Subscribed, ...types: NoticeKind[]): Promise<NoticeId[]> {
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

it('a notice of a state that has ended between two tries is given up, so that the payer never receives it after the later notice', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const [paused] = await passThrough(world, subscribed, 'subscription.paused');
  const outbox = world.outbox(withChannels(world));
  receiver.answer((response) => void response.writeHead(503).end());
  await deliverDueNotices(outbox);
  receiver.answer((response) => void response.writeHead(204).end());
  await passThrough(world, subscribed, 'subscription.resumed');
  await deliverDueNotices(outbox);
  world.clock.pass(5 * SECOND);
  expect(await deliverDueNotices(outbox)).toBe(1);
  expect(told()).toEqual(['subscription.paused', 'subscription.resumed']);
  expect(await read(world, paused!)).toMatchObject({
    state: 'undeliverable',
    lastError: 'overtaken: what it says no longer holds',
  });
  const [entry] = await world.events(subscribed, 'notice.undeliverable');
  expect(entry?.data).toMatchObject({ noticeId: paused, type: 'subscription.paused' });
});

it.each(['subscription.paused', 'subscription.resumed', 'subscription.cancelled', 'subscription.completed'] as const)(
  'a notice of a state is overtaken by a later %s, and by none of another subscription',
  async (later) => {
    const { world } = holder;
    const [one, other] = [await world.due(), await world.due()];
    const [paused] = await passThrough(world, one, 'subscription.paused');
    const [untouched] = await passThrough(world, other, 'subscription.resumed');
    await passThrough(world, one, later);
    expect(await read(world, paused!)).toMatchObject({ isOvertaken: true });
    expect(await read(world, untouched!)).toMatchObject({ isOvertaken: false });
  },
);

it('a notice of a state is not overtaken by an earlier notice or by one about a payment, nor after the subscription has ended', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const types = ['subscription.cancelled', 'subscription.paused', 'payment.increase_announced'] as const;
  const [cancelled, paused] = await passThrough(world, subscribed, ...types);
  expect(await read(world, cancelled!)).toMatchObject({ isOvertaken: false });
  expect(await read(world, paused!)).toMatchObject({ isOvertaken: false });
});

it('a notice of a state that has ended is delivered if an operator resends it, but not because the address is corrected', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const [paused] = await passThrough(world, subscribed, 'subscription.paused', 'subscription.resumed');
  const outbox = world.outbox(withChannels(world));
  await deliverDueNotices(outbox);
  expect(told()).toEqual(['subscription.resumed']);
  const { subscriptionId } = subscribed;
  const change = { subscriptionId, patch: { email: 'new@example.org' }, actor: 'till', at: world.clock.now() };
  await changePayer(world.deps.ledger, change);
  expect(await deliverDueNotices(outbox)).toBe(0);
  await reopenNotice(world.deps.ledger, paused!, { actor: 'till', at: world.clock.now() });
  await deliverDueNotices(outbox);
  expect(told()).toEqual(['subscription.resumed', 'subscription.paused']);
});

async function createInDunning(world: World, retryAt: string | null) {
  const { subscriptionId, dueAt, collectBy } = await world.due();
  const at = world.clock.now();
  const data = {
    cycle: 0,
    attempt: 0,
    amount: AMOUNT,
    dueAt: toIso(dueAt),
    detail: 'X',
    description: 'X',
    retriesLeft: 1,
  };
  await applyChange(world.deps.ledger, {
    ...{ subscriptionId, key: 'dunning/0/0', at, actor: 'dueday', events: [] },
    cycle: { cycle: 0, dueAt, collectBy, amount: AMOUNT, status: 'dunning' },
    notices: [{ type: 'payment.failed', cycle: 0, attempt: 0, data: { ...data, retryAt } }],
  });
  const [noticeId] = await orderedNotices(world, subscriptionId, 'dunning/0/0');
  const cycle = { cycle: 0, dueAt, collectBy, amount: AMOUNT, status: 'failed' } as const;
  await applyChange(world.deps.ledger, { subscriptionId, key: 'closed', at, actor: 'dueday', events: [], cycle });
  return noticeId!;
}

it('a notice that promises a retry is given up once nothing waits for it, and delivered if an operator resends it', async () => {
  const { world } = holder;
  const noticeId = await createInDunning(world, '2027-02-01T10:00:00.000Z');
  await deliverAll(world);
  expect(await getNotice(world.deps.ledger, noticeId)).toMatchObject({
    state: 'undeliverable',
    lastError: 'nothing waits for it any more',
  });
  expect(receiver.received).toHaveLength(0);
  await reopenNotice(world.deps.ledger, noticeId, { actor: 'till', at: world.clock.now() });
  await deliverAll(world);
  expect(await getNotice(world.deps.ledger, noticeId)).toMatchObject({ state: 'delivered' });
});

it('a notice of a failure that promises no retry is delivered: it says what has happened', async () => {
  const { world } = holder;
  const noticeId = await createInDunning(world, null);
  await deliverAll(world);
  expect(await getNotice(world.deps.ledger, noticeId)).toMatchObject({ state: 'delivered' });
  expect(receiver.received).toHaveLength(1);
});

it('several processes send each notice once, and a notice that is resent meanwhile once more', async () => {
  const { world } = holder;
  const input = await createRejected(world);
  const { ledger } = world.deps;
  const { notifier } = withChannels(world);
  let resend = true;
  const slow: Notifier = {
    ...notifier,
    deliver: async (...call) => {
      // Another process finds nothing that is due, until an operator resends it.
      expect(await deliverDueNotices(world.outbox({ notifier }))).toBe(0);
      if (resend) await reopenNotice(ledger, input.noticeId, { actor: 'till', at: world.clock.now() });
      resend = false;
      return notifier.deliver(...call);
    },
  };
  expect(await deliverDueNotices(world.outbox({ notifier: slow }))).toBe(1);
  expect(await getNotice(ledger, input.noticeId)).toMatchObject({ state: 'delivered', deliveries: 1 });
  expect(await deliverDueNotices(world.outbox({ notifier: slow }))).toBe(1);
  expect(await nextNoticeTry(ledger)).toBeNull();
  expect(receiver.received).toHaveLength(2);
});

it('a failed delivery of a notice that was resent meanwhile leaves the resend due', async () => {
  const { world } = holder;
  const input = await createRejected(world);
  const { notifier } = withChannels(world);
  const failing: Notifier = {
    ...notifier,
    deliver: async () => {
      await reopenNotice(world.deps.ledger, input.noticeId, { actor: 'till', at: world.clock.now() });
      return { kind: 'failed', reason: '503', others: [] };
    },
  };
  await deliverDueNotices(world.outbox({ notifier: failing }));
  expect(await deliverDueNotices(world.outbox({ notifier }))).toBe(1);
  expect(await getNotice(world.deps.ledger, input.noticeId)).toMatchObject({ state: 'delivered' });
});
