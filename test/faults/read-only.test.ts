import { Client } from 'pg';
import { createPool, type LedgerWrites, type Pool, watchWrites } from '../../src/ledger';
import { MINUTE, SECOND } from '../../src/domain/time';
import { createTelemetry } from '../../src/platform/metrics';
import { useWorld, type World } from '../activities/activity-world';
import { type AdminUnderTest, startAdmin } from '../admin/admin-under-test';
import { order } from '../admin/order';
import { partOfRun } from '../support/test-run';
import { waitUntil } from '../support/wait-until';

/** PostgreSQL answers every query, but accepts no write. */

const holder = useWorld();

/** Makes later sessions read-only and ends the open ones, as a fail-over does; or makes later ones writable again. */
async function setReadOnly(ledger: Pool, isReadOnly: boolean, others: readonly Pool[] = []): Promise<void> {
  const { rows } = await ledger.query<{ name: string }>('select current_database() as name');
  const admin = new Client({ connectionString: partOfRun('database').serverUrl });
  await admin.connect();
  try {
    const name = rows[0]?.name ?? '';
    await admin.query(`alter database ${name} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
    if (isReadOnly)
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  } finally {
    await admin.end();
  }
  if (!isReadOnly) return;
  // Wait until the pools have noticed each ended session.
  const pools = [ledger, ...others];
  await waitUntil('no connection is left that can write', () => pools.every((pool) => pool.idleCount === 0));
}

/** Makes every write of {@link watchWrites}, and of every new cycle, fail as on a full disk. */
async function fillDisk(ledger: Pool): Promise<void> {
  await ledger.query(
    `create function disk_is_full() returns trigger language plpgsql as $$
       begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
     create trigger disk_is_full before update on installation execute function disk_is_full();
     create trigger disk_is_full before insert or update on cycles execute function disk_is_full()`,
  );
}

async function freeDisk(ledger: Pool): Promise<void> {
  await ledger.query('drop function disk_is_full cascade');
}

const writesOf = ({ deps, clock }: World) => watchWrites(deps.ledger, () => clock.realNow());

/** Prepares a collection that repairs the ledger after this many stops. @returns its subscription, and how to run it */
async function collectWhile(world: World, writes: LedgerWrites, stops: number, repair: () => Promise<void>) {
  const subscribed = await world.due();
  const waits: number[] = [];
  const calls: number[] = [];
  const onStop = async ({ type, wait }: { type: string; wait: number }) => {
    if (waits.length === stops) return;
    expect(type).toBe('ledger_read_only');
    waits.push(wait);
    calls.push(world.requests.length - before);
    if (waits.length === stops) await repair();
  };
  const before = world.requests.length;
  return {
    subscribed,
    collect: async () => {
      const { result } = await world.collect(world.input(subscribed), { writes }, { onStop });
      return { result, waits, calls, before };
    },
  };
}

it.each([
  ['read only', (ledger: Pool) => setReadOnly(ledger, true), (ledger: Pool) => setReadOnly(ledger, false)],
  ['on a full disk', fillDisk, freeDisk],
])(
  'fault 46: while PostgreSQL is %s no call to the service is repeated, and the cycle is collected afterwards',
  async (...row) => {
    const [, damage, repair] = row;
    const { world } = holder;
    const { ledger } = world.deps;
    const writes = writesOf(world);
    const { subscribed, collect } = await collectWhile(world, writes, 25, () => repair(ledger));
    await damage(ledger);
    const { result, waits, calls } = await collect();
    expect(result).toMatchObject({ kind: 'collected' });
    expect(waits).toEqual(waits.toSorted((one, two) => one - two));
    expect(waits.at(-1)).toBeGreaterThan(10 * SECOND);
    expect(waits.at(-1)).toBeLessThanOrEqual(MINUTE);
    // The first activity that found the ledger read-only had called the service; no later one calls it.
    expect(calls[0]).toBeLessThanOrEqual(4);
    expect(new Set(calls)).toEqual(new Set([calls[0]]));
    expect(world.posts(subscribed)).toBe(1);
    await world.expectLedgerEqual(subscribed, 1);
  },
);

it('fault 46: once a check has found PostgreSQL read-only, an activity makes no request to the service', async () => {
  const { world } = holder;
  const { ledger } = world.deps;
  const writes = writesOf(world);
  const { collect } = await collectWhile(world, writes, 5, () => setReadOnly(ledger, false));
  await setReadOnly(ledger, true);
  await expect(writes.check()).rejects.toThrow(/read-only/);
  expect(writes.fault()).toContain('PostgreSQL is read only');
  const { calls } = await collect();
  expect(calls).toEqual([0, 0, 0, 0, 0]);
  expect(writes.fault()).toBeNull();
});

it('fault 46: the metric of a read-only ledger grows, and checks write at most every few seconds', async () => {
  const { world } = holder;
  const { ledger } = world.deps;
  let now = 0;
  const query = jest.spyOn(ledger, 'query');
  const writes = watchWrites(ledger, () => now);
  const { registry } = createTelemetry({}, writes);
  const shown = async () => {
    const text = await registry.getSingleMetricAsString('dueday_ledger_last_commit_seconds');
    return Number(/ (\S+)\s*$/.exec(text)?.[1]);
  };
  await Promise.all([writes.check(), writes.check(), shown()]);
  await writes.check();
  expect(query).toHaveBeenCalledTimes(1);
  query.mockRestore();
  await setReadOnly(ledger, true);
  try {
    now = 120 * SECOND;
    expect(await shown()).toBe(120);
    now = 180 * SECOND;
    expect(await shown()).toBe(180);
  } finally {
    await setReadOnly(ledger, false);
  }
  now = 190 * SECOND;
  // Sessions that were opened meanwhile stay read-only; a pool closes each at the first write that it refuses.
  for (; (await shown()) > 0; now += 10 * SECOND) expect(now).toBeLessThan(400 * SECOND);
});

describe('the admin API', () => {
  let admin: AdminUnderTest;
  let writes: LedgerWrites;
  beforeAll(async () => {
    const check = () => writes.check();
    admin = await startAdmin({ probes: [{ name: 'postgresql_writes', check }] });
  });
  afterAll(() => admin.stop());

  it('fault 46: changes are answered with 503 and the reason, reads keep working, and the API is not ready', async () => {
    const create = () => admin.call('POST', '/v1/subscriptions', { body: order(), idempotencyKey: 'read-only' });
    let now = 0;
    writes = watchWrites(admin.db, () => now);
    expect((await admin.app.inject('/readyz')).statusCode).toBe(200);
    await setReadOnly(admin.db, true, [admin.served]);
    now += MINUTE;
    const refused = await create();
    expect(refused.statusCode).toBe(503);
    expect(refused.headers['retry-after']).toBe('30');
    expect(refused.json()).toMatchObject({
      code: 'not_ready',
      detail: expect.stringContaining('PostgreSQL is read only'),
    });
    expect((await admin.call('GET', '/v1/subscriptions')).statusCode).toBe(200);
    const ready = await admin.app.inject('/readyz');
    expect([ready.statusCode, ready.json().failed]).toEqual([503, ['postgresql_writes']]);
    await setReadOnly(admin.db, false);
    const fresh = createPool({ databaseUrl: admin.database.url, max: 1 });
    writes = watchWrites(fresh, () => now);
    expect((await admin.app.inject('/readyz')).statusCode).toBe(200);
    await fresh.end();
  });
});
