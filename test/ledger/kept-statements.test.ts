import { createPool, type Pool } from '../../src/ledger';
import { inTransaction } from '../../src/ledger/sql/database';
import { readRecords } from '../../src/ledger/sql/statements';
import { traced } from '../tracing/traces-on';
import { inTraceOf } from '../../src/platform/tracing';
import { useLedger } from './ledger-fixture';

const ledger = useLedger();

let pool: Pool;
beforeEach(() => {
  // One connection: prepared statements belong to their connection.
  pool = createPool({ databaseUrl: ledger.url, max: 1, keepsStatements: true });
});
afterEach(() => pool.end());

/** The texts of the prepared statements; queried without values, so that this query is not prepared. */
async function preparedStatements(): Promise<readonly string[]> {
  const { rows } = await pool.query<{ statement: string }>(
    'select statement from pg_prepared_statements order by prepare_time',
  );
  return rows.map(({ statement }) => statement);
}

test('a statement with values is prepared once, however often it runs, inside and outside of transactions', async () => {
  const ask = 'select $1::int + 1 as next';
  for (const value of [1, 2, 3]) expect((await pool.query(ask, [value])).rows).toEqual([{ next: value + 1 }]);
  await inTransaction(pool, (db) => db.query(ask, [4]));
  expect(await readRecords(pool, ask, [5])).toEqual([{ next: 6 }]);
  expect(await preparedStatements()).toEqual([ask]);
});

test('nothing is prepared without values, or if statements are not to be kept', async () => {
  await pool.query('select 1');
  await pool.query('select 1', []);
  expect(await preparedStatements()).toEqual([]);
  const plain = createPool({ databaseUrl: ledger.url, max: 1 });
  try {
    await plain.query('select $1::int', [1]);
    expect((await plain.query('select from pg_prepared_statements')).rowCount).toBe(0);
  } finally {
    await plain.end();
  }
});

test('each connection has its own prepared statements', async () => {
  const both = createPool({ databaseUrl: ledger.url, max: 2, keepsStatements: true });
  const clients = [await both.connect(), await both.connect()];
  try {
    for (const client of clients) expect((await client.query('select $1::int as n', [7])).rows).toEqual([{ n: 7 }]);
  } finally {
    for (const client of clients) client.release();
    await both.end();
  }
});

test('a statement changed by a migration fails once and is prepared again for the next caller', async () => {
  await pool.query('create table growing (a int)');
  try {
    const ask = 'select * from growing where a = $1';
    await pool.query(ask, [1]);
    await pool.query('alter table growing add column b int');
    await expect(pool.query(ask, [1])).rejects.toMatchObject({ code: '0A000' });
    expect((await pool.query(ask, [1])).fields.map(({ name }) => name)).toEqual(['a', 'b']);
  } finally {
    await pool.query('drop table growing');
  }
});

test('a statement that fails stays prepared, and can run again', async () => {
  const ask = 'select 10 / $1::int as part';
  await expect(pool.query(ask, [0])).rejects.toMatchObject({ code: '22012' });
  expect((await pool.query(ask, [5])).rows).toEqual([{ part: 2 }]);
  expect(await preparedStatements()).toEqual([ask]);
});

test('a trace shows a prepared statement by its text', async () => {
  const { spans } = await traced(() =>
    inTraceOf({ subscriptionId: 'gym' }, 'work', () =>
      pool.query('select key_id from api_keys where name = $1', ['a']),
    ),
  );
  expect(spans.map(({ name }) => name)).toContain('select api_keys');
});
