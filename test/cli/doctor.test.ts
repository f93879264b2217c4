import { randomBytes } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { createClock } from '../../src/clock';
import type { Version } from '../../src/gateway';
import { releaseFinding } from '../../src/process/diagnosis/temporal';
import { registerSearchAttributes } from '../../src/process/temporal';
import { createSandbox, type Sandbox } from '../../src/sandbox';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { silentLog } from '../support/silent-log';
import { partOfRun } from '../support/test-run';
import { openTlsDatabase } from '../support/tls-database';
import { CERTIFICATE_FILE, openTlsServer, type TlsServer } from '../wiring/tls-server';
import { type Finished, runDueday } from './dueday-process';
import { makeOld } from './ledger-states';

const SECRET = 'unspeakable-of-the-doctor';

let database: TestDatabase;
let sandbox: Sandbox;
let cluster: TlsServer;
let env: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  sandbox = createSandbox({ clock: createClock(null), logger: silentLog(), clientId: 'shop', clientSecret: SECRET });
  cluster = await openTlsServer();
  const { address } = partOfRun('temporal');
  const connection = await Connection.connect({ address });
  await registerSearchAttributes(connection, 'default');
  await connection.close();
  env = {
    PAYMENT_SERVICE_ENVIRONMENT: 'sandbox',
    PAYMENT_SERVICE_BASE_URL: (await sandbox.listen(0)).url,
    PAYMENT_SERVICE_CLIENT_ID: 'shop',
    PAYMENT_SERVICE_CLIENT_SECRET: SECRET,
    DATABASE_URL: database.programUrl,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_TASK_QUEUE: 'where-nobody-works',
  };
});
afterAll(async () => {
  await Promise.all([sandbox.close(), cluster.close()]);
  await database.drop();
});

interface Found {
  readonly check: string;
  readonly state: string;
  readonly found: string;
  readonly advice: string | null;
}

const readFindings = ({ stdout }: Finished): Found[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Found);

test('what is well is ok, and a worker that is not there is worth a warning, which is no failure', async () => {
  const ended = await runDueday(['doctor', '--json'], env);
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
  expect(readFindings(ended).map(({ check, state }) => [check, state])).toEqual([
    ['postgresql', 'ok'],
    ['schema', 'ok'],
    ['database role', 'ok'],
    ['temporal', 'ok'],
    ['search attributes', 'ok'],
    ['worker', 'warning'],
    ['release', 'ok'],
    ['payment service', 'ok'],
    ['access token', 'ok'],
  ]);
});

test('a release that takes nothing, or has no worker, is worth a warning', () => {
  const version = (buildId: string, state: Version['state'], workers: number): Version => ({
    buildId,
    state,
    workers,
    firstSeenRealAt: 0,
    leftRealAt: null,
  });
  const stateOf = (current: Version | null, others: readonly Version[], unversioned = 0) => {
    const { state, found } = releaseFinding({
      current,
      all: current === null ? others : [current, ...others],
      unversioned,
    });
    return [state, found];
  };
  const current = version('a1', 'current', 2);
  expect(stateOf(null, [])).toEqual(['ok', 'none yet: the first worker makes its own current']);
  expect(stateOf(null, [], 1)).toEqual(['warning', expect.stringContaining('before there were releases')]);
  expect(stateOf(current, [])).toEqual(['ok', 'a1 is current']);
  expect(stateOf({ ...current, workers: 0 }, [])).toEqual([
    'warning',
    expect.stringContaining('a1 is current and has no'),
  ]);
  const waits = ['warning', 'b2 has workers and takes nothing: a1 is current'];
  expect(stateOf(current, [version('b2', 'inactive', 1)])).toEqual(waits);
  // One that was taken back keeps its workers for what is pinned to it, and one that never came up takes nothing from anybody.
  const others = [version('b2', 'draining', 1), version('c3', 'drained', 1), version('d4', 'inactive', 0)];
  expect(stateOf(current, others)).toEqual(['ok', 'a1 is current']);
});

test('the replica and the CA of PostgreSQL are asked, too', async () => {
  const tls = await openTlsDatabase(database.url);
  const given = { ...env, DATABASE_URL: tls.url, DATABASE_CA_FILE: CERTIFICATE_FILE };
  const [beside, away] = await Promise.all(
    [tls.url, 'postgresql://localhost:1/none'].map(async (DATABASE_REPLICA_URL) =>
      readFindings(await runDueday(['doctor', '--json'], { ...given, DATABASE_REPLICA_URL })),
    ),
  );
  await tls.close();
  const stateOf = (findings: Found[] | undefined, name: string) => findings?.find(({ check }) => check === name)?.state;
  // It is the database itself, which follows no other.
  expect([stateOf(beside, 'postgresql'), stateOf(beside, 'replica')]).toEqual(['ok', 'warning']);
  expect(stateOf(beside, 'certificate of DATABASE_CA')).toBe('ok');
  expect([stateOf(away, 'postgresql'), stateOf(away, 'replica')]).toEqual(['ok', 'failed']);
});

test('the owner of the ledger is warned of, and fails in production', async () => {
  const production = {
    PAYMENT_SERVICE_ENVIRONMENT: 'production',
    PAYMENT_SERVICE_CLIENT_SECRET: randomBytes(32).toString('hex'),
    PAYLOAD_ENCRYPTION: 'off',
  };
  const asked = [{}, production].map(async (variables) => {
    const ended = await runDueday(['doctor', '--json'], { ...env, DATABASE_URL: database.url, ...variables });
    return readFindings(ended).find(({ check }) => check === 'database role');
  });
  const found = expect.stringMatching(/^\w+, which owns tables of the ledger or may act as who does$/);
  const advice = expect.stringContaining('DATABASE_ROLE');
  expect(await Promise.all(asked)).toEqual([
    { check: 'database role', state: 'warning', found, advice },
    { check: 'database role', state: 'failed', found, advice },
  ]);
});

test('all that is wrong is told at once, with what to do and without a secret', async () => {
  const old = await createTestDatabase();
  await makeOld(old);
  const wrong = {
    ...env,
    DATABASE_URL: old.url,
    TEMPORAL_ADDRESS: cluster.address,
    TEMPORAL_TLS_CA_FILE: CERTIFICATE_FILE,
    TEMPORAL_TLS_SERVER_NAME: 'localhost',
    PAYMENT_SERVICE_CLIENT_SECRET: 'another-unspeakable',
    SMTP_URL: 'smtp://127.0.0.1:1',
    NOTICE_FROM: 'shop@shop.example',
    DUEDAY_URL: `https://${cluster.address}`,
  };
  const ended = await runDueday(['doctor', '--json'], wrong);
  await old.drop();
  expect(ended.code).toBe(1);
  const states = Object.fromEntries(readFindings(ended).map(({ check, state }) => [check, state]));
  expect(states).toEqual({
    postgresql: 'ok',
    schema: 'failed',
    temporal: 'failed',
    'payment service': 'ok',
    'access token': 'failed',
    'mail server': 'failed',
    'certificate of DUEDAY_URL': 'failed',
    // The same one: trusted by the name and the authority that are given for it, and not without them.
    'certificate of TEMPORAL_ADDRESS': 'ok',
    'certificate of TEMPORAL_TLS_CA': 'ok',
  });
  for (const { advice, state } of readFindings(ended))
    if (state === 'failed') expect(advice).toEqual(expect.any(String));
  expect(ended.stderr).toContain(
    'dueday: failed: schema, temporal, access token, mail server, certificate of DUEDAY_URL\n',
  );
  expect(ended.stdout + ended.stderr).not.toContain('unspeakable');
});

test('a database that takes no write has failed, with the reason', async () => {
  const other = await createTestDatabase();
  const readOnly = `${other.programUrl}${other.programUrl.includes('?') ? '&' : '?'}options=-c%20default_transaction_read_only%3Don`;
  const ended = await runDueday(['doctor', '--json'], { ...env, DATABASE_URL: readOnly });
  expect(ended.code).toBe(1);
  expect(readFindings(ended)).toContainEqual({
    check: 'postgresql',
    state: 'failed',
    found: expect.stringMatching(/takes no write: PostgreSQL is read only/),
    advice: expect.stringContaining('docs/operations.md'),
  });
  await other.drop();
});
