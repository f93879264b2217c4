import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { createTemporalGateway, type ImportOrder, type SubscriptionGateway } from '../../src/gateway';
import { createClock } from '../../src/clock';
import { subscriptionWorkflowId } from '../../src/contract/workflows';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { DAY } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { findMandates, getSubscription, insertImportDraft, listEvents, type SubscriptionDraft } from '../../src/ledger';
import { waitUntil } from '../support/wait-until';
import { useGatewayWorld } from './gateway-world';
import { address } from './order';
import { PlayedService } from './played-service';

const world = useGatewayWorld();
const clock = createClock(null);

let gateway: SubscriptionGateway;
let played: PlayedService;

beforeEach(() => {
  played = new PlayedService(clock);
  gateway = gatewayWith(20_000);
});

function gatewayWith(createMs: number): SubscriptionGateway {
  const retryPolicy = { offsets: [DAY], transit: 0, gap: 0 };
  return createTemporalGateway({
    ...world.access(),
    clock,
    retryPolicy,
    spreadSeconds: 0,
    increaseNotice: 14 * DAY,
    patience: { createMs, cancelMs: 20_000 },
  });
}

/** The workflow, its activities and the ledger are as they are; only the payment service is played. */
const withWorker = (work: () => Promise<void>) => world.withWorker(played.activities(world.db), work);

const KEY_ID = randomUUID();
const ADOPTION = { consentAmount: euros(1500), lastIncreaseAt: null, actor: 'till', keyId: KEY_ID };

function orderOf(changes: Partial<ImportOrder['draft']> = {}): ImportOrder {
  const subscriptionId = (changes.subscriptionId ?? `sub_${randomUUID()}`) as SubscriptionId;
  const draft: ImportOrder['draft'] = {
    subscriptionId,
    workflowId: subscriptionWorkflowId(subscriptionId),
    repetition: 'MONTHLY' as const,
    paymentId: `pay_${subscriptionId}` as PaymentId,
    amount: euros(1500),
    consentAmount: euros(1500),
    startAt: 0,
    firstPaymentAt: clock.now() - 100 * DAY,
    endAt: null,
    onExhausted: 'continue' as const,
    payer: { email: null, reference: null },
    replaces: null,
    warnings: ['mind this'],
    adoption: { ...ADOPTION, collectFrom: clock.now() },
    billingAddress: address() as unknown as SubscriptionDraft['billingAddress'],
    shippingAddress: null,
    createdAt: clock.now(),
    draftedRealAt: clock.realNow(),
    ...changes,
  };
  return { draft };
}

const KEEP = { same: false, otherDraftedBeforeReal: 0 };
const ADOPTED = { kind: 'adopted', warnings: ['mind this'] };

async function trailOf({ draft }: ImportOrder): Promise<string[]> {
  const { items } = await listEvents(world.db, draft, { limit: 10, cursor: null });
  return items.map(({ actor, type }) => `${actor} ${type}`);
}

test('a mandate is taken over, and can be steered from then on', async () => {
  const order = orderOf();
  const id = order.draft.subscriptionId;
  await withWorker(async () => {
    expect(await gateway.adopt(order)).toMatchObject(ADOPTED);
    expect((await getSubscription(world.db, id))?.status).toBe('active');
    expect(await gateway.steer('pause', id, { actor: 'till', reason: null, until: null })).toEqual({ kind: 'done' });
    expect(await gateway.steer('cancel', id, { actor: 'till', reason: null })).toEqual({ kind: 'done' });
  });
  expect((await trailOf(order)).at(-1)).toBe('till subscription.imported');
  const { items } = await listEvents(world.db, { keyId: KEY_ID }, { limit: 10, cursor: null });
  expect(items.map(({ type }) => type)).toEqual(['subscription.imported']);
  const history = JSON.stringify(await world.env.client.workflow.getHandle(order.draft.workflowId).fetchHistory());
  const readable = history.replace(/"data":"([A-Za-z0-9+/=]+)"/g, (_, data: string) =>
    Buffer.from(data, 'base64').toString(),
  );
  expect(readable).not.toMatch(/Ada|Hauptstra/);
});

test('what the service refuses leaves nothing, and may come again', async () => {
  const order = orderOf();
  played.answer = 'failed';
  await withWorker(async () => {
    expect(await gateway.adopt(order)).toMatchObject({ kind: 'refused', faults: [{ path: 'paymentId' }] });
    expect(await findMandates(world.db, order.draft)).toEqual([]);
    played.answer = 'successful';
    expect(await gateway.adopt(order)).toMatchObject(ADOPTED);
  });
  expect(await trailOf(order)).toEqual(['till subscription.imported']);
});

test('the draft of a killed import is taken up at once', async () => {
  const order = orderOf();
  await insertImportDraft(world.db, order.draft, KEEP);
  await withWorker(async () => expect(await gateway.adopt(order)).toMatchObject(ADOPTED));
  expect(await trailOf(order)).toEqual(['till subscription.imported']);
});

test('of five imports of one mandate at once, one takes it over, and all are answered', async () => {
  const order = orderOf();
  let asked = 0;
  played.onConsent = async () => {
    asked += 1;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return null;
  };
  await withWorker(async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => gateway.adopt(order)));
    expect(all).toHaveLength(5);
    all.forEach((outcome) => expect(outcome).toMatchObject(ADOPTED));
  });
  expect(asked).toBe(1);
  expect(await trailOf(order)).toEqual(['till subscription.imported']);
});

test('an import that meets another’s refusal makes its own attempt', async () => {
  const order = orderOf();
  let asked = 0;
  played.onConsent = async () => {
    asked += 1;
    if (asked > 1) return null;
    await new Promise((resolve) => setTimeout(resolve, 500));
    return { kind: 'rejected', failure: { retryable: false, detail: 'NOT_FOUND', description: '', httpStatus: 404 } };
  };
  await withWorker(async () => {
    const first = gateway.adopt(order);
    await waitUntil('the service is asked', () => asked === 1);
    expect(await gateway.adopt(order)).toMatchObject(ADOPTED);
    expect(await first).toMatchObject({ kind: 'refused', faults: [{ path: 'paymentId' }] });
  });
});

test('an id or a payment that is another’s is taken', async () => {
  const order = orderOf();
  const { subscriptionId, paymentId } = order.draft;
  await withWorker(async () => {
    await gateway.adopt(order);
    const taken = { kind: 'taken', by: subscriptionId };
    expect(await gateway.adopt(orderOf({ subscriptionId, paymentId: 'pay_other' as PaymentId }))).toEqual(taken);
    expect(await gateway.adopt(orderOf({ paymentId }))).toEqual(taken);
    expect(await gateway.adopt(order)).toMatchObject(ADOPTED);
  });
});

test('whether there is a worker can be asked', async () => {
  expect(await gateway.hasWorker()).toBe(false);
  await withWorker(async () => expect(await gateway.hasWorker()).toBe(true));
});

test('of a Temporal that cannot be reached no worker is heard, soon', async () => {
  const connection = Connection.lazy({ address: '127.0.0.1:9' });
  const client = new Client({ connection });
  const retryPolicy = { offsets: [DAY], transit: 0, gap: 0 };
  const cutOff = createTemporalGateway({
    ...world.access(),
    client,
    clock,
    retryPolicy,
    spreadSeconds: 0,
    increaseNotice: 14 * DAY,
  });
  const askedAt = performance.now();
  expect(await cutOff.hasWorker()).toBe(false);
  expect(performance.now() - askedAt).toBeLessThan(10_000);
  await connection.close();
});

test('without a worker it is not ready, and taken over once there is one; repeated, it is met', async () => {
  const order = orderOf();
  expect(await gatewayWith(1_000).adopt(order)).toEqual({ kind: 'not_ready' });
  expect(await getSubscription(world.db, order.draft.subscriptionId)).toBeNull();
  await withWorker(async () => expect(await gateway.adopt(order)).toMatchObject(ADOPTED));
  expect(await trailOf(order)).toEqual(['till subscription.imported']);
});
