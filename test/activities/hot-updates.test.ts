import { DAY, HOUR, MINUTE } from '../../src/domain/time';
import type { Pool } from '../../src/ledger';
import { Conductor, deliveringFrom } from '../../src/simulation/conductor';
import { createSimulatedMessenger } from '../../src/simulation/simulated-messenger';
import { reportStatistics } from '../support/table-statistics';
import { activitiesOf, useWorld } from './activity-world';

const holder = useWorld();
const SUBSCRIPTIONS = 40;

interface Updates {
  readonly updates: number;
  readonly hot: number;
}

/** Counts the updates of each table since the database was created. */
async function countUpdates(ledger: Pool): Promise<ReadonlyMap<string, Updates>> {
  await reportStatistics(ledger);
  const { rows } = await ledger.query<Updates & { name: string }>(
    `select relname as name, n_tup_upd as updates, n_tup_hot_upd as hot from pg_stat_user_tables where n_tup_upd > 0`,
  );
  return new Map(rows.map(({ name, updates, hot }) => [name, { updates, hot }]));
}

/** Switches autovacuum off: while it analyzes a table, PostgreSQL removes no replaced row version in the whole database. */
async function endAutovacuum(ledger: Pool): Promise<void> {
  const { rows } = await ledger.query<{ name: string }>(
    'select relid::regclass::text as name from pg_stat_user_tables',
  );
  for (const { name } of rows) await ledger.query(`alter table ${name} set (autovacuum_enabled = false)`);
}

/** Counts the updates of each table for one collected cycle, in a ledger whose pages have room for every new row version. */
async function updatesOfCycle(): Promise<ReadonlyMap<string, Updates>> {
  const { world } = holder;
  const { ledger } = world.deps;
  await endAutovacuum(ledger);
  const dueAt = world.clock.now() + HOUR;
  const conductor = new Conductor(
    world.clock,
    activitiesOf(world, {}),
    deliveringFrom(world.outbox({ notifier: createSimulatedMessenger(world.clock) })),
  );
  for (let n = 0; n < SUBSCRIPTIONS; n += 1) {
    const subscribed = await world.requested({ firstPaymentAt: dueAt, repetition: 'WEEKLY' });
    world.sandbox.payer(subscribed.paymentId).approve('approves');
    await world.patch(subscribed, { status: 'active' });
    conductor.start(subscribed.subscriptionId);
  }
  await conductor.passUntil(dueAt - MINUTE);
  // PostgreSQL keeps a replaced row version while an older statement of the database is running.
  for (const table of ['subscriptions', 'attempts', 'cycles']) {
    await ledger.query(`alter table ${table} set (fillfactor = 10)`);
    await ledger.query(`vacuum full ${table}`);
  }
  const before = await countUpdates(ledger);
  await conductor.passUntil(dueAt + DAY);
  const after = await countUpdates(ledger);
  const { rows } = await ledger.query("select from cycles where status = 'collected'");
  expect(rows).toHaveLength(SUBSCRIPTIONS);
  const each = (table: string, count: keyof Updates) =>
    ((after.get(table)?.[count] ?? 0) - (before.get(table)?.[count] ?? 0)) / SUBSCRIPTIONS;
  return new Map([...after.keys()].map((name) => [name, { updates: each(name, 'updates'), hot: each(name, 'hot') }]));
}

it('only updates of indexed columns touch an index when a cycle is collected', async () => {
  const cycle = await updatesOfCycle();
  const { updates, hot } = cycle.get('subscriptions')!;
  // One update changes the next due date, which is indexed. The others store what the service has reported.
  expect(updates).toBeLessThanOrEqual(3);
  expect(updates - hot).toBeLessThanOrEqual(1);
  // Two updates change the state, which is in the unique index of attempts with an unknown outcome.
  const attempts = cycle.get('attempts')!;
  expect(attempts.updates).toBeLessThanOrEqual(3);
  expect(attempts.updates - attempts.hot).toBeLessThanOrEqual(2.01);
  // The state and the amount of a cycle are in the index from which reports sum them.
  expect(cycle.get('cycles')!.updates).toBeLessThanOrEqual(1);
});
