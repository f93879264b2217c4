import { type Removing, removeLeftovers } from '../../activities/housekeeping/housekeeping';
import { DAY, MINUTE } from '../../src/domain/time';
import { storeSnapshot, type Pool, SNAPSHOT_LIFE } from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import { useWorld, type World } from './activity-world';

const holder = useWorld();
beforeEach(() => emptyLedger(holder.world.deps.ledger));

/** So many of each, older than anything that is kept. */
async function leave(world: World, count: number): Promise<void> {
  const { ledger, clock } = world.deps;
  const old = new Date(clock.realNow() - 100 * DAY).toISOString();
  await ledger.query(
    `insert into payers (payer_id)
       select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid from generate_series(1, ${2 * count}) n;
     insert into subscriptions (
       subscription_id, payer_id, workflow_id, repetition, consent_amount, amount, start_at, first_payment_at,
       on_exhausted, return_url, warnings, created_at, drafted_real_at, retry_policy, spread
     ) select 'sub_' || n, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'w', 'MONTHLY', 1999, 1999,
         now(), now(), 'continue', 'https://shop.example', '[]', now(), '${old}', '{}', 0
       from generate_series(1, ${count}) n;
     insert into payments (
       request_id, payer_id, workflow_id, plan, amount, return_url, partial_capture, multiple_capture, actor,
       created_at, drafted_real_at
     ) select 'pay_' || n, ('00000000-0000-4000-8000-' || lpad((${count} + n)::text, 12, '0'))::uuid, 'w', 'SINGLE', 1,
         'https://shop.example', false, false, 'till', now(), '${old}'
       from generate_series(1, ${count}) n;
     insert into reconciliation_runs (run_id, period_from, period_to, actor, started_at, started_real_at)
       select 'run-' || n, '2020-01-01', '2020-01-02', 'till', '${old}', '${old}' from generate_series(1, 3) n;
     insert into reconciliation_differences (run_id, payment_id, difference_key, kind)
       select 'run-2', 'p-' || n, 'debit_unknown/' || n, 'debit_unknown' from generate_series(1, ${count}) n;
     insert into approvals (
       approval_id, fingerprint, operation, call, facts, key_id, requested_by, holder, created_real_at, expires_real_at
     ) select gen_random_uuid(), sha256(n::text::bytea), 'refundCycle', 'POST', '{}', 'k', 'till', 'Till', '${old}', now()
       from generate_series(1, ${count}) n`,
  );
}

const TABLES = [
  'payers',
  'subscriptions',
  'payments',
  'reconciliation_runs',
  'reconciliation_differences',
  'approvals',
];

async function left({ deps }: World): Promise<number> {
  const counts = TABLES.map((table) => `(select count(*) from ${table})`).join(' + ');
  const { rows } = await deps.ledger.query<{ n: number }>(`select ${counts} as n`);
  return rows[0]!.n;
}

function removing(world: World, changes: Partial<Removing> = {}): Removing {
  const signal = new AbortController().signal;
  return { deps: world.deps, resumed: undefined, progress: () => undefined, signal, ...changes };
}

/** What each statement that deletes has taken away. */
function counting(ledger: Pool): { readonly ledger: Pool; readonly taken: number[] } {
  const taken: number[] = [];
  const note = (target: Pool) =>
    new Proxy(target, {
      get(pool, name) {
        if (name === 'connect') return async () => note((await pool.connect()) as unknown as Pool);
        if (name !== 'query') return Reflect.get(pool, name) as unknown;
        return async (text: string, values?: unknown[]) => {
          const result = await pool.query(text, values);
          if (/^\s*delete/.test(text)) taken.push(result.rowCount ?? 0);
          return result;
        };
      },
    });
  return { ledger: note(ledger), taken };
}

test('leftovers are removed in small batches, with progress after each', async () => {
  const { world } = holder;
  await leave(world, 1_100);
  const { ledger, taken } = counting(world.deps.ledger);
  const told: unknown[] = [];
  const progress: Removing['progress'] = (step, details) => told.push({ step, ...details });
  const result = await removeLeftovers(removing(world, { deps: { ...world.deps, ledger }, progress }));
  expect(result).toEqual({ drafts: 2_200, reconciliations: 3 });
  expect(await left(world)).toBe(0);
  expect(Math.max(...taken)).toBeLessThanOrEqual(500);
  expect(told.length).toBeGreaterThanOrEqual(10);
  expect(told.at(-1)).toEqual({ step: 'leftovers', drafts: 2_200, reconciliations: 3 });
});

test('removal ends between two batches when the worker stops; another worker continues and reports the total', async () => {
  const { world } = holder;
  await leave(world, 600);
  const stopping = new AbortController();
  const told: unknown[] = [];
  const progress: Removing['progress'] = (step, details) => {
    told.push({ step, ...details });
    stopping.abort(new Error('stopping'));
  };
  await expect(removeLeftovers(removing(world, { progress, signal: stopping.signal }))).rejects.toThrow('stopping');
  expect(told).toEqual([{ step: 'leftovers', drafts: 500, reconciliations: 0 }]);
  expect(await removeLeftovers(removing(world, { resumed: told.at(-1) }))).toEqual({
    drafts: 1_200,
    reconciliations: 3,
  });
  expect(await left(world)).toBe(0);
});

test('approvals of the last ninety days are kept', async () => {
  const { world } = holder;
  const { ledger, clock } = world.deps;
  await leave(world, 2);
  const young = new Date(clock.realNow() - 89 * DAY).toISOString();
  await ledger.query(`update approvals set created_real_at = '${young}' where fingerprint = sha256('1'::bytea)`);
  await removeLeftovers(removing(world));
  expect(await left(world)).toBe(1);
});

test('rows locked by another transaction are left for the next day', async () => {
  const { world } = holder;
  await leave(world, 2);
  const client = await world.deps.ledger.connect();
  await client.query(`begin; select from subscriptions where subscription_id = 'sub_1' for update`);
  expect(await removeLeftovers(removing(world))).toMatchObject({ drafts: 3 });
  await client.query('rollback');
  client.release();
  expect(await removeLeftovers(removing(world))).toMatchObject({ drafts: 1 });
});

test('list snapshots are removed once they are 15 minutes old, not before', async () => {
  const { deps } = holder.world;
  const realNow = deps.clock.realNow();
  for (const age of [0, SNAPSHOT_LIFE - MINUTE, SNAPSHOT_LIFE, DAY]) {
    await storeSnapshot(deps.ledger, { keyId: `key of age ${age}`, ids: ['sub_1'], realNow: realNow - age }, 0);
  }
  await removeLeftovers(removing(holder.world));
  const { rows } = await deps.ledger.query('select key_id as key from list_snapshots order by created_real_at desc');
  expect(rows).toEqual([{ key: 'key of age 0' }, { key: `key of age ${SNAPSHOT_LIFE - MINUTE}` }]);
});
