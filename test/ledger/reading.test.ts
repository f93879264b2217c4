import { performance } from 'node:perf_hooks';
import { createPool, type Db, inTransaction, type Pool, readList, readReport, ReadingRefused } from '../../src/ledger';
import { useLedger } from './ledger-fixture';

const ledger = useLedger();

let reading: Pool;
beforeEach(async () => {
  reading = createPool({ databaseUrl: ledger.url, max: 1 });
  await ledger.pool.query('create table if not exists counters (n int not null)');
  await ledger.pool.query('truncate counters');
});
afterEach(() => reading.end());

const timeout = async (db: Db) => (await db.query<{ statement_timeout: string }>('show statement_timeout')).rows;

test('a read has 3 seconds for a statement of a list and 10 for one of a report, and the usual time-out applies afterwards', async () => {
  expect(await readList(reading, timeout)).toEqual([{ statement_timeout: '3s' }]);
  expect(await readReport(reading, timeout)).toEqual([{ statement_timeout: '10s' }]);
  expect(await timeout(reading)).toEqual([{ statement_timeout: '15s' }]);
});

test('a read sees the ledger as of one moment, whatever others write meanwhile', async () => {
  const count = 'select count(*) as n from counters';
  const seen = await readList(reading, async (db) => {
    const before = await db.query<{ n: number }>(count);
    await inTransaction(ledger.pool, (other) => other.query('insert into counters values (1)'));
    return [...before.rows, ...(await db.query<{ n: number }>(count)).rows];
  });
  expect(seen).toEqual([{ n: 0 }, { n: 0 }]);
});

test('a read cannot write to the ledger', async () => {
  const writing = readList(reading, (db) => db.query('insert into counters values (1)'));
  await expect(writing).rejects.toMatchObject({ code: '25006' });
});

test('a read ends a statement that takes too long, and reports that', async () => {
  const slow = readList(reading, async (db) => {
    await db.query(`set local statement_timeout = 50`);
    return db.query('select pg_sleep(20)');
  });
  await expect(slow).rejects.toThrow(ReadingRefused);
  await expect(slow).rejects.toMatchObject({ why: 'too_slow' });
  expect(await readList(reading, async (db) => (await db.query('select 1 as one')).rows)).toEqual([{ one: 1 }]);
});

test('a read starts no further statement once the time limit of the whole read is over', async () => {
  const endless = (after: number) =>
    readReport(reading, async (db) => {
      const startedAt = performance.now();
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => startedAt + after);
      return db
        .query('select 1 as one')
        .then(({ rows }) => rows)
        .finally(() => clock.mockRestore());
    });
  expect(await endless(29_000)).toEqual([{ one: 1 }]);
  await expect(endless(30_001)).rejects.toMatchObject({ why: 'too_slow' });
});

test('a read is refused after a short wait if all connections are in use, and succeeds again once one is free', async () => {
  const hasty = createPool({ databaseUrl: ledger.url, max: 1, timeoutMs: 1_000 });
  const held = await hasty.connect();
  const refused = readList(hasty, (db) => db.query('select 1')).finally(() => held.release());
  await expect(refused).rejects.toMatchObject({ why: 'too_many' });
  expect((await readList(hasty, (db) => db.query('select 1'))).rowCount).toBe(1);
  await hasty.end();
});

test('a read reports an unreachable ledger differently from a busy one', async () => {
  const nowhere = createPool({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' });
  await expect(readList(nowhere, (db) => db.query('select 1'))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await nowhere.end();
});
