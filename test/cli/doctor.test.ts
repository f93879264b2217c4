import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { Connection } from '@temporalio/client';
import { createClock } from '../../src/platform/clock';
import { loadConfig } from '../../src/config';
import type { Version } from '../../src/temporal';
import { connectionsOf, uncappedInProduction } from '../../src/process/diagnosis/capacity';
import { diagnoseCertificates } from '../../src/process/diagnosis/certificates';
import { releaseFinding } from '../../src/process/diagnosis/temporal';
import { registerSearchAttributes } from '../../src/process/temporal';
import { createSandbox, type Sandbox } from '../../src/sandbox';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { silentLog } from '../support/silent-log';
import { partOfRun } from '../support/test-run';
import { openTlsDatabase } from '../support/tls-database';
import { CERTIFICATE_FILE, KEY_FILE, openTlsServer, type TlsServer } from '../wiring/tls-server';
import { type Finished, runDueday } from './dueday-process';
import { makeOld, onDatabase } from './ledger-states';

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

test('healthy checks are ok, and a missing worker is a warning that does not fail the command', async () => {
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
    ['ledger', 'ok'],
    ['connections', 'ok'],
  ]);
  expect(readFindings(ended).find(({ check }) => check === 'connections')?.found).toMatch(
    /^max_connections leaves \d+, \d+ in use; a worker uses up to 24, an api 17, a daemon 37$/,
  );
});

test('a wrong namespace and a restored ledger are failures that say what to do', async () => {
  const other = await createTestDatabase();
  await onDatabase(other.url, `update installation set temporal_namespace_id = 'elsewhere'`);
  await onDatabase(other.url, `update restore_guard set identity = 'elsewhere'`);
  const ended = await runDueday(['doctor', '--json'], { ...env, DATABASE_URL: other.programUrl });
  await other.drop();
  const found = (name: string) => readFindings(ended).find(({ check }) => check === name);
  expect(found('temporal namespace')).toMatchObject({
    state: 'failed',
    found: expect.stringMatching(/^default has the id \S+, but the workflows of this ledger run in elsewhere$/),
    advice: expect.stringContaining('dueday temporal accept'),
  });
  expect(found('ledger')).toMatchObject({ state: 'failed', found: expect.stringContaining('restored') });
  expect(ended.code).toBe(1);
});

test('production without a cap on calls gets a warning', () => {
  const production = { PAYMENT_SERVICE_ENVIRONMENT: 'production' as const };
  expect(uncappedInProduction({ ...production, PAYMENT_SERVICE_MAX_RPS: undefined })).toContain('MAX_RPS is not set');
  expect(uncappedInProduction({ ...production, PAYMENT_SERVICE_MAX_RPS: 50 })).toBeNull();
  const sandboxed = { PAYMENT_SERVICE_ENVIRONMENT: 'sandbox' as const, PAYMENT_SERVICE_MAX_RPS: undefined };
  expect(uncappedInProduction(sandboxed)).toBeNull();
});

test.each([
  [20, undefined, { worker: 24, api: 17, daemon: 37 }],
  [20, 50, { worker: 25, api: 18, daemon: 38 }],
  [4, undefined, { worker: 8, api: 9, daemon: 13 }],
])(
  'with a pool of %d and a cap of %p, the roles use %j connections',
  (DATABASE_POOL_SIZE, PAYMENT_SERVICE_MAX_RPS, taken) => {
    expect(connectionsOf({ DATABASE_POOL_SIZE, PAYMENT_SERVICE_MAX_RPS })).toEqual(taken);
  },
);

/** A mail server that has the certificate of `localhost`, and offers STARTTLS or not. */
async function openMailServer(offersTls: boolean): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.write('220 mail.test ready\r\n');
    socket.on('data', (data: Buffer) => {
      const text = data.toString();
      if (text.startsWith('EHLO')) socket.write('250-mail.test\r\n250 SIZE\r\n');
      else if (!text.startsWith('STARTTLS')) return;
      else if (!offersTls) socket.write('502 no\r\n');
      else {
        socket.removeAllListeners('data');
        socket.write('220 go\r\n');
        const secureContext = createSecureContext({
          cert: readFileSync(CERTIFICATE_FILE),
          key: readFileSync(KEY_FILE),
        });
        new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => undefined);
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

test('the certificates of PostgreSQL and of a mail server are read after their plain-text handshake', async () => {
  const [tls, mail, plain] = await Promise.all([
    openTlsDatabase(database.url),
    openMailServer(true),
    openMailServer(false),
  ]);
  const clock = createClock(null);
  const base = { ...loadConfig({}), DATABASE_CA: readFileSync(CERTIFICATE_FILE, 'utf8'), DATABASE_URL: tls.url };
  const smtp = ({ port }: { port: number }) => `smtp://127.0.0.1:${port}?requireTLS=true`;
  const [found, without] = await Promise.all(
    [mail, plain].map((server) => diagnoseCertificates({ ...base, SMTP_URL: smtp(server) }, clock)),
  );
  await tls.close();
  [mail, plain].forEach((server) => server.close());
  const of = (name: string, findings = found) => findings?.find(({ check }) => check === `certificate of ${name}`);
  expect(of('DATABASE_URL')).toMatchObject({ state: 'ok', found: expect.stringMatching(/^\d+ days left$/) });
  // The certificate is self-signed, and not trusted on this machine.
  expect(of('SMTP_URL')).toMatchObject({ state: 'failed', found: expect.stringContaining('not trusted') });
  expect(of('SMTP_URL', without)).toMatchObject({ state: 'failed', found: 'the server offers no STARTTLS' });
});

test('a release that gets no work, or has no worker, gets a warning', () => {
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
  expect(stateOf(null, [])).toEqual(['ok', 'none yet: the first worker makes its release current']);
  expect(stateOf(null, [], 1)).toEqual(['warning', expect.stringContaining('workers without a release')]);
  expect(stateOf(current, [])).toEqual(['ok', 'a1 is current']);
  expect(stateOf({ ...current, workers: 0 }, [])).toEqual([
    'warning',
    expect.stringContaining('a1 is current but has no'),
  ]);
  const waits = ['warning', 'b2 has workers but gets no work: a1 is current'];
  expect(stateOf(current, [version('b2', 'inactive', 1)])).toEqual(waits);
  // A release that was rolled back keeps its workers for pinned workflows; one without workers has no effect.
  const others = [version('b2', 'draining', 1), version('c3', 'drained', 1), version('d4', 'inactive', 0)];
  expect(stateOf(current, others)).toEqual(['ok', 'a1 is current']);
});

test('the replica and the CA of PostgreSQL are checked, too', async () => {
  const tls = await openTlsDatabase(database.url);
  const given = { ...env, DATABASE_URL: tls.url, DATABASE_CA_FILE: CERTIFICATE_FILE };
  const [beside, away] = await Promise.all(
    [tls.url, 'postgresql://localhost:1/none'].map(async (DATABASE_REPLICA_URL) =>
      readFindings(await runDueday(['doctor', '--json'], { ...given, DATABASE_REPLICA_URL })),
    ),
  );
  await tls.close();
  const stateOf = (findings: Found[] | undefined, name: string) => findings?.find(({ check }) => check === name)?.state;
  // DATABASE_REPLICA_URL names the database itself, which is not a replica.
  expect([stateOf(beside, 'postgresql'), stateOf(beside, 'replica')]).toEqual(['ok', 'warning']);
  expect(stateOf(beside, 'certificate of DATABASE_CA')).toBe('ok');
  expect([stateOf(away, 'postgresql'), stateOf(away, 'replica')]).toEqual(['ok', 'failed']);
});

test("the ledger's owner as the program's role is a warning, and a failure in production", async () => {
  const production = {
    PAYMENT_SERVICE_ENVIRONMENT: 'production',
    PAYMENT_SERVICE_CLIENT_SECRET: randomBytes(32).toString('hex'),
    PAYLOAD_ENCRYPTION: 'off',
  };
  const asked = [{}, production].map(async (variables) => {
    const ended = await runDueday(['doctor', '--json'], { ...env, DATABASE_URL: database.url, ...variables });
    return readFindings(ended).find(({ check }) => check === 'database role');
  });
  const found = expect.stringMatching(/^\w+, which owns tables of the ledger or may act as their owner$/);
  const advice = expect.stringContaining('DATABASE_ROLE');
  expect(await Promise.all(asked)).toEqual([
    { check: 'database role', state: 'warning', found, advice },
    { check: 'database role', state: 'failed', found, advice },
  ]);
});

test('all faults are reported at once, with what to do and without secrets', async () => {
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
    ledger: 'ok',
    connections: 'ok',
    'certificate of DUEDAY_URL': 'failed',
    // The same certificate: trusted with its name and authority, but not without them.
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

test('a database that is not writable is a failure, with the reason', async () => {
  const other = await createTestDatabase();
  const readOnly = `${other.programUrl}${other.programUrl.includes('?') ? '&' : '?'}options=-c%20default_transaction_read_only%3Don`;
  const ended = await runDueday(['doctor', '--json'], { ...env, DATABASE_URL: readOnly });
  expect(ended.code).toBe(1);
  expect(readFindings(ended)).toContainEqual({
    check: 'postgresql',
    state: 'failed',
    found: expect.stringMatching(/not writable: PostgreSQL is read only/),
    advice: 'docs/guides/runbooks/dueday-ledger-not-written.md',
  });
  await other.drop();
});
