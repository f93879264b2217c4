import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  chainAuditLog,
  createPool,
  erasePayer,
  grantProgram,
  insertEvent,
  listEvents,
  type Pool,
  readPowers,
  redactEntry,
  verifyAuditLog,
} from '../../src/ledger';
import { GRANTED_TABLES } from '../../src/ledger/sql/grants';
import { SCHEMA_LOCK } from '../../src/ledger/sql/migrate';
import { asProgram, PROGRAM_ROLE } from '../support/program-role';
import { NOW, REAL_NOW, sendOf, settle, startDebit, subscribe, useLedger } from './ledger-fixture';

const ledger = useLedger();
let program: Pool;
beforeAll(() => {
  program = createPool({ databaseUrl: asProgram(ledger.url), max: 2 });
});
afterAll(() => program.end());

const roles: string[] = [];
async function newRole(attributes = 'login'): Promise<string> {
  const role = `Role of ${randomBytes(4).toString('hex')}`;
  await ledger.pool.query(`create role "${role}" ${attributes}`);
  roles.push(role);
  return role;
}
afterEach(async () => {
  for (const role of roles.splice(0)) await ledger.pool.query(`drop owned by "${role}"; drop role "${role}"`);
});

async function may(privilege: string, table: string, role = PROGRAM_ROLE): Promise<boolean> {
  const { rows } = await ledger.pool.query<{ may: boolean }>('select has_table_privilege($1, $2, $3) as may', [
    role,
    table,
    privilege,
  ]);
  return rows[0]!.may;
}

async function tables(kinds = ['r', 'p']): Promise<string[]> {
  const { rows } = await ledger.pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = any ($1)`,
    [kinds],
  );
  return rows.map(({ name }) => name);
}

test('every table of the schema has its line of grants, and every line has a table', async () => {
  expect([...GRANTED_TABLES].toSorted()).toEqual((await tables()).toSorted());
});

test('the program has no right to delete rows that a guard protects from deletion', async () => {
  const { rows } = await ledger.pool.query<{ name: string }>(
    `select distinct tgrelid::regclass::text as name from pg_trigger where not tgisinternal and tgtype & 8 <> 0`,
  );
  const guarded = rows.map(({ name }) => name);
  expect(guarded).toEqual(expect.arrayContaining(['events', 'audit_chain', 'attempts', 'orders', 'order_sends']));
  for (const table of guarded) expect([table, await may('delete', table)]).toEqual([table, false]);
});

test('the program may read every table and view', async () => {
  const views = await tables(['v', 'm']);
  expect(views.length).toBeGreaterThan(0);
  for (const name of [...views, ...(await tables())]) expect([name, await may('select', name)]).toEqual([name, true]);
});

test.each(['truncate', 'trigger', 'references'])('the program may not %s any table', async (privilege) => {
  for (const table of await tables()) expect([table, await may(privilege, table)]).toEqual([table, false]);
});

const SOURCE = join(__dirname, '../../src/ledger');
const STATEMENTS = /\b(insert into|delete from|update) (?:only )?([a-z_]+)\b/g;

interface Statement {
  readonly verb: string;
  readonly table: string;
}

/** Statements of the program, and of functions that run as its role; a word after `update` that is not a table is left out. */
async function statements(): Promise<readonly Statement[]> {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const { rows } = await ledger.pool.query<{ body: string }>(
    `select prosrc as body from pg_proc where pronamespace = 'public'::regnamespace`,
  );
  const texts = [...files.map((file) => readFileSync(join(SOURCE, file), 'utf8')), ...rows.map(({ body }) => body)];
  const known = await tables();
  return texts
    .flatMap((text) => [...text.matchAll(STATEMENTS)].map(([, verb = '', table = '']) => ({ verb, table })))
    .filter(({ table }) => known.includes(table));
}

test.each([
  ['api_keys', ['expires_real_at', 'last_used_real_at', 'revoked_real_at']],
  ['approvals', ['decided_by', 'decided_holder', 'decided_real_at', 'decision', 'used_for', 'used_real_at']],
  ['events', ['data']],
  ['halt', ['reason']],
  [
    'holds',
    [
      'ended_at',
      'filter',
      'first_window_lost_at',
      'is_released',
      'lifted_by',
      'lifted_key_id',
      'losses_read_at',
      'reason',
      'windows_lost',
    ],
  ],
  ['orders', ['reason']],
  ['audit_chain', ['words']],
  ['used_settings', ['is_refused']],
])('the program may change only these columns of %s: %j', async (table, columns) => {
  const { rows } = await ledger.pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $2 and has_column_privilege($1, $2, column_name, 'update')
     order by column_name`,
    [PROGRAM_ROLE, table],
  );
  expect(rows.map(({ name }) => name)).toEqual(columns);
});

test.each([
  ['installation', 'settings_key'],
  ['restore_guard', 'mark_secret'],
])('the program may not change %s.%s', async (table, column) => {
  const { rows } = await ledger.pool.query('select has_column_privilege($1, $2, $3, $4) as may', [
    ...[PROGRAM_ROLE, table, column, 'update'],
  ]);
  expect(rows).toEqual([{ may: false }]);
});

test('the program has every right that its own SQL statements need', async () => {
  const asked = await statements();
  for (const each of ['insert into events', 'delete from payers', 'update event_feed', 'insert into open_orders'])
    expect(asked.map(({ verb, table }) => `${verb} ${table}`)).toContain(each);
  const { rows } = await ledger.pool.query<{ may: boolean }>(
    `select s.verb, s.name, case s.verb when 'update' then has_any_column_privilege($1, s.name, 'update')
       else has_table_privilege($1, s.name, split_part(s.verb, ' ', 1)) end as may
     from unnest($2::text[], $3::text[]) as s (verb, name)`,
    [PROGRAM_ROLE, asked.map(({ verb }) => verb), asked.map(({ table }) => table)],
  );
  expect(rows.filter(({ may: isGranted }) => !isGranted)).toEqual([]);
});

test('the role of the program can collect, chain, redact and erase', async () => {
  const reference = 'of-the-program';
  const given = await subscribe(program, { payer: { email: 'p@example.org', reference, language: null } });
  await settle(program, await startDebit(program, sendOf(given)), 'successful');
  const { subscriptionId } = given;
  const data = { reason: 'as Ada Example asked' };
  await insertEvent(program, { subscriptionId, at: NOW, actor: 'till', type: 'subscription.paused', data });
  const [entry] = (await listEvents(program, { subscriptionId }, { limit: 1, cursor: null })).items;
  await chainAuditLog(program);
  const redaction = { entryId: entry!.id, reason: 'asked for', actor: 'ada', at: NOW };
  expect((await redactEntry(program, redaction)).kind).toBe('redacted');
  await program.query(`update subscriptions set status = 'cancelled' where subscription_id = $1`, [subscriptionId]);
  const erasure = { reference, reason: 'asked for', actor: 'ada', at: NOW, realAt: REAL_NOW };
  expect((await erasePayer(program, erasure)).kind).toBe('erased');
  await chainAuditLog(program);
  expect(await verifyAuditLog(program, null, () => undefined)).toMatchObject({ faults: 0, unchained: 0 });
});

test.each([
  ['delete from events', 'permission denied for table events'],
  ['truncate events', 'permission denied for table events'],
  [`update events set actor = 'eve'`, 'permission denied for table events'],
  ['alter table events disable trigger events_append_only', 'must be owner of table events'],
  ['set session_replication_role = replica', 'permission denied to set parameter "session_replication_role"'],
  ['drop trigger events_append_only on events', 'must be owner of relation events'],
  ['delete from attempts', 'permission denied for table attempts'],
  ['truncate attempts', 'permission denied for table attempts'],
  ['delete from audit_chain', 'permission denied for table audit_chain'],
  [`update audit_chain set hash = sha256('x')`, 'permission denied for table audit_chain'],
  ['update orders set amount = 1', 'permission denied for table orders'],
  ['update changes set at = now()', 'permission denied for table changes'],
  ['delete from schema_migrations', 'permission denied for table schema_migrations'],
  ['create or replace function keep_event() returns trigger language sql as $$ $$', /must be owner|permission denied/],
])('the role of the program cannot %s', async (statement, message) => {
  await expect(program.query(statement)).rejects.toThrow(message);
});

test('granting gives a role its rights, again after a new table, and revokes any others', async () => {
  const role = await newRole();
  await ledger.pool.query(`grant delete, truncate on events to "${role}"`);
  expect(await readPowers(ledger.pool, role)).toEqual({ role, ownsTables: false, mayRemove: true });
  expect(await grantProgram(ledger.pool, role)).toEqual({ kind: 'granted' });
  expect(await readPowers(ledger.pool, role)).toEqual({ role, ownsTables: false, mayRemove: false });
  await ledger.pool.query('create table of_a_later_release (id bigserial)');
  try {
    expect(await grantProgram(ledger.pool, role)).toEqual({ kind: 'granted' });
    expect(await may('delete', 'of_a_later_release', role)).toBe(true);
  } finally {
    await ledger.pool.query('drop table of_a_later_release');
  }
});

test('concurrent grants are serialized', async () => {
  const role = await newRole();
  const both = await Promise.all([grantProgram(ledger.pool, role), grantProgram(ledger.pool, role)]);
  expect(both).toEqual([{ kind: 'granted' }, { kind: 'granted' }]);
});

test('granting refuses a role that does not exist', async () => {
  expect(await grantProgram(ledger.pool, 'nobody')).toEqual({ kind: 'unknown_role' });
});

test('granting refuses the owner, a superuser, and a member of the owner', async () => {
  const owner = (await readPowers(ledger.pool)).role;
  const [superuser, member] = [await newRole('superuser'), await newRole()];
  await ledger.pool.query(`grant "${owner}" to "${member}"`);
  for (const role of [owner, superuser, member])
    expect([role, await grantProgram(ledger.pool, role)]).toEqual([role, { kind: 'owner' }]);
});

test('granting waits for a migration, and does not block a concurrent index build', async () => {
  const role = await newRole();
  const migrating = await ledger.pool.connect();
  await migrating.query(`set deadlock_timeout = '10ms'`);
  await migrating.query(`select pg_advisory_lock(${SCHEMA_LOCK})`);

  const granting = grantProgram(ledger.pool, role);
  expect(await may('select', 'events', role)).toBe(false);
  await migrating.query('create index concurrently of_tomorrow on audit_chain (entry_id)');
  await migrating.query('drop index of_tomorrow');
  expect(await may('select', 'events', role)).toBe(false);
  migrating.release(true);

  expect(await granting).toEqual({ kind: 'granted' });
  expect(await may('select', 'events', role)).toBe(true);
});

test('the powers of the connected role are read: the owner owns tables, the program does not', async () => {
  expect(await readPowers(ledger.pool)).toMatchObject({ ownsTables: true });
  expect(await readPowers(program)).toEqual({ role: PROGRAM_ROLE, ownsTables: false, mayRemove: false });
});
