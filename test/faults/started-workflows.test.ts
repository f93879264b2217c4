import { Client, Connection } from '@temporalio/client';
import { createClock } from '../../src/platform/clock';
import { subscriptionWorkflowId } from '../../src/contract/workflows';
import type { SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR } from '../../src/domain/time';
import { createSubscriptionWorkflows, startImported } from '../../src/temporal';
import { startDue, type StartDeps } from '../../src/jobs/start-workflows';
import { importMandates, type NewMandate, takeStarts } from '../../src/ledger';
import { useTemporalWorld } from '../temporal/temporal-world';
import { FakeService } from '../admin/fake-service';
import { mandateOf } from '../ledger/mandate';
import { emptyLedger } from '../support/empty-ledger';
import { silentLog } from '../support/silent-log';
import { waitUntil } from '../support/wait-until';

const world = useTemporalWorld();
const clock = createClock(null);

let deps: StartDeps;

beforeEach(async () => {
  await emptyLedger(world.db);
  await mayStart();
  deps = startingBy(world.env.client);
});

function startingBy(client: Client): StartDeps {
  const access = { ...world.access(), client, clock, timeouts: { steerMs: 2_000 } };
  return { db: world.db, logger: silentLog(), start: (due) => startImported(access, due) };
}

const mayStart = () => world.db.query('update installation set starts_after_real = null');
const claimsEnd = () => world.db.query(`update workflow_starts set claimed_until_real = now() - interval '1 second'`);

async function startNow(by = deps): Promise<void> {
  await mayStart();
  await startDue(by);
}

/** Imports a subscription that falls due in this many ms. */
async function importSubscription(dueIn: number): Promise<SubscriptionId> {
  const dueAt = clock.now() + dueIn;
  const dates = { firstPaymentAt: dueAt, startAt: dueAt - 100 * DAY, dueAt, cycle: 0, collectFrom: clock.now() };
  const mandate: NewMandate = mandateOf({ ...dates, createdAt: clock.now() });
  await importMandates(world.db, [mandate], { actor: 'ops', at: clock.now() });
  return mandate.subscriptionId;
}

const handleOf = (id: SubscriptionId) => world.env.client.workflow.getHandle(subscriptionWorkflowId(id));

async function unconfirmed(): Promise<number> {
  return (await world.db.query('select from workflow_starts')).rowCount ?? 0;
}

async function acknowledged(id: SubscriptionId): Promise<number> {
  const { rows } = await world.db.query<{ acknowledged: number }>(
    'select acknowledged_revision as acknowledged from subscriptions where subscription_id = $1',
    [id],
  );
  return rows[0]!.acknowledged;
}

async function hasRun(id: SubscriptionId): Promise<boolean> {
  const { events } = await handleOf(id).fetchHistory();
  return events?.some(({ workflowTaskCompletedEventAttributes: completed }) => completed != null) === true;
}

const withWorker = (work: () => Promise<void>) => world.withWorker(new FakeService(clock).activities(world.db), work);

test('the workflow of an imported subscription that is due within a day runs at once', async () => {
  const id = await importSubscription(20 * HOUR);
  await withWorker(async () => {
    await startNow();
    await waitUntil('it has run', () => hasRun(id));
  });
  expect((await handleOf(id).describe()).status.name).toBe('RUNNING');
  expect(await unconfirmed()).toBe(0);
});

test('the workflow of an imported subscription that is due in a month does not run before its due date or a change', async () => {
  const id = await importSubscription(30 * DAY);
  const workflows = createSubscriptionWorkflows({
    ...{ ...world.access(), clock, spreadSeconds: 0, increaseNotice: 14 * DAY },
    retryPolicy: { offsets: [DAY], transit: 0, gap: 0 },
  });
  await withWorker(async () => {
    await startNow();
    const soon = await importSubscription(20 * HOUR);
    await startNow();
    await waitUntil('a later one has run', () => hasRun(soon));
    expect(await hasRun(id)).toBe(false);
    expect((await handleOf(id).describe()).status.name).toBe('RUNNING');

    expect(await workflows.steer('pause', id, { actor: 'till', reason: null, until: null })).toEqual({ kind: 'done' });
    await waitUntil('its workflow has the revision', async () => (await acknowledged(id)) === 1);
  });
  expect(await hasRun(id)).toBe(true);
});

test('a workflow that a killed process has started but not confirmed is confirmed by another one, and not started again', async () => {
  const id = await importSubscription(20 * HOUR);
  const [due] = await takeStarts(world.db);
  await deps.start(due!);
  const { runId } = await handleOf(id).describe();
  expect(await unconfirmed()).toBe(1);
  await claimsEnd();
  await startNow();
  expect(await unconfirmed()).toBe(0);
  expect((await handleOf(id).describe()).runId).toBe(runId);
});

test('several processes at once start each workflow exactly once', async () => {
  const ids = await Promise.all(Array.from({ length: 60 }, () => importSubscription(30 * DAY)));
  const started: string[] = [];
  const noting: StartDeps = {
    ...deps,
    start: async (due) => {
      started.push(due.subscriptionId);
      await deps.start(due);
    },
  };
  await mayStart();
  await Promise.all([startDue(noting), startDue(noting), startDue(noting)]);
  expect(started.toSorted()).toEqual(ids.toSorted());
  expect(await unconfirmed()).toBe(0);
});

test('recorded starts of workflows are kept while Temporal cannot be reached, and carried out once it can', async () => {
  const id = await importSubscription(20 * HOUR);
  const connection = Connection.lazy({ address: '127.0.0.1:9' });
  await expect(startNow(startingBy(new Client({ connection })))).rejects.toThrow();
  expect(await unconfirmed()).toBe(1);
  await claimsEnd();
  await startNow();
  expect(await unconfirmed()).toBe(0);
  expect((await handleOf(id).describe()).status.name).toBe('RUNNING');
  await connection.close();
});

test('a workflow that cannot be started does not prevent the others from being confirmed', async () => {
  const [bad, good] = [await importSubscription(HOUR), await importSubscription(2 * HOUR)];
  const start: StartDeps['start'] = async (due) => {
    if (due.subscriptionId === bad) throw new Error('refused');
    await deps.start(due);
  };
  await startNow({ ...deps, start });
  const { rows } = await world.db.query('select subscription_id from workflow_starts');
  expect(rows).toEqual([{ subscription_id: bad }]);
  expect((await handleOf(good).describe()).status.name).toBe('RUNNING');
});
