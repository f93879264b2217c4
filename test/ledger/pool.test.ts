import { createPool, type Db, inTransaction, type Ledgers, openLedgers, ping, type Pool } from '../../src/ledger';
import { silentLog } from '../support/silent-log';
import { NOW, useLedger, waitForLock } from './ledger-fixture';

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

test.each(['UTC', 'Europe/Berlin', 'America/St_Johns'])(
  'the pool reads instants to the millisecond in time zone %s',
  async (zone) => {
    const client = await ledger.pool.connect();
    await client.query(`set timezone = '${zone}'`);
    const at = new Date(NOW).toISOString();
    const { rows } = await client.query('select $1::timestamptz(3) as at', [at]);
    await client.query('reset timezone');
    client.release();
    expect(rows[0].at).toBe(NOW);
  },
);

test.each([Date.UTC(1, 0, 1), 0, -1, Date.UTC(9999, 11, 31, 23, 59, 59, 999)])(
  'the pool reads the instant %d as it is',
  async (at) => {
    const { rows } = await ledger.pool.query('select $1::timestamptz(3) as at', [new Date(at).toISOString()]);
    expect(rows[0].at).toBe(at);
  },
);

test('the pool refuses infinity and integers that a JavaScript number cannot hold exactly', async () => {
  await expect(ledger.pool.query(`select 'infinity'::timestamptz`)).rejects.toThrow(RangeError);
  await expect(ledger.pool.query('select 9007199254740993::bigint')).rejects.toThrow(RangeError);
  expect((await ledger.pool.query('select 9007199254740991::bigint as n')).rows).toEqual([{ n: 9007199254740991 }]);
});

test('the pool answers a ping, and the ping fails if there is no database', async () => {
  await ping(ledger.pool);
  const nowhere = createPool({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' });
  await expect(ping(nowhere)).rejects.toThrow();
  await nowhere.end();
});

test('the pool continues after it has lost an idle connection', async () => {
  const warned: unknown[] = [];
  const log = silentLog();
  log.warn = (...words: unknown[]) => void warned.push(words);
  const pool = createPool({ databaseUrl: ledger.url, max: 1, log });
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const lost = new Promise((resolve) => pool.once('error', resolve));
  await ledger.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
  await lost;
  await ping(pool);
  await pool.end();
  expect(warned).toHaveLength(1);
});

describe('openLedgers', () => {
  /** Real ms: enough for a server that answers, even on a busy machine. */
  const TIMEOUT = 2_000;
  let ledgers: Ledgers;
  let silent: number;
  beforeEach(() => {
    const shares = { collecting: 1, steering: 1, reading: 1 };
    ledgers = openLedgers({ databaseUrl: ledger.url, shares, answerMs: TIMEOUT });
  });
  afterEach(async () => {
    process.kill(silent, 'SIGCONT');
    await ledgers.close();
  });

  /** Stops the server's process behind the connection; the connection stays open. */
  async function silence(db: Db): Promise<void> {
    const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
    silent = rows[0]!.pid;
    process.kill(silent, 'SIGSTOP');
  }

  test.each(['collecting', 'steering', 'reading'] as const)(
    'a pool whose server is silent gives up the connection of %s, and continues with another one',
    async (purpose) => {
      const pool = ledgers[purpose];
      await silence(pool);
      await expect(ping(pool)).rejects.toThrow('Query read timeout');
      await ping(pool);
    },
  );

  test('a pool whose server is silent gives up a transaction that waits for an answer, with its connection', async () => {
    const pool = ledgers.collecting;
    const given = inTransaction(pool, async (db) => {
      await db.query('update counters set n = n + 1 where id = 1');
      await silence(db);
      await db.query('update counters set n = n + 1 where id = 1');
    });
    await expect(given).rejects.toThrow('Query read timeout');
    await ping(pool);
  });
});

test('a transaction is committed completely, and returns what its work returns', async () => {
  const result = await inTransaction(ledger.pool, async (db) => {
    await db.query('update counters set n = n + 1');
    return 'done';
  });
  expect(result).toBe('done');
  expect(await countersNow(ledger.pool)).toEqual([1, 1]);
});

test('a transaction whose work fails leaves nothing, is not tried again, and returns its connection', async () => {
  const pool = createPool({ databaseUrl: ledger.url, max: 1 });
  let tried = 0;
  const failing = inTransaction(pool, async (db) => {
    tried += 1;
    await db.query('update counters set n = n + 1');
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(tried).toBe(1);
  expect(await countersNow(pool)).toEqual([0, 0]);
  await pool.end();
});

test.each(['23505', '57014', '08006'])('a transaction is not tried again after the error %s', async (code) => {
  let tried = 0;
  const failing = inTransaction(ledger.pool, async (db) => {
    tried += 1;
    await db.query(`do $$ begin raise exception 'once' using errcode = '${code}'; end $$`);
  });
  await expect(failing).rejects.toMatchObject({ code });
  expect(tried).toBe(1);
});

test('a transaction whose connection is lost fails, and the pool continues', async () => {
  const pool = createPool({ databaseUrl: ledger.url, max: 1 });
  const cut = inTransaction(pool, async (db) => {
    await db.query('update counters set n = n + 1');
    const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
    await ledger.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
    await db.query('select 1');
  });
  await expect(cut).rejects.toThrow();
  expect(await countersNow(pool)).toEqual([0, 0]);
  await pool.end();
});

test('a transaction waits for the lock of another', async () => {
  const other = await ledger.pool.connect();
  await other.query('begin');
  await other.query('update counters set n = 5 where id = 1');
  const waiting = inTransaction(ledger.pool, (db) => db.query('update counters set n = n + 1 where id = 1'));
  await waitForLock(ledger.pool);
  await other.query('commit');
  other.release();
  await waiting;
  expect(await countersNow(ledger.pool)).toEqual([6, 0]);
});
