import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { AnswerListener, createPool, importMandates, inTransaction, type Pool } from '../../src/ledger';
import { createTestDatabase } from '../support/database';
import { mandateOf } from './mandate';
import { NOW } from './ledger-fixture';

let url: string;
let pool: Pool;
let listener: AnswerListener;
let drop: () => Promise<void>;
let id: string;
let reads = 0;

beforeAll(async () => {
  const database = await createTestDatabase();
  ({ url, drop } = database);
  pool = createPool({ databaseUrl: url, max: 3 });
});
afterAll(async () => {
  await pool.end();
  await drop();
});
beforeEach(async () => {
  const mandate = mandateOf();
  await importMandates(pool, [mandate], { actor: 'test', at: NOW });
  id = mandate.subscriptionId;
  reads = 0;
  listener = new AnswerListener(createPool({ databaseUrl: url, max: 1, purpose: 'answers' }));
});
afterEach(() => listener.close());

async function status(): Promise<string> {
  const { rows } = await pool.query<{ status: string }>('select status from subscriptions where subscription_id = $1', [
    id,
  ]);
  reads += 1;
  return rows[0]!.status;
}

/** Waits until the subscription is paused, for at most `ms`. @returns its status, and how long it took */
async function untilPaused(ms: number): Promise<{ readonly status: string; readonly took: number }> {
  const from = performance.now();
  const read = await listener.wait(`subscription/${id}`, status, (each) => each === 'paused', from + ms);
  return { status: read, took: performance.now() - from };
}

const PAUSE = `update subscriptions set status = 'paused' where subscription_id = $1`;

async function listening(): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'dueday answers'
       and query like 'listen%'`,
  );
  return rows.length;
}

/** Opens the connection, and waits until it listens. */
async function connected(): Promise<void> {
  await listener.wait(
    `subscription/other`,
    async () => null,
    () => true,
    0,
  );
  while ((await listening()) === 0) await pause(5);
}

test('a caller is notified by the commit of the change that it waits for, and reads only twice', async () => {
  await connected();
  const waiting = untilPaused(60_000);
  while (reads === 0) await pause(1);
  await pool.query(PAUSE, [id]);
  // A busy machine may be slow, so this counts the reads, and not the time: without a notification there would be more.
  expect((await waiting).status).toBe('paused');
  expect(reads).toBe(2);
});

test('a caller is notified neither before the commit of a change, nor of a change that is rolled back', async () => {
  await connected();
  const waiting = untilPaused(700);
  while (reads === 0) await pause(1);
  await inTransaction(pool, async (db) => {
    await db.query(PAUSE, [id]);
    throw new Error('rolled back');
  }).catch(() => undefined);
  expect((await waiting).status).toBe('active');
  // One read at the start, and one at the end.
  expect(reads).toBe(2);
});

test('a caller whose answer is already there does not wait', async () => {
  await pool.query(PAUSE, [id]);
  expect((await untilPaused(60_000)).status).toBe('paused');
  expect(reads).toBe(1);
});

test('a change of another subscription does not make a caller read', async () => {
  await connected();
  const other = mandateOf();
  await importMandates(pool, [other], { actor: 'test', at: NOW });
  const waiting = untilPaused(700);
  while (reads === 0) await pause(1);
  await pool.query(PAUSE, [other.subscriptionId]);
  expect((await waiting).status).toBe('active');
  expect(reads).toBe(2);
});

test('all callers share one connection', async () => {
  await connected();
  const waiting = Array.from({ length: 20 }, () => untilPaused(60_000));
  while (reads < 20) await pause(1);
  expect(await listening()).toBe(1);
  await pool.query(PAUSE, [id]);
  for (const { status: read } of await Promise.all(waiting)) expect(read).toBe('paused');
  expect(reads).toBe(40);
});

/** Ends the connection of the listener, as a restart of PostgreSQL would. */
const cutOff = () =>
  pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'dueday answers'`,
  );

test('a lost connection is logged', async () => {
  await listener.close();
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  listener = new AnswerListener(createPool({ databaseUrl: url, max: 1, purpose: 'answers' }), log);
  await connected();
  await cutOff();
  while (lines.length === 0) await pause(5);
  expect(lines[0]).toContain('the ledger cannot notify this process of answers');
});

test('while the connection is lost a caller reads at the end of its wait, and once the connection is back callers are notified again', async () => {
  await connected();
  await cutOff();
  const waiting = untilPaused(300);
  while (reads === 0) await pause(1);
  await pool.query(PAUSE, [id]);
  expect((await waiting).status).toBe('paused');
  // A third read if the connection returned within the wait.
  expect(reads).toBeLessThanOrEqual(3);
  while ((await listening()) === 0) await pause(5);
  const before = reads;
  const again = listener.wait(`subscription/${id}`, status, (each) => each === 'active', performance.now() + 60_000);
  while (reads === before) await pause(1);
  await pool.query(`update subscriptions set status = 'active' where subscription_id = $1`, [id]);
  expect(await again).toBe('active');
  expect(reads).toBe(before + 2);
});
