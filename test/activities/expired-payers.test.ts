import { pino } from 'pino';
import { type Erasing, eraseExpiredPayers } from '../../activities/housekeeping/expired-payers';
import { removeLeftovers } from '../../activities/housekeeping/housekeeping';
import { DAY } from '../../src/domain/time';
import type { Pool } from '../../src/ledger';
import { useWorld, type World } from './activity-world';
import { refusedItems, refusing } from './refusing';

const holder = useWorld();

const DAYS = 400;

let runs = 0;
/** Stores this many payers, each with a subscription whose consent failed this many days ago. */
async function store(world: World, count: number, daysAgo = DAYS + 1): Promise<void> {
  const { ledger, clock } = world.deps;
  // The audit log keeps the ids of payers that earlier tests have erased, so each test needs new ids.
  runs += 1;
  const payerId = `md5('${runs}/' || n)::uuid`;
  const at = new Date(clock.now() - daysAgo * DAY).toISOString();
  await ledger.query(
    `insert into payers (payer_id, email)
       select ${payerId}, 'ada' || n || '@example.org'
       from generate_series(1, ${count}) n;
     insert into subscriptions (
       subscription_id, payer_id, payment_id, workflow_id, repetition, consent_amount, amount, start_at,
       first_payment_at, on_exhausted, warnings, created_at, drafted_real_at, status, retry_policy, spread
     ) select 'sub_${runs}_' || n, ${payerId}, 'pay_${runs}_' || n, 'w', 'MONTHLY',
         1999, 1999, '${at}', '${at}', 'continue', '[]', '${at}', '${at}', 'consent_failed', '{}', 0
       from generate_series(1, ${count}) n`,
  );
}

async function stored({ deps }: World): Promise<number> {
  const { rows } = await deps.ledger.query<{ n: number }>('select count(email) as n from payers');
  return rows[0]!.n;
}

function erasing(world: World, changes: Partial<Erasing> = {}): Erasing {
  const signal = new AbortController().signal;
  return { deps: world.deps, days: DAYS, progress: () => undefined, signal, ...changes };
}

/** The same ledger, in which some payers cannot be erased. */
function failing(ledger: Pool, fails: (payerId: string) => boolean): Pool {
  const note = (target: Pool): Pool =>
    new Proxy(target, {
      get(pool, name) {
        if (name === 'connect') return async () => note((await pool.connect()) as unknown as Pool);
        if (name !== 'query') return Reflect.get(pool, name) as unknown;
        return async (text: string, values?: unknown[]) => {
          const isOne = /^select reference from payers/.test(text);
          if (isOne && fails(String(values?.[0]))) throw new Error('no disk left');
          return pool.query(text, values);
        };
      },
    });
  return note(ledger);
}

test('every payer whose last subscription ended long enough ago is erased, page by page, and reported', async () => {
  const { world } = holder;
  await store(world, 40);
  await store(world, 560, DAYS - 1);
  const told: number[] = [];
  const erased = await eraseExpiredPayers(erasing(world, { progress: (count) => void told.push(count) }));
  expect([erased, told.length, told.at(-1), await stored(world)]).toEqual([40, 2, 40, 560]);
  expect(await eraseExpiredPayers(erasing(world))).toBe(0);
});

test('a payer that cannot be erased is left for the next day and logged', async () => {
  const { world } = holder;
  await store(world, 3);
  const { rows } = await world.deps.ledger.query<{ id: string }>('select payer_id as id from payers limit 1');
  const ledger = failing(world.deps.ledger, (payerId) => payerId === rows[0]?.id);
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  expect(await eraseExpiredPayers(erasing(world, { deps: { ...world.deps, ledger, log } }))).toBe(2);
  expect(lines.filter((line) => line.includes('a payer could not be erased'))).toHaveLength(1);
  expect(await eraseExpiredPayers(erasing(world))).toBe(1);
});

test('a ledger that fails for all payers ends the work', async () => {
  const { world } = holder;
  await store(world, 20);
  const ledger = failing(world.deps.ledger, () => true);
  await expect(eraseExpiredPayers(erasing(world, { deps: { ...world.deps, ledger } }))).rejects.toThrow('no disk left');
});

test('no payer is erased once the worker is stopping', async () => {
  const { world } = holder;
  await store(world, 3);
  const stopping = new AbortController();
  stopping.abort(new Error('stopping'));
  await expect(eraseExpiredPayers(erasing(world, { signal: stopping.signal }))).rejects.toThrow('stopping');
  expect(await stored(world)).toBe(3);
});

const removing = (world: World, payerRetentionDays: number | undefined, resumed?: unknown) => {
  const deps = { ...world.deps, settings: { ...world.deps.settings, payerRetentionDays } };
  const told: unknown[] = [];
  const signal = new AbortController().signal;
  const progress = (_step: string, details?: object) => void told.push(details);
  return { told, done: removeLeftovers({ deps, resumed, signal, progress }) };
};

test('the daily work keeps every payer if no retention is set', async () => {
  const { world } = holder;
  await store(world, 2);
  expect(await removing(world, undefined).done).toEqual({ drafts: 0, reconciliations: 0 });
  expect(await stored(world)).toBe(2);
});

test('the daily work erases payers after the configured days', async () => {
  const { world } = holder;
  await store(world, 2);
  expect(await removing(world, DAYS + 2).done).toEqual({ drafts: 0, reconciliations: 0, payers: 0 });
  expect(await removing(world, DAYS).done).toEqual({ drafts: 0, reconciliations: 0, payers: 2 });
});

test('the daily work adds its erased payers to the count of the previous worker', async () => {
  const { world } = holder;
  await store(world, 2);
  const { told, done } = removing(world, DAYS, { drafts: 7, reconciliations: 1, payers: 40 });
  expect(await done).toEqual({ drafts: 7, reconciliations: 1, payers: 42 });
  expect(told.at(-1)).toEqual({ drafts: 7, reconciliations: 1, payers: 42 });
});

test('payers that the ledger refuses to erase are handed to an operator, however many there are', async () => {
  const { world } = holder;
  await store(world, 8);
  const { rows } = await world.deps.ledger.query<{ payerId: string }>(
    `select payer_id::text as "payerId" from payers where email <> 'ada1@example.org'`,
  );
  const refused = rows.map(({ payerId }) => payerId);
  expect(refused).toHaveLength(7);
  const erase = () => eraseExpiredPayers(erasing(world));
  const check = `email is not null or payer_id <> all ('{${refused.join(',')}}')`;
  expect(await refusing(world, 'payers', check, erase)).toBe(1);
  for (const payerId of refused) expect(await refusedItems(world, payerId)).toHaveLength(1);
  expect(await erase()).toBe(7);
  for (const payerId of refused) expect(await refusedItems(world, payerId)).toEqual([]);
});

test('the item about a payer that could not be erased ends with its erasure, even if the worker then stops', async () => {
  const { world } = holder;
  const { clock } = world.deps;
  await store(world, 3);
  const { rows } = await world.deps.ledger.query<{ payerId: string }>(
    'select payer_id::text as "payerId" from payers order by payer_id',
  );
  const payerIds = rows.map(({ payerId }) => payerId);
  const openItems = () => Promise.all(payerIds.map(async (id) => (await refusedItems(world, id)).length));
  await refusing(world, 'payers', 'email is not null', () => eraseExpiredPayers(erasing(world)));
  expect(await openItems()).toEqual([1, 1, 1]);
  const stopping = new AbortController();
  const stopsAtFirst = {
    setting: clock.setting,
    now: () => clock.now(),
    realNow: () => {
      stopping.abort(new Error('stopping'));
      return clock.realNow();
    },
  };
  const changes = { deps: { ...world.deps, clock: stopsAtFirst }, signal: stopping.signal };
  await expect(eraseExpiredPayers(erasing(world, changes))).rejects.toThrow('stopping');
  expect([await stored(world), await openItems()]).toEqual([2, [0, 1, 1]]);
});
