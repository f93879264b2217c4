import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPool, isSchemaCurrent, type Pool } from '../../src/ledger';
import { startProgram } from '../support/child-program';
import { partOfRun } from '../support/test-run';

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

function migrate(): Promise<unknown> {
  return startProgram('ledger/programs/migrate.ts', [url]).report;
}

test('an empty database lacks every migration, and is current once they are made', async () => {
  expect(await isSchemaCurrent(pool)).toEqual({ current: false, missing: ALL, unknown: [] });
  expect(await migrate()).toEqual(ALL);
  expect(await isSchemaCurrent(pool)).toEqual({ current: true, missing: [], unknown: [] });
});

test('made again, nothing happens', async () => {
  await migrate();
  await pool.query(`insert into api_keys values (gen_random_uuid(), 'kept', 'viewer', sha256('x'), now())`);
  expect(await migrate()).toEqual([]);
  expect((await pool.query('select name from api_keys')).rows).toEqual([{ name: 'kept' }]);
});

test('three at once make each migration once', async () => {
  const made = (await Promise.all([migrate(), migrate(), migrate()])) as string[][];
  expect(made.flat().sort()).toEqual(ALL);
  expect(made.filter((names) => names.length > 0)).toHaveLength(1);
  expect((await isSchemaCurrent(pool)).current).toBe(true);
});

test('a migration that fails leaves nothing of those before it, and may be made once its cause is gone', async () => {
  await pool.query('create table idempotency_keys (in_the_way int)');
  await expect(migrate()).rejects.toThrow('already exists');
  expect((await isSchemaCurrent(pool)).missing).toEqual(ALL);
  await pool.query('drop table idempotency_keys');
  expect(await migrate()).toEqual(ALL);
});

test('a schema newer than the program is not current, and names what is not known', async () => {
  await migrate();
  await pool.query(`insert into schema_migrations (name, run_on) values ('9999_tomorrow', now())`);
  expect(await isSchemaCurrent(pool)).toEqual({ current: false, missing: [], unknown: ['9999_tomorrow'] });
});

test('what every migration says of undoing it leaves nothing of the schema', async () => {
  await migrate();
  for (const file of [...FILES].sort().reverse()) {
    const [, down] = readFileSync(join(FOLDER, file), 'utf8').split('-- Down Migration');
    await pool.query(down!);
  }
  const left = `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S')
                union all select proname from pg_proc where pronamespace = 'public'::regnamespace order by 1`;
  const { rows } = await pool.query<{ relname: string }>(left);
  expect(rows.map(({ relname }) => relname)).toEqual(['schema_migrations', 'schema_migrations_id_seq']);
});
