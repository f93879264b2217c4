import { type Removing, removeLeftovers } from '../../activities/housekeeping/housekeeping';
import { DAY, MINUTE } from '../../src/domain/time';
import { storeSnapshot, type Pool, SNAPSHOT_LIFE } from '../../src/ledger';
import { useWorld, type World } from './activity-world';
import { countOldRows, leaveOldRows } from './old-rows';

const holder = useWorld();

function removing(world: World, changes: Partial<Removing> = {}): Removing {
  const signal = new AbortController().signal;
  return { deps: world.deps, resumed: undefined, progress: () => undefined, signal, ...changes };
}

/** Counts the rows that each delete statement removes. */
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
  await leaveOldRows(world, 1_100);
  const { ledger, taken } = counting(world.deps.ledger);
  const told: unknown[] = [];
  const progress: Removing['progress'] = (step, details) => told.push({ step, ...details });
  const result = await removeLeftovers(removing(world, { deps: { ...world.deps, ledger }, progress }));
  expect(result).toEqual({ drafts: 2_200, reconciliations: 3 });
  expect(await countOldRows(world)).toBe(0);
  expect(Math.max(...taken)).toBeLessThanOrEqual(500);
  expect(told.length).toBeGreaterThanOrEqual(10);
  expect(told.at(-1)).toEqual({ step: 'leftovers', drafts: 2_200, reconciliations: 3 });
});

test('the removal of leftovers ends between two batches when the worker stops; another worker continues and reports the total', async () => {
  const { world } = holder;
  await leaveOldRows(world, 600);
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
  expect(await countOldRows(world)).toBe(0);
});

test('approvals of the last ninety days are kept', async () => {
  const { world } = holder;
  const { ledger, clock } = world.deps;
  await leaveOldRows(world, 2);
  const young = new Date(clock.realNow() - 89 * DAY).toISOString();
  await ledger.query(`update approvals set created_real_at = '${young}' where fingerprint = sha256('1'::bytea)`);
  await removeLeftovers(removing(world));
  expect(await countOldRows(world)).toBe(1);
});

test('rows locked by another transaction are left for the next day', async () => {
  const { world } = holder;
  await leaveOldRows(world, 2);
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
