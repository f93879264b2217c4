import { createClock } from '../../src/platform/clock';
import { attemptWorkflowId, subscriptionWorkflowId } from '../../src/contract/workflows';
import type { SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR } from '../../src/domain/time';
import {
  createPaymentWorkflows,
  createRefundWorkflows,
  createSubscriptionWorkflows,
  isRunning,
  listClosed,
  startAttempt,
} from '../../src/temporal';
import { findClosed, type RestartDeps, restartOrphans } from '../../src/jobs/restart-workflows';
import { applyChange, getSubscription, listEvents, queueOrphan, settleOrphan, claimOrphans } from '../../src/ledger';
import { useTemporalWorld } from '../temporal/temporal-world';
import { NOW, sendOf, settle, startDebit, subscribe } from '../ledger/ledger-fixture';
import { emptyLedger } from '../support/empty-ledger';
import { silentLog } from '../support/silent-log';
import { waitUntil } from '../support/wait-until';

const world = useTemporalWorld();
const clock = createClock(null);

let deps: RestartDeps;

beforeEach(async () => {
  await emptyLedger(world.db);
  await world.db.query('update installation set restarts_after_real = null, closed_before_real = null');
  await world.db.query('delete from workflow_orphans');
  const access = { ...world.access(), clock };
  deps = {
    db: world.db,
    clock,
    logger: silentLog(),
    subscriptions: createSubscriptionWorkflows({
      ...access,
      retryPolicy: { offsets: [DAY], transit: 0, gap: 0 },
      spreadSeconds: 0,
      increaseNotice: 14 * DAY,
    }),
    payments: createPaymentWorkflows({ ...access, transit: 0 }),
    refunds: createRefundWorkflows(access),
    listClosed: (sinceReal) => listClosed(access, sinceReal),
    startAttempt: (subscriptionId, attempt) => startAttempt(access, subscriptionId, attempt),
  };
});

const workflowOf = (id: SubscriptionId) => world.env.client.workflow.getHandle(subscriptionWorkflowId(id));
const runs = (id: SubscriptionId) => isRunning(world.env.client, subscriptionWorkflowId(id));
const restartByHand = (id: SubscriptionId) => deps.subscriptions.restart(id, { actor: 'ada', reason: 'a test' });

async function waiting(): Promise<number> {
  return (await world.db.query('select from workflow_orphans where waits')).rowCount ?? 0;
}

async function restarts(subscriptionId: SubscriptionId): Promise<unknown[]> {
  const { items } = await listEvents(world.db, { subscriptionId }, { limit: 100, cursor: null });
  return items.filter(({ type }) => type === 'subscription.restarted').map(({ actor }) => actor);
}

/** Ends the workflow, waits until Temporal's lists show that, and searches for ended workflows. */
async function endAndLook(id: SubscriptionId, end: () => Promise<unknown>): Promise<void> {
  await end();
  await waitUntil('its end is found', async () => {
    await findClosed(deps);
    return (await waiting()) > 0 || (await getSubscription(world.db, id))?.attention.includes('orphaned') === true;
  });
}

async function restartNow(): Promise<void> {
  await world.db.query('update installation set restarts_after_real = null');
  await restartOrphans(deps);
}

test('fault 36: a workflow that ended although its row is not final runs again, three times within a day', async () => {
  const { subscriptionId } = await subscribe(world.db);
  await restartByHand(subscriptionId);
  for (const count of [1, 2, 3]) {
    await endAndLook(subscriptionId, () => workflowOf(subscriptionId).terminate('a test'));
    await restartNow();
    expect(await runs(subscriptionId)).toBe(true);
    expect((await restarts(subscriptionId)).filter((actor) => actor === 'dueday')).toHaveLength(count);
    // The next search finds the same end again, as it overlaps the last one.
    await findClosed(deps);
    expect(await waiting()).toBe(0);
    expect((await getSubscription(world.db, subscriptionId))?.attention).toEqual([]);
  }

  await endAndLook(subscriptionId, () => workflowOf(subscriptionId).terminate('a test'));
  await restartNow();
  expect(await runs(subscriptionId)).toBe(false);
  expect((await getSubscription(world.db, subscriptionId))?.attention).toEqual(['orphaned']);
  // An orphan that waits for an operator is not restarted, even if it is found again.
  await findClosed(deps);
  expect(await waiting()).toBe(0);

  // After an operator has restarted the workflow, it may be restarted automatically three times again.
  expect(await restartByHand(subscriptionId)).toEqual({ kind: 'done' });
  expect((await getSubscription(world.db, subscriptionId))?.attention).toEqual([]);
  await findClosed(deps);
  await restartNow();
  expect(await queueOrphan(world.db, { kind: 'subscription', id: subscriptionId }, NOW)).toBe('queued');
});

test('fault 36: a workflow whose row is final is not restarted', async () => {
  const [over, live] = [await subscribe(world.db), await subscribe(world.db)];
  for (const { subscriptionId } of [over, live]) await restartByHand(subscriptionId);
  const change = { key: 'over', at: NOW, actor: 'dueday', events: [] };
  await applyChange(world.db, {
    ...change,
    subscriptionId: over.subscriptionId,
    subscription: { status: 'completed' },
  });
  await workflowOf(over.subscriptionId).terminate('a test');
  await endAndLook(live.subscriptionId, () => workflowOf(live.subscriptionId).terminate('a test'));
  await restartNow();
  expect(await runs(over.subscriptionId)).toBe(false);
  expect(await runs(live.subscriptionId)).toBe(true);
});

test('no more than twenty workflows are restarted per second, the earliest due date first', async () => {
  const ids: SubscriptionId[] = [];
  for (let each = 0; each < 45; each += 1) {
    const { subscriptionId } = await subscribe(world.db);
    await world.db.query('update subscriptions set next_due_at = $2 where subscription_id = $1', [
      ...[subscriptionId, new Date(NOW - each * HOUR)],
    ]);
    await queueOrphan(world.db, { kind: 'subscription', id: subscriptionId }, NOW);
    ids.unshift(subscriptionId);
  }
  const first = await claimOrphans(world.db);
  expect(first.map(({ id }) => id)).toEqual(ids.slice(0, 20));
  expect(await claimOrphans(world.db)).toEqual([]);
  for (const each of first) await settleOrphan(world.db, each, true);
  await world.db.query(`update installation set restarts_after_real = clock_timestamp()`);
  expect((await claimOrphans(world.db)).map(({ id }) => id)).toEqual(ids.slice(20, 40));
});

test('no workflow is restarted in a restored or copied ledger', async () => {
  const { subscriptionId } = await subscribe(world.db);
  await queueOrphan(world.db, { kind: 'subscription', id: subscriptionId }, NOW);
  await world.db.query(`update restore_guard set identity = 'elsewhere'`);
  await restartOrphans(deps);
  expect(await runs(subscriptionId)).toBe(false);
  await world.db.query('update restore_guard set identity = ledger_identity()');
  await restartNow();
  expect(await runs(subscriptionId)).toBe(true);
});

test('fault 36: a workflow that follows an attempt is restarted while the outcome is awaited, and not afterwards', async () => {
  const given = await subscribe(world.db);
  const { subscriptionId } = given;
  const send = await startDebit(world.db, sendOf(given));
  await settle(world.db, send, 'pending');
  const attention = (items: readonly string[]) =>
    applyChange(world.db, {
      ...{ subscriptionId, key: `attention/${items.length}`, at: NOW, actor: 'dueday', events: [] },
      subscription: { attention: items },
    });
  // The authorization is no longer listed, and is followed in parallel to the later cycles.
  await attention(['unlisted:0']);
  const id = attemptWorkflowId(subscriptionId, { cycle: 0, attempt: 0 });
  const terminate = () => world.env.client.workflow.getHandle(id).terminate('a test');
  const isFollowed = () => isRunning(world.env.client, id);
  await deps.startAttempt(subscriptionId, { cycle: 0, attempt: 0 });

  await terminate();
  await waitUntil('it is followed again', async () => {
    await findClosed(deps);
    return isFollowed();
  });

  await settle(world.db, send, 'successful');
  await terminate();
  const other = await subscribe(world.db);
  await restartByHand(other.subscriptionId);
  await endAndLook(other.subscriptionId, () => workflowOf(other.subscriptionId).terminate('a test'));
  expect(await isFollowed()).toBe(false);
});
