import fc from 'fast-check';
import { openLedgers, shareOut } from '../../src/ledger';
import { useLedger } from './ledger-fixture';

const ledger = useLedger();

test('a worker with 20 connections collects with 6 and steers with 14; the API has 10 more', () => {
  expect(shareOut(20, { works: true, serves: false })).toEqual({ collecting: 6, steering: 14, reading: 1 });
  expect(shareOut(20, { works: false, serves: true })).toEqual({ collecting: 1, steering: 5, reading: 5 });
  expect(shareOut(20, { works: true, serves: true })).toEqual({ collecting: 6, steering: 19, reading: 5 });
});

test('each purpose has a connection, and both roles together have at most one and a half times the pool size', () => {
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 1000 }), (size) => {
      const { collecting, steering, reading } = shareOut(size, { works: true, serves: true });
      const worker = shareOut(size, { works: true, serves: false });
      expect(Math.min(collecting, steering, reading)).toBeGreaterThan(0);
      expect(collecting + steering + reading).toBeLessThanOrEqual(size * 1.5);
      expect(worker.collecting + worker.steering).toBe(size);
      expect(worker.collecting).toBeLessThanOrEqual(worker.steering);
    }),
  );
});

test('every connection sets its time-outs by a statement, as a pooler may refuse start-up parameters', async () => {
  const shares = { collecting: 1, steering: 1, reading: 1 };
  const ledgers = openLedgers({ databaseUrl: ledger.url, shares });
  for (const pool of [ledgers.collecting, ledgers.steering, ledgers.reading, ledgers.counting]) {
    const { rows } = await pool.query(
      `select name, setting, source from pg_settings where name like '%\\_timeout' and source <> 'default' order by name`,
    );
    expect(rows).toEqual([
      { name: 'idle_in_transaction_session_timeout', setting: '60000', source: 'session' },
      { name: 'statement_timeout', setting: '15000', source: 'session' },
    ]);
  }
  await ledgers.close();
});
