import { randomUUID } from 'node:crypto';
import { createTemporalGateway, type SubscriptionGateway } from '../../src/gateway';
import { createClock } from '../../src/clock';
import type { Activities, ConsentRequestResult, SubscriptionRef } from '../../src/contract/activities';
import { isPeopleQueue, subscriptionWorkflowId } from '../../src/contract/workflows';
import type { ConsentResult } from '../../src/domain/subscription/state';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { DAY } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import {
  applyChange,
  discardDraft,
  getSubscription,
  insertDraft,
  listEvents,
  openConsent,
  readDraft,
  type SubscriptionDraft,
  readLedgerState,
  readUnheard,
} from '../../src/ledger';
import { waitUntil } from '../support/wait-until';
import { useGatewayWorld } from './gateway-world';
import { address } from './order';

const world = useGatewayWorld();
const clock = createClock(null);

let gateway: SubscriptionGateway;
let service: ConsentRequestResult['kind'];
let consent: ConsentResult | null;

beforeEach(() => {
  service = 'requested';
  consent = { kind: 'granted' };
  gateway = gatewayWith(20_000);
});

function gatewayWith(patienceMs: number): SubscriptionGateway {
  const patience = { createMs: patienceMs, steerMs: patienceMs, cancelMs: patienceMs };
  const retryPolicy = { offsets: [DAY], transit: 0, gap: 0 };
  return createTemporalGateway({
    ...world.access(),
    clock,
    retryPolicy,
    spreadSeconds: 0,
    increaseNotice: 0,
    patience,
  });
}

/** The workflow as it is, the ledger as it is; only the payment service is played. */
const activities: Partial<Activities> = {
  requestConsent: async ({ subscriptionId }: SubscriptionRef): Promise<ConsentRequestResult> => {
    if (service === 'refused') return { kind: 'refused', detail: 'NO', description: 'not you' };
    if (service === 'unavailable') return { kind: 'unavailable', reason: 'down' };
    const paymentId = `pay_${randomUUID()}` as PaymentId;
    const requestedRealAt = clock.realNow();
    const redirectURL = 'https://bank.example/';
    const { draftedRealAt } = (await readDraft(world.db, subscriptionId))!;
    const opened = { paymentId, redirectURL, requestedRealAt, at: clock.now() };
    await openConsent(world.db, { subscriptionId, draftedRealAt, ...opened });
    return { kind: 'requested', paymentId, requestedRealAt };
  },
  discardDraft: ({ subscriptionId }) => discardDraft(world.db, 'subscriptions', subscriptionId),
  awaitConsent: async () => {
    await waitUntil('the payer has answered', () => consent !== null);
    return consent!;
  },
  lookAtConsent: async ({ tellsUnavailable }) =>
    service === 'unavailable' && tellsUnavailable === true ? { kind: 'unavailable', reason: 'down' } : null,
  cancelConsent: async () => ({ by: 'merchant' as const }),
  deliverNotice: async () => undefined,
  record: (change) => applyChange(world.db, change),
  readLedger: ({ subscriptionId, policy, spread }) =>
    readLedgerState(world.db, subscriptionId, { policy, spread }, clock.now()),
};

const withWorker = (work: () => Promise<void>) => world.withWorker(activities, work);

function draft(changes: Partial<SubscriptionDraft> = {}): SubscriptionDraft {
  const subscriptionId = (changes.subscriptionId ?? `sub_${randomUUID()}`) as SubscriptionId;
  return {
    subscriptionId,
    workflowId: subscriptionWorkflowId(subscriptionId),
    repetition: 'MONTHLY',
    consentAmount: euros(1999),
    startAt: clock.now(),
    firstPaymentAt: clock.now() + 30 * DAY,
    endAt: null,
    onExhausted: 'continue',
    returnURL: 'https://shop.example/',
    payer: { email: null, reference: null },
    billingAddress: address() as unknown as SubscriptionDraft['billingAddress'],
    shippingAddress: null,
    replaces: null,
    warnings: [],
    createdAt: clock.now(),
    draftedRealAt: clock.realNow(),
    ...changes,
  };
}

const BY = { actor: 'till', keyId: randomUUID() };
const asked = { ...BY, reason: 'they asked' };
const statusOf = async (id: SubscriptionId) => (await getSubscription(world.db, id))?.status;
const untilStatus = (id: SubscriptionId, status: string) =>
  waitUntil(`${id} is ${status}`, async () => (await statusOf(id)) === status);

test('a subscription is created, paused, resumed and cancelled by its workflow', async () => {
  const order = draft();
  const id = order.subscriptionId;
  await withWorker(async () => {
    expect(await gateway.create(order, BY)).toEqual({ kind: 'created' });
    await untilStatus(id, 'active');
    // The run that people waited for ends with that; Temporal knows an update that is repeated within one run.
    const workflow = world.env.client.workflow.getHandle(order.workflowId);
    await waitUntil('its next run has begun', async () => !isPeopleQueue((await workflow.describe()).taskQueue));
    const { items } = await listEvents(world.db, { subscriptionId: id }, { limit: 10, cursor: null });
    expect(items.at(-1)).toMatchObject({ actor: 'till', type: 'subscription.requested' });
    expect(JSON.stringify(items)).not.toMatch(/Ada|Hauptstra/);

    const pause = { ...asked, until: null, requestId: '1' };
    expect(await gateway.steer('pause', id, pause)).toEqual({ kind: 'done' });
    expect(await gateway.steer('pause', id, pause)).toEqual({ kind: 'done' });
    expect(await statusOf(id)).toBe('paused');
    const resume = { ...asked, requestId: '1' };
    expect(await gateway.steer('resume', id, resume)).toEqual({ kind: 'done' });
    expect(await gateway.steer('resume', id, resume)).toEqual({ kind: 'done' });
    expect(await statusOf(id)).toBe('active');
    expect(await gateway.steer('resume', id, asked)).toMatchObject({ kind: 'refused', code: 'state_conflict' });
    expect(await gateway.steer('pause', id, { ...asked, until: clock.now() - 1000 })).toMatchObject({
      kind: 'refused',
      code: 'invalid_request',
    });
    expect(await gateway.steer('check_consent', id, asked)).toEqual({ kind: 'done' });

    expect(await gateway.steer('cancel', id, asked)).toEqual({ kind: 'done' });
    expect(await statusOf(id)).toBe('cancelled');
    await waitUntil('the workflow has ended', async () => {
      const { status } = await workflow.describe();
      return status.name === 'COMPLETED';
    });
    expect(await gateway.steer('pause', id, { ...asked, until: null })).toMatchObject({
      kind: 'refused',
      code: 'state_conflict',
    });
    expect(await gateway.steer('acknowledge', id, asked)).toEqual({ kind: 'finished' });
    const whole = (await listEvents(world.db, { subscriptionId: id }, { limit: 50, cursor: null })).items;
    const asksOf = ['requested', 'paused', 'resumed', 'cancel_requested', 'cancelled'].map(
      (each) => `subscription.${each}`,
    );
    expect(
      whole
        .filter(({ keyId }) => keyId === BY.keyId)
        .map(({ type }) => type)
        .toReversed(),
    ).toEqual(asksOf);
    expect(whole.filter(({ actor, keyId }) => (actor === 'till') !== (keyId === BY.keyId))).toEqual([]);
  });
});

test('the Web UI is told amount and repetition, and nobody is told the payer', async () => {
  const order = draft();
  await withWorker(async () => {
    await gateway.create(order, BY);
    const description = await world.env.client.workflow.getHandle(order.workflowId).describe();
    expect(await description.staticSummary()).toBe('MONTHLY 19.99 EUR');
    const found = description.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]);
    expect(found).toEqual(expect.arrayContaining([['DuedayRepetition', 'MONTHLY']]));
    const history = JSON.stringify(await world.env.client.workflow.getHandle(order.workflowId).fetchHistory());
    const readable = history.replace(/"data":"([A-Za-z0-9+/=]+)"/g, (_, data: string) =>
      Buffer.from(data, 'base64').toString(),
    );
    expect(readable).toContain('1999');
    expect(readable).not.toMatch(/Ada|Hauptstra|D-10115/);
    await gateway.steer('cancel', order.subscriptionId, asked);
  });
});

test('what the payment service refuses, or does not answer, leaves nothing and may be sent again', async () => {
  const order = draft();
  await withWorker(async () => {
    service = 'refused';
    expect(await gateway.create(order, BY)).toEqual({ kind: 'refused', detail: 'NO', description: 'not you' });
    expect(await readDraft(world.db, order.subscriptionId)).toBeNull();
    service = 'unavailable';
    expect(await gateway.create(order, BY)).toMatchObject({ kind: 'unavailable' });
    expect(await readDraft(world.db, order.subscriptionId)).toBeNull();
    service = 'requested';
    expect(await gateway.create(order, BY)).toEqual({ kind: 'created' });
    expect(await gateway.create(order, BY)).toEqual({ kind: 'exists' });
    await untilStatus(order.subscriptionId, 'active');
    await gateway.steer('cancel', order.subscriptionId, asked);
  });
});

test('a consent check that the service does not answer is told so, and changes nothing', async () => {
  const order = draft();
  const id = order.subscriptionId;
  await withWorker(async () => {
    await gateway.create(order, BY);
    await untilStatus(id, 'active');
    service = 'unavailable';
    expect(await gateway.steer('check_consent', id, asked)).toEqual({ kind: 'unavailable', reason: 'down' });
    expect(await statusOf(id)).toBe('active');
    await gateway.steer('cancel', id, asked);
  });
});

test('what was steered while no workflow ran is known to the one that is begun anew: nothing is left to signal', async () => {
  const order = draft();
  const id = order.subscriptionId;
  await withWorker(async () => {
    await gateway.create(order, BY);
    await untilStatus(id, 'active');
    const workflow = world.env.client.workflow.getHandle(order.workflowId);
    await workflow.terminate();
    expect(await gateway.steer('pause', id, { ...asked, until: null })).toEqual({ kind: 'done' });
    const unheard = async () => (await readUnheard(world.db, '', 100)).filter((each) => each.subscriptionId === id);
    expect(await unheard()).toMatchObject([{ subscriptionId: id }]);

    expect(await gateway.steer('restart', id, asked)).toEqual({ kind: 'done' });

    expect(await unheard()).toEqual([]);
    expect(await gateway.steer('resume', id, asked)).toEqual({ kind: 'done' });
    expect(await statusOf(id)).toBe('active');
    await gateway.steer('cancel', id, asked);
  });
});

test('without a worker nothing hangs; what was asked is taken up later, by its own terms', async () => {
  // By then it must have begun.
  gateway = gatewayWith(3_000);
  const order = draft();
  expect(await gateway.create(order, BY)).toEqual({ kind: 'not_ready' });
  expect(await getSubscription(world.db, order.subscriptionId)).toBeNull();
  // A minute on, another order comes under the same id: the first may still be carried out, so that it must not change.
  const later = { ...order, consentAmount: euros(5000), draftedRealAt: order.draftedRealAt + 120_000 };
  expect(await gateway.create(later, BY)).toEqual({ kind: 'exists' });
  expect((await readDraft(world.db, order.subscriptionId))?.consentAmount).toEqual(euros(1999));
  gateway = gatewayWith(20_000);
  await withWorker(async () => {
    await untilStatus(order.subscriptionId, 'active');
    expect((await getSubscription(world.db, order.subscriptionId))?.consentAmount).toEqual(euros(1999));
    await gateway.steer('cancel', order.subscriptionId, asked);
  });
});

test('the draft of a process that died before it started the workflow is replaced once it is old enough', async () => {
  const orphan = draft();
  await insertDraft(world.db, orphan, 0);
  // The patience of one creation and 15 s more: by then no process starts that workflow any more.
  const oldAfter = 20_000 + 15_000;
  const at = (ms: number) => draft({ subscriptionId: orphan.subscriptionId, draftedRealAt: orphan.draftedRealAt + ms });
  await withWorker(async () => {
    expect(await gateway.create(at(oldAfter), BY)).toEqual({ kind: 'exists' });
    expect(await gateway.create(at(oldAfter + 1), BY)).toEqual({ kind: 'created' });
    await untilStatus(orphan.subscriptionId, 'active');
    await gateway.steer('cancel', orphan.subscriptionId, asked);
  });
});
