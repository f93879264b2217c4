import { randomBytes } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../src/embedded/folders';
import { createPool, type Pool, readSchema } from '../../src/ledger';
import { startProgram } from '../support/child-program';
import { partOfRun } from '../support/test-run';
import { waitUntil } from '../support/wait-until';
import { faultsOf } from './migration-rules';

const FOLDER = join(__dirname, '../../src/ledger/migrations');
const FILES = readdirSync(FOLDER);
const ALL = FILES.map((file) => file.replace(/\.sql$/, '')).sort();

let server: Pool;
let name: string;
let url: string;
let pool: Pool;

beforeEach(async () => {
  const { serverUrl } = partOfRun('database');
  server = createPool({ databaseUrl: serverUrl });
  name = `empty_${randomBytes(6).toString('hex')}`;
  await server.query(`create database ${name}`);
  const address = new URL(serverUrl);
  address.pathname = name;
  url = address.href;
  pool = createPool({ databaseUrl: url });
});

afterEach(async () => {
  await pool.end();
  await server.query(`drop database ${name} with (force)`);
  await server.end();
});

/** @param args a folder of migrations, and the time-out for a lock in real ms */
function migrate(...args: string[]): Promise<unknown> {
  return startProgram('ledger/programs/migrate.ts', [url, ...args]).report;
}

test('an empty database lacks every migration, and is current once they are applied', async () => {
  expect(await readSchema(pool)).toEqual({ missing: ALL, unknown: [], needed: null });
  expect(await migrate()).toEqual(ALL);
  expect(await readSchema(pool)).toEqual({ missing: [], unknown: [], needed: null });
  const { rows } = await pool.query<{ migration: string }>('select migration from schema_floor');
  expect(ALL).toContain(rows[0]?.migration);
});

test('migrating again changes nothing', async () => {
  await migrate();
  await pool.query(
    `insert into api_keys (key_id, name, role, hash, created_real_at)
     values (gen_random_uuid(), 'kept', 'viewer', sha256('x'), now())`,
  );
  expect(await migrate()).toEqual([]);
  expect((await pool.query('select name from api_keys')).rows).toEqual([{ name: 'kept' }]);
});

test('three concurrent processes apply each migration once', async () => {
  const made = (await Promise.all([migrate(), migrate(), migrate()])) as string[][];
  expect(made.flat().sort()).toEqual(ALL);
  expect(made.filter((names) => names.length > 0)).toHaveLength(1);
  expect((await readSchema(pool)).missing).toEqual([]);
});

test('a migration that fails leaves nothing behind, and is applied once the cause is gone', async () => {
  await pool.query('create table idempotency_keys (in_the_way int)');
  await expect(migrate()).rejects.toThrow('already exists');
  expect((await readSchema(pool)).missing).toEqual(ALL);
  await pool.query('drop table idempotency_keys');
  expect(await migrate()).toEqual(ALL);
});

test('a schema that a newer release extended fits; one that it reduced does not, and the migration is named', async () => {
  await migrate();
  await pool.query(`insert into schema_migrations (name, run_on) values ('9999_tomorrow', now())`);
  expect(await readSchema(pool)).toEqual({ missing: [], unknown: ['9999_tomorrow'], needed: null });
  await pool.query(`update schema_floor set migration = '9999_tomorrow'`);
  expect(await readSchema(pool)).toEqual({ missing: [], unknown: ['9999_tomorrow'], needed: '9999_tomorrow' });
  await expect(pool.query(`insert into schema_floor (migration) values ('another')`)).rejects.toThrow('duplicate key');
});

describe('migrate', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await makeTemporaryFolder('migrations');
    cpSync(FOLDER, folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (sql: string) => writeFileSync(join(folder, '9999_tomorrow.sql'), sql);

  test('a migration builds an index while others write to its table', async () => {
    await migrate();
    write('create index concurrently tomorrow on audit_chain (entry_id);');
    const writer = await pool.connect();
    await writer.query('begin; lock table audit_chain in row exclusive mode');
    const made = migrate(folder);
    // The index already exists, still invalid, while the writer continues; a plain index build would wait for the lock.
    await waitUntil('the index is being built', async () => {
      const { rows } = await pool.query(`select from pg_class where relname = 'tomorrow'`);
      return rows.length === 1;
    });
    await writer.query('commit');
    writer.release();
    expect(await made).toEqual(['9999_tomorrow']);
    expect((await pool.query(`select indisvalid from pg_index where indexrelid = 'tomorrow'::regclass`)).rows).toEqual([
      { indisvalid: true },
    ]);
  });

  test('a migration rebuilds an index that was not finished', async () => {
    await migrate();
    await pool.query('create index tomorrow on audit_chain (position)');
    await pool.query(`update pg_index set indisvalid = false where indexrelid = 'tomorrow'::regclass`);
    write('create index concurrently tomorrow on audit_chain (entry_id);');
    expect(await migrate(folder)).toEqual(['9999_tomorrow']);
    const { rows } = await pool.query(`select indexdef from pg_indexes where indexname = 'tomorrow'`);
    expect(rows).toEqual([{ indexdef: 'CREATE INDEX tomorrow ON public.audit_chain USING btree (entry_id)' }]);
  });

  test('a migration gives up waiting for a lock before it blocks others for long', async () => {
    await migrate();
    write('alter table audit_chain add column tomorrow text;');
    const reader = await pool.connect();
    await reader.query('begin; lock table audit_chain in access share mode');
    await expect(migrate(folder, '100')).rejects.toThrow('canceling statement due to lock timeout');
    await reader.query('commit');
    reader.release();
    expect(await migrate(folder)).toEqual(['9999_tomorrow']);
  });
});

test.each([
  ['alter table jobs drop column work', ['takes away what the release before uses, and does not raise the floor']],
  ["drop view payment_captures; update schema_floor set migration = '0002_captures'", []],
  [
    'alter table jobs rename column work to task',
    ['takes away what the release before uses, and does not raise the floor'],
  ],
  ['alter table jobs add column urgent boolean not null default false', []],
  ['create index jobs_urgent on jobs (urgent)', ['builds jobs_urgent under a lock on jobs']],
  ['create table urgent_jobs (job_id uuid); create index urgent_jobs_by_id on urgent_jobs (job_id)', []],
  ['create unique index concurrently jobs_urgent on jobs (urgent);', []],
  [
    'create index concurrently jobs_urgent on jobs (urgent); drop index jobs_by_age',
    ['builds an index concurrently beside other statements'],
  ],
  ['-- drop table jobs', []],
])('the check of migrations finds in "%s": %j', (sql, faults) => {
  expect(faultsOf(sql)).toEqual(faults);
});

test('the check finds no fault in any migration after the baseline', () => {
  const [baseline, ...later] = [...FILES].sort();
  expect(baseline).toBe('0001_baseline.sql');
  const faulty = later.map((file) => ({ file, faults: faultsOf(readFileSync(join(FOLDER, file), 'utf8')) }));
  expect(faulty.filter(({ faults }) => faults.length > 0)).toEqual([]);
});
