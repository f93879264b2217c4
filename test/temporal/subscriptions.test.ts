import { randomUUID } from 'node:crypto';
import { createSteering, createSubscriptionWorkflows, type SubscriptionWorkflows } from '../../src/temporal';
import { type Clock, createClock } from '../../src/platform/clock';
import { isInteractiveQueue } from '../../src/contract/workflows';
import { consentCheckWorkflowId } from '../../src/contract/workflow-ids';
import type { SubscriptionId } from '../../src/domain/ids';
import { DAY } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import {
  getSubscription,
  insertDraft,
  listEvents,
  listUnacknowledged,
  markOrphaned,
  readDraft,
  type SubscriptionDraft,
} from '../../src/ledger';
import { draftOf } from '../support/drafts';
import { waitUntil } from '../support/wait-until';
import { useTemporalWorld } from './temporal-world';
import { NO_ANSWER, FakeService } from '../admin/fake-service';

const world = useTemporalWorld();
const clock = createClock(null);

let workflows: SubscriptionWorkflows;
let fake: FakeService;

beforeEach(() => {
  fake = new FakeService(clock);
  workflows = workflowsWith(20_000);
});

function workflowsWith(timeoutMs: number, changes: { checkMs?: number; clock?: Clock } = {}): SubscriptionWorkflows {
  const timeouts = {
    createMs: timeoutMs,
    steerMs: timeoutMs,
    cancelMs: timeoutMs,
    checkMs: changes.checkMs ?? timeoutMs,
  };
  const retryPolicy = { offsets: [DAY], transit: 0, gap: 0 };
  return createSubscriptionWorkflows({
    ...world.access(),
    clock: changes.clock ?? clock,
    retryPolicy,
    spreadSeconds: 0,
    increaseNotice: 0,
    timeouts,
  });
}

/** The workflow, its activities and the ledger are real; only the payment service is a fake. */
const withWorker = (work: () => Promise<void>) => world.withWorker(fake.activities(world.db), work);

const draft = (changes: Partial<SubscriptionDraft> = {}) => draftOf(clock, changes);

const BY = { actor: 'till', keyId: randomUUID() };
const asked = { ...BY, reason: 'they asked' };
const statusOf = async (id: SubscriptionId) => (await getSubscription(world.db, id))?.status;
const untilStatus = (id: SubscriptionId, status: string) =>
  waitUntil(`${id} is ${status}`, async () => (await statusOf(id)) === status);

test('a subscription is created, paused, resumed and cancelled, and repeated requests change nothing', async () => {
  const order = draft();
  const id = order.subscriptionId;
  await withWorker(async () => {
    expect(await workflows.create(order, BY)).toEqual({ kind: 'created' });
    await untilStatus(id, 'active');
    const workflow = world.env.client.workflow.getHandle(order.workflowId);
    await waitUntil(
      'its next run has started, on the queue for work that no caller waits for',
      async () => !isInteractiveQueue((await workflow.describe()).taskQueue),
    );
    const { items } = await listEvents(world.db, { subscriptionId: id }, { limit: 10, cursor: null });
    expect(items.at(-1)).toMatchObject({ actor: 'till', type: 'subscription.requested' });
    expect(JSON.stringify(items)).not.toMatch(/Ada|Hauptstra/);

    const pause = { ...asked, until: null, requestId: '1' };
    expect(await workflows.steer('pause', id, pause)).toEqual({ kind: 'done' });
    expect(await workflows.steer('pause', id, pause)).toEqual({ kind: 'done' });
    expect(await statusOf(id)).toBe('paused');
    const resume = { ...asked, requestId: '1' };
    expect(await workflows.steer('resume', id, resume)).toEqual({ kind: 'done' });
    expect(await workflows.steer('resume', id, resume)).toEqual({ kind: 'done' });
    expect(await statusOf(id)).toBe('active');
    expect(await workflows.steer('resume', id, asked)).toMatchObject({ kind: 'refused', code: 'state_conflict' });
    expect(await workflows.steer('pause', id, { ...asked, until: clock.now() - 1000 })).toMatchObject({
      kind: 'refused',
      code: 'invalid_request',
    });
    expect(await workflows.checkConsent(id)).toEqual({ kind: 'done' });

    expect(await workflows.steer('cancel', id, asked)).toEqual({ kind: 'done' });
    expect(await statusOf(id)).toBe('cancelled');
    await waitUntil('the workflow has ended', async () => {
      const { status } = await workflow.describe();
      return status.name === 'COMPLETED';
    });
    expect(await workflows.steer('pause', id, { ...asked, until: null })).toMatchObject({
      kind: 'refused',
      code: 'state_conflict',
    });
    expect(await workflows.steer('acknowledge', id, asked)).toMatchObject({ kind: 'refused', code: 'state_conflict' });
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

test('Temporal shows the amount and repetition of a subscription, and its history does not contain the payer’s personal data', async () => {
  const order = draft();
  await withWorker(async () => {
    await workflows.create(order, BY);
    const description = await world.env.client.workflow.getHandle(order.workflowId).describe();
    expect(await description.staticSummary()).toBe('MONTHLY 19.99 EUR');
    const found = description.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]);
    expect(found).toEqual(expect.arrayContaining([['DuedayRepetition', 'MONTHLY']]));
    const history = JSON.stringify(await world.env.client.workflow.getHandle(order.workflowId).fetchHistory());
    const readable = history.replace(/"data":"([A-Za-z0-9+/=]+)"/g, (_, data: string) =>
      Buffer.from(data, 'base64').toString(),
    );
    expect(readable).toContain(order.subscriptionId);
    expect(readable).not.toMatch(/Ada|Hauptstra|D-10115/);
    await workflows.steer('cancel', order.subscriptionId, asked);
  });
});

test('a creation that the payment service refuses or does not answer leaves no draft, and can be repeated', async () => {
  const order = draft();
  await withWorker(async () => {
    const failure = { retryable: false, detail: 'NO', description: 'not you', httpStatus: 400 };
    fake.onRequest = () => ({ kind: 'rejected', failure });
    expect(await workflows.create(order, BY)).toEqual({ kind: 'refused', detail: 'NO', description: 'not you' });
    expect(await readDraft(world.db, order.subscriptionId)).toBeNull();
    fake.onRequest = () => NO_ANSWER;
    expect(await workflows.create(order, BY)).toMatchObject({ kind: 'unavailable' });
    expect(await readDraft(world.db, order.subscriptionId)).toBeNull();
    fake.onRequest = () => null;
    expect(await workflows.create(order, BY)).toEqual({ kind: 'created' });
    expect(await workflows.create(order, BY)).toEqual({ kind: 'exists' });
    await untilStatus(order.subscriptionId, 'active');
    await workflows.steer('cancel', order.subscriptionId, asked);
  });
});

test('a failed creation can be repeated before the workflow of the failed one has ended', async () => {
  const order = draft();
  const activities = fake.activities(world.db);
  let end: () => void = () => undefined;
  const isRepeated = new Promise<void>((resolve) => (end = resolve));
  const requestConsent: typeof activities.requestConsent = async (input) => {
    const next = await activities.requestConsent(input);
    if (next.kind === 'finish') await isRepeated;
    return next;
  };
  await world.withWorker({ ...activities, requestConsent }, async () => {
    fake.onRequest = () => NO_ANSWER;
    expect(await workflows.create(order, BY)).toMatchObject({ kind: 'unavailable' });
    fake.onRequest = () => null;
    const workflow = world.env.client.workflow.getHandle(order.workflowId);
    expect((await workflow.describe()).status.name).toBe('RUNNING');
    const repeated = workflows.create({ ...order, draftedRealAt: clock.realNow() }, BY);
    await waitUntil(
      'the repeated order is in the ledger',
      async () => (await readDraft(world.db, order.subscriptionId)) !== null,
    );
    // Some starts are refused before the first workflow has ended.
    await new Promise((resolve) => setTimeout(resolve, 300));
    end();
    expect(await repeated).toEqual({ kind: 'created' });
    await untilStatus(order.subscriptionId, 'active');
    await workflows.steer('cancel', order.subscriptionId, asked);
  });
});

test('a consent check that the service does not answer is reported as unavailable, and changes nothing', async () => {
  const order = draft();
  const id = order.subscriptionId;
  await withWorker(async () => {
    await workflows.create(order, BY);
    await untilStatus(id, 'active');
    fake.onConsent = async () => NO_ANSWER;
    expect(await workflows.checkConsent(id)).toEqual({ kind: 'unavailable', reason: 'down' });
    fake.onConsent = async () => null;
    expect(await statusOf(id)).toBe('active');
    await workflows.steer('cancel', id, asked);
  });
});

test('a consent check whose workflow is terminated is reported as not ready, and the next one succeeds', async () => {
  const order = draft();
  const id = order.subscriptionId;
  await withWorker(async () => {
    await workflows.create(order, BY);
    await untilStatus(id, 'active');
    let answer: (consent: null) => void = () => undefined;
    const reading = new Promise<void>((started) => {
      fake.onConsent = () => {
        started();
        return new Promise((resolve) => {
          answer = resolve;
        });
      };
    });
    const checked = workflows.checkConsent(id);
    await reading;
    await world.env.client.workflow.getHandle(consentCheckWorkflowId(id)).terminate();
    expect(await checked).toEqual({ kind: 'not_ready' });
    answer(null);
    fake.onConsent = async () => null;
    expect(await workflows.checkConsent(id)).toEqual({ kind: 'done' });
    await workflows.steer('cancel', id, asked);
  });
});

test('consent checks within five seconds of another share a single delayed check', async () => {
  const order = draft();
  const id = order.subscriptionId;
  await withWorker(async () => {
    await workflows.create(order, BY);
    await untilStatus(id, 'active');
    let reads = 0;
    fake.onConsent = async () => {
      reads += 1;
      return null;
    };
    expect(await workflows.checkConsent(id)).toEqual({ kind: 'done' });
    const latest = () => world.env.client.workflow.getHandle(consentCheckWorkflowId(id)).describe();
    const first = await latest();
    // The clock is stopped at the start of the first check: the five seconds do not pass, however slow the machine is.
    const hurried = workflowsWith(120_000, {
      checkMs: 1,
      clock: { ...clock, realNow: () => first.startTime.getTime() },
    });
    expect(await hurried.checkConsent(id)).toEqual({ kind: 'done' });
    const second = await latest();
    expect((second.executionTime?.getTime() ?? 0) - second.startTime.getTime()).toBeGreaterThan(4_000);
    expect(await hurried.checkConsent(id)).toEqual({ kind: 'done' });
    expect((await latest()).runId).toBe(second.runId);
    expect(await workflows.checkConsent(id)).toEqual({ kind: 'done' });
    expect(reads).toBe(2);
    await workflows.steer('cancel', id, asked);
  });
});

const unacknowledged = async (id: SubscriptionId) =>
  (await listUnacknowledged(world.db, '', 100)).filter(({ subscriptionId }) => subscriptionId === id);

/** Creates an active subscription whose workflow was terminated in Temporal. */
async function createTerminated() {
  const order = draft();
  const id = order.subscriptionId;
  await workflows.create(order, BY);
  await untilStatus(id, 'active');
  const workflow = world.env.client.workflow.getHandle(order.workflowId);
  await workflow.terminate();
  return { id, workflow };
}

test('the notification of a change starts a terminated workflow again, which acknowledges the change', async () => {
  await withWorker(async () => {
    const { id, workflow } = await createTerminated();
    expect(await workflows.steer('pause', id, { ...asked, until: null })).toEqual({ kind: 'done' });
    await waitUntil('the workflow runs again', async () => (await workflow.describe()).status.name === 'RUNNING');
    await waitUntil('the revision is acknowledged', async () => (await unacknowledged(id)).length === 0);
    expect(await statusOf(id)).toBe('paused');
    await workflows.steer('cancel', id, asked);
    await untilStatus(id, 'cancelled');
  });
});

test('a terminated workflow that got no notification of a change is started by the repeated notification (rule 31)', async () => {
  await withWorker(async () => {
    const { id, workflow } = await createTerminated();
    const silent = createSteering({
      ...{ db: world.db, answers: world.answers, clock },
      increaseNotice: 0,
      cancelMs: 0,
      notify: async () => undefined,
    });
    await silent.steer('pause', id, { ...asked, until: null });
    const [pending] = await unacknowledged(id);
    expect((await workflow.describe()).status.name).toBe('TERMINATED');
    await workflows.notify(id, pending!.revision);
    await waitUntil('the revision is acknowledged', async () => (await unacknowledged(id)).length === 0);
    await workflows.steer('cancel', id, asked);
  });
});

test('a notification does not start the workflow of an orphan; once an operator has restarted it, it acknowledges the missed change', async () => {
  await withWorker(async () => {
    const { id, workflow } = await createTerminated();
    await markOrphaned(world.db, { kind: 'subscription', id }, clock.now());
    expect(await workflows.steer('pause', id, { ...asked, until: null })).toEqual({ kind: 'done' });
    const [pending] = await unacknowledged(id);
    await workflows.notify(id, pending!.revision);
    expect((await workflow.describe()).status.name).toBe('TERMINATED');

    expect(await workflows.restart(id, asked)).toEqual({ kind: 'done' });
    await workflows.notify(id, pending!.revision);
    await waitUntil('the revision is acknowledged', async () => (await unacknowledged(id)).length === 0);
    expect(await workflows.steer('resume', id, asked)).toEqual({ kind: 'done' });
    await workflows.steer('cancel', id, asked);
  });
});

test('a notification starts no workflow while many are missing, as those are restarted at a limited rate', async () => {
  await withWorker(async () => {
    const { id, workflow } = await createTerminated();
    await world.db.query(
      `insert into attention_items (item_id, source, kind, ledger, since)
       values ('att_many', 'installation', 'installation', '{"state": "orphaned"}', now())`,
    );
    expect(await workflows.steer('pause', id, { ...asked, until: null })).toEqual({ kind: 'done' });
    const [pending] = await unacknowledged(id);
    await workflows.notify(id, pending!.revision);
    expect((await workflow.describe()).status.name).toBe('TERMINATED');

    await world.db.query(`delete from attention_items where item_id = 'att_many'`);
    await workflows.notify(id, pending!.revision);
    await waitUntil('the revision is acknowledged', async () => (await unacknowledged(id)).length === 0);
    await workflows.steer('cancel', id, asked);
  });
});

test('without a worker a creation is answered as not ready, and is carried out later on its original terms despite a changed repeat', async () => {
  // Short, because the test waits for all of it.
  workflows = workflowsWith(3_000);
  const order = draft();
  expect(await workflows.create(order, BY)).toEqual({ kind: 'not_ready' });
  expect(await getSubscription(world.db, order.subscriptionId)).toBeNull();
  // Two minutes later a different request with the same id arrives. The first may still be carried out: its terms stay.
  const later = { ...order, consentAmount: euros(5000), draftedRealAt: order.draftedRealAt + 120_000 };
  expect(await workflows.create(later, BY)).toEqual({ kind: 'exists' });
  expect((await readDraft(world.db, order.subscriptionId))?.consentAmount).toEqual(euros(1999));
  workflows = workflowsWith(20_000);
  await withWorker(async () => {
    await untilStatus(order.subscriptionId, 'active');
    expect((await getSubscription(world.db, order.subscriptionId))?.consentAmount).toEqual(euros(1999));
    await workflows.steer('cancel', order.subscriptionId, asked);
  });
});

test('the draft of a process that died before it started the workflow is replaced once no process can start that workflow', async () => {
  const orphan = draft();
  await insertDraft(world.db, orphan, 0);
  // The time-out of one creation and 15 s more: by then no process can start that workflow.
  const oldAfter = 20_000 + 15_000;
  const at = (ms: number) => draft({ subscriptionId: orphan.subscriptionId, draftedRealAt: orphan.draftedRealAt + ms });
  await withWorker(async () => {
    expect(await workflows.create(at(oldAfter), BY)).toEqual({ kind: 'exists' });
    expect(await workflows.create(at(oldAfter + 1), BY)).toEqual({ kind: 'created' });
    await untilStatus(orphan.subscriptionId, 'active');
    await workflows.steer('cancel', orphan.subscriptionId, asked);
  });
});
