import { randomBytes, randomUUID } from 'node:crypto';
import {
  Client,
  type WorkflowClientInterceptor,
  type WorkflowHandle,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure, type Payload, type PayloadCodec } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { type Dependencies, NO_COUNTING, recordActivities } from '../../activities/dependencies';
import { createClock } from '../../src/clock';
import type { Activities } from '../../src/contract/activities';
import { stateQuery } from '../../src/contract/messages';
import { peopleQueue, queueName, subscriptionWorkflowId } from '../../src/contract/workflows';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { DAY } from '../../src/domain/time';
import { createTemporalGateway, type SubscriptionGateway } from '../../src/gateway';
import { getSubscription, listEvents, openConsent, readDraft, type SubscriptionDraft } from '../../src/ledger';
import { createPayloadEncryption, forWorkers } from '../../src/payload-encryption';
import { builtWorkflows } from '../support/built-workflows';
import { waitUntil } from '../support/wait-until';
import { useGatewayWorld } from './gateway-world';
import { address } from './order';

/**
 * Temporal is a second door to a subscription: with encryption keys nothing is told through it without a key, and with one
 * nothing that the API has not put on record. What is refused is reported, and the workflow goes on.
 */

const world = useGatewayWorld();
/** A day a second, so that something falls due while a test runs. */
const clock = createClock({ virtualStart: Date.UTC(2027, 0, 1), realStart: Date.now(), speed: 86_400 });
const codec = createPayloadEncryption([{ id: 'k1', key: randomBytes(32).toString('base64') }], { plainAllowed: false });
const BY = { actor: 'till', keyId: randomUUID() };
const FORGER = { actor: 'till', keyId: BY.keyId, reason: 'because I can' };

let gateway: SubscriptionGateway;
let client: Client;
let [logged, counted, collected]: [unknown[], string[], number[]] = [[], [], []];
/** Arguments of updates, as the API sends them: which run takes one is the workflow's own affair. */
let sent: unknown[] = [];

beforeEach(() => {
  client = clientWith(codec);
  [logged, counted, collected, sent] = [[], [], [], []];
  const retryPolicy = { offsets: [DAY], transit: 0, gap: 0 };
  gateway = createTemporalGateway({
    ...world.access(),
    client,
    clock,
    retryPolicy,
    spreadSeconds: 0,
    increaseNotice: 0,
    patience: { createMs: 20_000, steerMs: 20_000, cancelMs: 20_000 },
  });
});

function clientWith(payloadCodec: PayloadCodec): Client {
  const listening: WorkflowClientInterceptor = {
    startUpdate(input, next) {
      sent.push(input.args[0]);
      return next(input);
    },
  };
  return new Client({
    connection: world.env.connection,
    dataConverter: { payloadCodecs: [payloadCodec] },
    interceptors: { workflow: [listening] },
  });
}

/** The workflow, the ledger and what is reported are as they are; only the payment service is played. */
function activities(): Partial<Activities> {
  const counting = { ...NO_COUNTING, recordUnrecorded: (request: string) => counted.push(request) };
  const log = { warn: (entry: unknown) => logged.push(entry) };
  return {
    ...recordActivities({ ledger: world.db, clock, log, counting } as unknown as Dependencies),
    async requestConsent({ subscriptionId }) {
      const [paymentId, requestedRealAt] = [`pay_${randomUUID()}` as PaymentId, clock.realNow()];
      const { draftedRealAt } = (await readDraft(world.db, subscriptionId))!;
      const opened = { paymentId, requestedRealAt, redirectURL: 'https://bank.example/', at: clock.now() };
      await openConsent(world.db, { subscriptionId, draftedRealAt, ...opened });
      return { kind: 'requested', paymentId, requestedRealAt };
    },
    awaitConsent: async () => ({ kind: 'granted' }),
    cancelConsent: async () => ({ by: 'merchant' as const }),
    async collectPayment({ cycle }) {
      collected.push(cycle);
      return { kind: 'collected', authorizationId: null, captureId: null, at: clock.now() };
    },
    deliverNotice: async () => undefined,
  };
}

async function withWorker(work: () => Promise<void>): Promise<void> {
  const activitiesAlone = {
    connection: world.env.nativeConnection,
    activities: activities(),
    dataConverter: { payloadCodecs: [forWorkers(codec)] },
  };
  const common = { ...activitiesAlone, ...builtWorkflows(), debugMode: true };
  const base = await Worker.create({ ...common, taskQueue: world.taskQueue });
  const people = await Worker.create({ ...common, taskQueue: peopleQueue(world.taskQueue) });
  const ledger = await Worker.create({ ...activitiesAlone, taskQueue: queueName(world.taskQueue, 'ledger') });
  const collecting = await Worker.create({ ...activitiesAlone, taskQueue: queueName(world.taskQueue, 'collecting') });
  const notices = await Worker.create({ ...activitiesAlone, taskQueue: queueName(world.taskQueue, 'notices') });
  const delivering = () => notices.runUntil(work);
  await base.runUntil(() => people.runUntil(() => ledger.runUntil(() => collecting.runUntil(delivering))));
}

async function subscribe(): Promise<SubscriptionId> {
  const subscriptionId = `sub_${randomUUID()}` as SubscriptionId;
  const draft: SubscriptionDraft = {
    subscriptionId,
    workflowId: subscriptionWorkflowId(subscriptionId),
    repetition: 'WEEKLY',
    consentAmount: euros(1999),
    startAt: clock.now(),
    firstPaymentAt: clock.now() + 10 * DAY,
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
  };
  expect(await gateway.create(draft, BY)).toEqual({ kind: 'created' });
  await waitUntil('it is active', async () => (await rowOf(subscriptionId))?.status === 'active');
  return subscriptionId;
}

const rowOf = (id: SubscriptionId) => getSubscription(world.db, id);
const handleOf = (id: SubscriptionId, by = client): WorkflowHandle => by.workflow.getHandle(subscriptionWorkflowId(id));

async function trailOf(subscriptionId: SubscriptionId) {
  return (await listEvents(world.db, { subscriptionId }, { limit: 50, cursor: null })).items;
}

/** How the workflow refuses an update. */
async function refusalOf(handle: WorkflowHandle, name: string, argument: unknown): Promise<[string, string]> {
  const error = await handle
    .executeUpdate<void, [unknown]>(name, { args: [argument] })
    .catch((caught: unknown) => caught);
  if (!(error instanceof WorkflowUpdateFailedError) || !(error.cause instanceof ApplicationFailure)) throw error;
  return [error.cause.type ?? '', error.cause.message];
}

/** It collects what falls due, takes what the API asks, and no task of its workflow has failed. */
async function expectGoesOn(id: SubscriptionId): Promise<void> {
  const before = collected.length;
  await waitUntil('the next due date is collected', () => collected.length > before);
  const asked = { ...BY, reason: 'they asked' };
  expect(await gateway.steer('skip', id, { ...asked, cycle: 70 })).toEqual({ kind: 'done' });
  expect((await handleOf(id).query(stateQuery)).skips).toContain(70);
  const { events } = await handleOf(id).fetchHistory();
  expect(events?.filter((each) => each.workflowTaskFailedEventAttributes != null)).toEqual([]);
  expect(await gateway.steer('cancel', id, asked)).toEqual({ kind: 'done' });
}

test('without a key nothing is told: it is refused as what cannot be read', async () => {
  await withWorker(async () => {
    const id = await subscribe();
    const plain = handleOf(id, world.env.client);
    const why = 'a payload is not encrypted; PAYLOAD_PLAIN_ALLOWED=true reads what was stored before the keys';
    for (const name of ['skipCycle', 'cancel', 'checkConsent', 'requestConsent', 'adoptConsent']) {
      expect(await refusalOf(plain, name, { ...FORGER, cycle: 1 })).toEqual([
        'invalid_request',
        `update ${name} cannot be read: ${why}`,
      ]);
    }
    await plain.signal<unknown[]>('steered', 9);
    await plain.signal<unknown[]>('lookAtConsent', 'x');
    await plain.signal<unknown[]>('replacement', { by: 'sub_2', from: clock.now(), stage: 'granted' });
    await expect(plain.query<unknown, unknown[]>('judgeChange', {})).rejects.toThrow(
      'query judgeChange cannot be read',
    );
    expect(await rowOf(id)).toMatchObject({ status: 'active', replacedBy: null });
    await expectGoesOn(id);
  });
});

test('what was sealed for another workflow, by another key, or was changed, is refused', async () => {
  await withWorker(async () => {
    const [id, other] = [await subscribe(), await subscribe()];
    const argument = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(FORGER)) };
    const sealFor = async (by: PayloadCodec, workflowId: string): Promise<Payload> =>
      (await by.encode([argument], { type: 'workflow', namespace: 'default', workflowId }))[0]!;
    const foreign = createPayloadEncryption([{ id: 'k9', key: randomBytes(32).toString('base64') }], {
      plainAllowed: false,
    });
    const own = subscriptionWorkflowId(id);
    const stolen = await sealFor(codec, subscriptionWorkflowId(other));
    const sent: readonly (readonly [Payload, string])[] = [
      [stolen, `a payload belongs to workflow ${subscriptionWorkflowId(other)} in namespace default`],
      [{ ...stolen, metadata: { ...stolen.metadata, 'workflow-id': Buffer.from(own) } }, 'a payload was changed'],
      [await sealFor(foreign, own), 'a payload is encrypted with key k9, which is not configured'],
    ];
    for (const [payload, why] of sent) {
      const forger = clientWith({
        encode: async () => [payload],
        decode: (all, context) => codec.decode(all, context),
      });
      const [type, message] = await refusalOf(handleOf(id, forger), 'cancel', 'replaced by the payload');
      expect([type, message]).toEqual([
        'invalid_request',
        expect.stringContaining(`update cancel cannot be read: ${why}`),
      ]);
    }
    await expectGoesOn(id);
    expect((await rowOf(other))?.status).toBe('active');
    await gateway.steer('cancel', other, { ...BY, reason: null });
  });
});

const FORGED: readonly [name: string, verb: string, argument: object][] = [
  ['skipCycle', 'skip', { ...FORGER, cycle: 50 }],
  ['pause', 'pause', { ...FORGER, until: null }],
  ['cancel', 'cancel', FORGER],
];

test('with a key, but past the API: refused and reported, and nothing has changed', async () => {
  await withWorker(async () => {
    const id = await subscribe();
    for (const [name, , argument] of FORGED) {
      expect(await refusalOf(handleOf(id), name, argument)).toEqual([
        'state_conflict',
        'it names no request of the admin API',
      ]);
    }
    const verbs = FORGED.map(([, verb]) => verb);
    expect(await rowOf(id)).toMatchObject({ status: 'active', pausedUntil: null, cancelledBy: null });
    expect(await handleOf(id).query(stateQuery)).toMatchObject({ status: 'active', skips: [], cancellation: null });
    const entries = (await trailOf(id)).filter(({ type }) => type === 'request.unrecorded');
    expect(entries.map(({ actor, data }) => [actor, data['request'], data['message']]).toReversed()).toEqual(
      verbs.map((verb) => ['dueday', verb, 'it names no request of the admin API']),
    );
    expect(counted).toEqual(verbs);
    expect(logged).toEqual(
      verbs.map((request) => ({
        security: 'request.unrecorded',
        subscriptionId: id,
        request,
        why: 'it names no request of the admin API',
      })),
    );
    await expectGoesOn(id);
  });
});

test('what the API asked once is not done again, nor something else in its name', async () => {
  await withWorker(async () => {
    const id = await subscribe();
    expect(await gateway.steer('skip', id, { ...BY, reason: null, cycle: 30 })).toEqual({ kind: 'done' });
    const asked = sent.at(-1) as object;
    expect(asked).toMatchObject({ cycle: 30, onRecord: expect.any(String) });

    expect((await refusalOf(handleOf(id), 'skipCycle', asked))[1]).toBe('its request is used up');
    expect((await refusalOf(handleOf(id), 'skipCycle', { ...asked, cycle: 40 }))[1]).toBe(
      'its request was made with another argument',
    );
    expect(await handleOf(id).query(stateQuery)).toMatchObject({ skips: [30] });
    expect(counted).toEqual(['skip', 'skip']);
    await expectGoesOn(id);
  });
});
