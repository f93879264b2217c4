import { Registry } from 'prom-client';
import { countedMetrics } from '../../src/admin';
import { DAY, HOUR, toIso } from '../../src/domain/time';
import type { CollectingLimits } from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import { silentLog } from '../support/silent-log';
import { waitUntil } from '../support/wait-until';
import { type AdminUnderTest, NOW, startAdmin } from './admin-under-test';
import { order } from './order';

/** The metrics about the cap on calls (rule 42). NOW is noon on 31 January. */

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(async () => {
  await emptyLedger(admin.db);
  admin.clock.business = NOW;
});
afterAll(() => admin.stop());

/** Sixty calls an hour: twelve first attempts. */
const CAP = { callsPerSecond: 1 / 60, speed: 1 };

/** The metrics by name without `dueday_`, read as soon as a new process has counted them. */
async function counted(collecting: CollectingLimits): Promise<Record<string, number>> {
  const { db, clock } = admin;
  const deps = { reading: db, clock, logger: silentLog(), registry: new Registry(), collecting };
  const read = countedMetrics(deps);
  let found: (readonly [string, number])[] = [];
  // On a busy machine only a later scrape has the counts.
  await waitUntil('it is counted', async () => {
    const lines = (await read()).matchAll(/^dueday_((?:hours|cap|late)_\w+) (\S+)$/gm);
    found = [...lines].map(([, name = '', value]) => [name, Number(value)] as const);
    return found.length > 0;
  });
  return Object.fromEntries(found);
}

async function subscribe(count: number, dueAt: number, endAt: number | null = null): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const subscriptionId = `sub_${dueAt}_${n}`;
    const created = await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId }) });
    if (created.statusCode !== 201) throw new Error(created.body);
    await admin.db.query(
      `update subscriptions set status = 'active', next_due_at = $2, end_at = $3 where subscription_id = $1`,
      [subscriptionId, toIso(dueAt), endAt === null ? null : toIso(endAt)],
    );
  }
}

test('the metrics say how long collecting what falls due tomorrow takes under the cap, and how long it may take', async () => {
  await subscribe(24, NOW + DAY);
  expect(await counted({ cap: CAP, spread: 0 })).toEqual({
    hours_to_collect: 2,
    hours_to_collect_allowed: 24,
    cap_wait_seconds: 0,
    late_beyond_cap_seconds: 0,
  });
  const slow = { callsPerSecond: 1 / 3600, speed: 1 };
  expect(await counted({ cap: slow, spread: 0 })).toMatchObject({ hours_to_collect: 120 });
  expect(await counted({ cap: slow, spread: 48 * HOUR })).toMatchObject({ hours_to_collect_allowed: 48 });
});

test('collecting what falls due in a day may take at most half of the shortest window that an end cuts short', async () => {
  await subscribe(1, NOW + HOUR);
  await subscribe(1, NOW + DAY, NOW + DAY + 6 * HOUR);
  expect(await counted({ cap: CAP, spread: 0 })).toMatchObject({
    hours_to_collect: expect.closeTo(0.09),
    hours_to_collect_allowed: 3,
  });
});

test('without a cap on calls only the spread explains that a due date is tried late', async () => {
  await subscribe(12, NOW - 3 * HOUR);
  expect(await counted({ cap: null, spread: HOUR })).toEqual({
    cap_wait_seconds: 0,
    late_beyond_cap_seconds: 7200,
  });
});

test('a first attempt that was postponed is late only after the instant to which it was postponed', async () => {
  await subscribe(1, NOW - 3 * HOUR);
  const postpone = (until: number) =>
    admin.db.query(
      `insert into cycles (subscription_id, cycle, due_at, collect_by, amount, status, postponed_until)
       select subscription_id, 0, next_due_at, next_due_at + interval '5 days', 1999, 'scheduled', $1 from subscriptions
       on conflict (subscription_id, cycle) do update set postponed_until = excluded.postponed_until`,
      [toIso(until)],
    );
  await postpone(NOW + 1);
  expect(await counted({ cap: null, spread: 0 })).toMatchObject({ late_beyond_cap_seconds: 0 });
  await postpone(NOW - HOUR);
  expect(await counted({ cap: null, spread: 0 })).toMatchObject({ late_beyond_cap_seconds: 3600 });
});

test('a first attempt that waits for the cap is late only after the time that the cap needs', async () => {
  await subscribe(24, NOW - 3 * HOUR);
  expect(await counted({ cap: CAP, spread: 0 })).toMatchObject({
    cap_wait_seconds: 7200,
    late_beyond_cap_seconds: 3600,
  });
  const slow = { callsPerSecond: 1 / 3600, speed: 1 };
  expect(await counted({ cap: slow, spread: 0 })).toMatchObject({ late_beyond_cap_seconds: 0 });
});

test('a retry whose time has passed counts once, as part of the backlog', async () => {
  await subscribe(1, NOW + 30 * DAY);
  await admin.db.query(
    `insert into cycles (subscription_id, cycle, due_at, collect_by, amount, status, retries_left, retry_until, next_attempt_at)
     select subscription_id, 0, $1, $2, 1999, 'dunning', 1, $2, $3 from subscriptions`,
    [NOW - DAY, NOW + DAY, NOW - HOUR].map(toIso),
  );
  // Six calls, at sixty an hour.
  expect(await counted({ cap: CAP, spread: 0 })).toMatchObject({ hours_to_collect: 0.1 });
});
