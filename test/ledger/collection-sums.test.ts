import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { DAY, HOUR, type Instant, MINUTE, type Period, toIso } from '../../src/domain/time';
import { sumCollectionChanges, sumCollections } from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import { DUE, subscribe, type Subscribed, useLedger } from './ledger-fixture';

const ledger = useLedger();
let given: Subscribed;

beforeEach(async () => {
  await emptyLedger(ledger.pool);
  given = await subscribe(ledger.pool);
  await ledger.pool.query('update subscriptions set next_due_at = null');
});

const START = Math.floor(DUE / DAY) * DAY;
const ENDED = ['collected', 'failed', 'skipped', 'missed'] as const;
const STATUSES = [...ENDED, 'scheduled', 'collecting', 'dunning', 'unresolved'] as const;

interface Written {
  readonly cycle: number;
  readonly dueAt: Instant;
  readonly status: (typeof STATUSES)[number];
  readonly cents: number;
}

/** Creates the cycle, or changes it. */
async function write({ cycle, dueAt, status, cents }: Written): Promise<void> {
  await ledger.pool.query(
    `insert into cycles (subscription_id, cycle, due_at, collect_by, amount, status, collected_at)
     values ($1, $2, $3, $3::timestamptz + interval '5 days', $4, $5, case when $5 = 'collected' then now() end)
     on conflict (subscription_id, cycle) do update
       set amount = excluded.amount, status = excluded.status, collected_at = excluded.collected_at`,
    [given.subscriptionId, cycle, toIso(dueAt), cents, status],
  );
}

/** Writes a refund that the service has carried out, if the cycle exists, without the guards of a real order. */
async function refund(cycle: number, cents: number): Promise<void> {
  const orderId = `ref_${randomUUID()}`;
  await ledger.pool.query(
    `begin; set local session_replication_role = replica;
     insert into orders (kind, order_id, subscription_id, cycle, payment_id, capture_id, amount, actor, created_at, created_real_at)
     select 'refund', '${orderId}', subscription_id, cycle, '${orderId}', 'cap', ${cents}, 'till', now(), now()
     from cycles where subscription_id = '${given.subscriptionId}' and cycle = ${cycle};
     insert into order_sends (order_id, send, payment_id, state, at, sending_real_at, owner)
     select order_id, 0, payment_id, 'sending', now(), now(), 'worker-1' from orders where order_id = '${orderId}';
     commit`,
  );
  await ledger.pool.query(
    `update order_sends set state = 'successful', service_id = order_id, outcome_at = now() where order_id = $1`,
    [orderId],
  );
}

const lines = (rows: readonly { day: Instant; status: string; count: number; cents: number }[]): string[] =>
  rows.map(({ day, status, count, cents }) => `${toIso(day)} ${status} ${count} ${cents}`);

/** Sums cycle by cycle, without the stored sums. */
async function byCycle({ from, to }: Period, now: Instant): Promise<string[]> {
  const { rows } = await ledger.pool.query<{ day: Instant; status: string; count: number; cents: number }>(
    `select date_trunc('day', due_at, 'UTC') as day, status, count(*) as count, sum(amount)::bigint as cents
     from (
       select due_at, status, amount from cycles where status <> 'scheduled'
       union all
       select c.due_at, 'refunded', o.amount from orders o
         join cycles c using (subscription_id, cycle) join order_sends f using (order_id) where f.state = 'successful'
     ) as each
     where due_at >= $1 and due_at < $2 and due_at <= $3
     group by 1, 2 order by 1, 2`,
    [toIso(from), toIso(to), toIso(now)],
  );
  return lines(rows);
}

async function reported(period: Period, now: Instant): Promise<string[]> {
  const sums = await sumCollections(ledger.pool, period, now);
  return lines(sums.map(({ day, status, count, amount }) => ({ day, status, count, cents: amount.value })));
}

const DAYS = 3;
/** On an hour, a millisecond before or after it, or 17 minutes after it. */
const instants = fc
  .tuple(fc.nat(DAYS * 24), fc.constantFrom(0, 0, -1, 1, 17 * MINUTE))
  .map(([hour, off]) => START + hour * HOUR + off);
const cents = fc.integer({ min: 1, max: 2_147_483_647 });
const steps = fc.oneof(
  { weight: 6, arbitrary: fc.record({ cycle: fc.nat(5), status: fc.constantFrom(...STATUSES), cents }) },
  { weight: 2, arbitrary: fc.record({ refunded: fc.nat(5), cents }) },
  { weight: 2, arbitrary: fc.constant('sum' as const) },
);

test('the report of collections equals the sum over cycles and refunds, however they change and whenever changes are added up', async () => {
  const life = fc.record({
    dues: fc.array(instants, { minLength: 6, maxLength: 6 }),
    steps: fc.array(steps, { minLength: 1, maxLength: 20 }),
    ends: fc.tuple(instants, instants, instants),
  });
  await fc.assert(
    fc.asyncProperty(life, async ({ dues, steps: taken, ends: [one, two, now] }) => {
      await ledger.pool.query(
        `begin; set local session_replication_role = replica; delete from cycles; delete from orders;
         delete from order_sends; delete from collection_sums; delete from collection_changes; commit`,
      );
      for (const step of taken) {
        if (step === 'sum') await sumCollectionChanges(ledger.pool);
        else if ('refunded' in step) await refund(step.refunded, step.cents);
        else await write({ ...step, dueAt: dues[step.cycle]! });
      }
      const [whole, part] = [
        { from: START - DAY, to: START + 5 * DAY },
        { from: Math.min(one, two), to: Math.max(one, two) },
      ];
      for (const period of [whole, part]) {
        for (const at of [now, START + 9 * DAY]) expect(await reported(period, at)).toEqual(await byCycle(period, at));
      }
      await sumCollectionChanges(ledger.pool);
      expect(await reported(whole, now)).toEqual(await byCycle(whole, now));
    }),
    { numRuns: 25 },
  );
});

async function kept(): Promise<unknown[]> {
  const { rows } = await ledger.pool.query<{ status: string; count: number; amount: number }>(
    'select status, count, amount from collection_sums where count <> 0 order by status',
  );
  return rows;
}

test('a failed cycle that is collected later moves from one sum to another, and so does its refund', async () => {
  await write({ cycle: 0, dueAt: DUE, status: 'failed', cents: 1999 });
  expect(await sumCollectionChanges(ledger.pool)).toBe(1);
  expect(await kept()).toEqual([{ status: 'failed', count: 1, amount: 1999 }]);
  await write({ cycle: 0, dueAt: DUE, status: 'collected', cents: 1999 });
  await refund(0, 500);
  expect(await sumCollectionChanges(ledger.pool)).toBe(3);
  expect(await kept()).toEqual([
    { status: 'collected', count: 1, amount: 1999 },
    { status: 'refunded', count: 1, amount: 500 },
  ]);
  expect(await sumCollectionChanges(ledger.pool)).toBe(0);
});

test('three processes that add up changes at once add every change once', async () => {
  for (let cycle = 0; cycle < 40; cycle += 1) {
    await write({ cycle, dueAt: DUE + (cycle % 4) * HOUR, status: 'collected', cents: 100 });
  }
  const taken = await Promise.all(Array.from({ length: 3 }, () => sumCollectionChanges(ledger.pool)));
  expect(taken.reduce((sum, each) => sum + each, 0)).toBe(40);
  const { rows } = await ledger.pool.query<{ amount: number }>(
    'select sum(amount)::bigint as amount from collection_sums',
  );
  expect(rows).toEqual([{ amount: 4_000 }]);
});
