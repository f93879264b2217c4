import { setImmediate } from 'node:timers/promises';
import { createPool, inTransaction, type Pool } from '../../src/ledger';
import { useLedger } from '../ledger/ledger-fixture';
import { waitUntil } from '../support/wait-until';

const ledger = useLedger();

beforeAll(async () => {
  await ledger.pool.query('create table counters (id int primary key, n int not null default 0)');
});

beforeEach(async () => {
  await ledger.pool.query('truncate counters');
  await ledger.pool.query('insert into counters values (1), (2)');
});

async function countersNow(pool: Pool): Promise<number[]> {
  return (await pool.query<{ n: number }>('select n from counters order by id')).rows.map(({ n }) => n);
}

test('fault 18: the ledger aborts a statement that takes too long', async () => {
  const impatient = createPool({ databaseUrl: ledger.url, statementTimeoutMs: 50 });
  await expect(impatient.query('select pg_sleep(10)')).rejects.toThrow('statement timeout');
  await impatient.end();
});

test('fault 18: a pool without a free connection refuses after ten seconds, and works again once one is free', async () => {
  const pool = createPool({ databaseUrl: ledger.url, max: 1 });
  const held = await pool.connect();
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
  try {
    const refused = inTransaction(pool, async (db) => db.query('update counters set n = n + 1'));
    const ended = jest.fn();
    refused.catch(ended);
    jest.advanceTimersByTime(9_999);
    await setImmediate();
    expect(ended).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    await expect(refused).rejects.toThrow(/timeout/);
  } finally {
    jest.useRealTimers();
  }
  held.release();
  await inTransaction(pool, async (db) => db.query('update counters set n = n + 1'));
  expect(await countersNow(pool)).toEqual([1, 1]);
  await pool.end();
});

test('fault 18: two transactions in a deadlock both succeed', async () => {
  let tried = 0;
  let locked = 0;
  const crossing = ([first, second]: [number, number]) =>
    inTransaction(ledger.pool, async (db) => {
      tried += 1;
      await db.query('update counters set n = n + 1 where id = $1', [first]);
      locked += 1;
      if (tried <= 2) await waitUntil('both hold their first lock', () => locked === 2);
      await db.query('update counters set n = n + 1 where id = $1', [second]);
    });
  await Promise.all([crossing([1, 2]), crossing([2, 1])]);
  expect(tried).toBe(3);
  expect(await countersNow(ledger.pool)).toEqual([2, 2]);
});

test('fault 18: a transaction with a serialization failure is tried again', async () => {
  let tried = 0;
  await inTransaction(ledger.pool, async (db) => {
    tried += 1;
    await db.query('set transaction isolation level serializable');
    const { rows } = await db.query<{ n: number }>('select n from counters where id = 1');
    if (tried === 1) await ledger.pool.query('update counters set n = 10 where id = 1');
    await db.query('update counters set n = $1 where id = 1', [rows[0]!.n + 1]);
  });
  expect(tried).toBe(2);
  expect(await countersNow(ledger.pool)).toEqual([11, 0]);
});

test.each(['40001', '40P01'])(
  'fault 18: the ledger gives up after five failures with %s and names the reason',
  async (code) => {
    let tried = 0;
    const hopeless = inTransaction(ledger.pool, async (db) => {
      tried += 1;
      await db.query('update counters set n = n + 1');
      await db.query(`do $$ begin raise exception 'always' using errcode = '${code}'; end $$`);
    });
    await expect(hopeless).rejects.toMatchObject({ code });
    expect(tried).toBe(5);
    expect(await countersNow(ledger.pool)).toEqual([0, 0]);
  },
);
