import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { createPool } from '../src/ledger';
import { untilSignal } from '../src/process/command';
import { openRateLease } from '../src/process/dependencies';
import { useLedger } from './ledger/ledger-fixture';
import { waitUntil } from './support/wait-until';

/**
 * The detail of an error from PostgreSQL contains rows, and rows contain personal data, which no line of the log may
 * contain.
 */

let onClosing: (closing: { readonly err: Error }) => Promise<void>;
jest.mock('close-with-grace', () => ({
  __esModule: true,
  default: (_options: object, closing: typeof onClosing) => {
    onClosing = closing;
    return { close: () => undefined };
  },
}));

const ledger = useLedger();

/** A log, and its lines with all their fields. */
function lines() {
  const written: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void written.push(JSON.parse(line) as Record<string, unknown>) });
  return { written, log };
}

/** The safe part of an error that contains the payer's data. */
const SAFE = { type: expect.any(String), message: expect.any(String), stack: expect.any(String), code: '23514' };

async function refusal(): Promise<Error> {
  const payer = `insert into payers (payer_id, name, erased_at) values (gen_random_uuid(), 'Erika Muster', now())`;
  const refused: unknown = await ledger.pool.query(payer).catch((error: unknown) => error);
  expect(refused).toMatchObject({ detail: expect.stringContaining('Erika Muster') });
  return refused as Error;
}

test('an error that ends the process is logged without the database row that it contains', async () => {
  const { written, log } = lines();
  await untilSignal(log, () => Promise.resolve());
  await onClosing({ err: await refusal() });
  expect(written[0]).toMatchObject({ level: 60, msg: 'stopping after an error' });
  expect(written[0]!['err']).toEqual(SAFE);
});

test('the failure to renew a share of calls is logged without the database row that the error contains', async () => {
  await ledger.pool.query('alter table rate_leases add constraint none_at_all check (false)');
  const { written, log } = lines();
  const lease = openRateLease({ databaseUrl: ledger.url, callsPerSecond: 10, log });
  lease.join();
  await waitUntil('the share could not be renewed', () => written.length > 0);
  await lease.stop();
  await ledger.pool.query('alter table rate_leases drop constraint none_at_all');
  expect(written[0]).toMatchObject({ level: 40, msg: 'the share of calls could not be renewed' });
  expect(written[0]!['err']).toEqual(SAFE);
});

test('a process that makes no calls gives up its share of calls, and takes a share again with the next call', async () => {
  const lease = openRateLease({ databaseUrl: ledger.url, callsPerSecond: 10, idleMs: 100, log: lines().log });
  const renewedAt = async () => {
    const { rows } = await ledger.pool.query<{ at: number | null }>('select max(renewed_at) as at from rate_leases');
    return rows[0]!.at ?? 0;
  };
  lease.own();
  await waitUntil('the share is taken', async () => (await renewedAt()) > 0);
  const taken = await renewedAt();
  // Longer than the interval at which a lease is renewed.
  await pause(2_200);
  expect(await renewedAt()).toBe(taken);
  lease.own();
  await waitUntil('it is taken again', async () => (await renewedAt()) > taken);
  await lease.stop();
});

test('the loss of an idle connection is logged with only the safe parts of its error', async () => {
  const { written, log } = lines();
  const pool = createPool({ databaseUrl: ledger.url, max: 1, log });
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  await ledger.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
  await waitUntil('the loss was logged', () => written.length > 0);
  await pool.end();
  expect(written[0]!['err']).toEqual({ ...SAFE, code: '57P01' });
});

test('the connection of the rate lease has the same statement_timeout as others, because a pooler may reuse its session', async () => {
  await ledger.pool.query(`
    create table seen_limits (statements text);
    create function see_limit() returns trigger language plpgsql as
      $$ begin insert into seen_limits values (current_setting('statement_timeout')); return null; end $$;
    create trigger see_limit after insert on rate_leases for each row execute function see_limit()`);
  const lease = openRateLease({ databaseUrl: ledger.url, callsPerSecond: 10, log: lines().log });
  lease.join();
  const seen = async () =>
    (await ledger.pool.query<{ statements: string }>('select distinct statements from seen_limits')).rows;
  await waitUntil('the share is taken', async () => (await seen()).length > 0);
  await lease.stop();
  await ledger.pool.query('drop function see_limit cascade');
  expect(await seen()).toEqual([{ statements: '15s' }]);
});
