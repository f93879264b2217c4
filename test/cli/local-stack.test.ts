import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '../../src/config';
import type * as postgres from '../../src/embedded/postgres/postgres';
import type * as temporal from '../../src/embedded/temporal/temporal';
import type * as ledger from '../../src/ledger';
import type * as daemon from '../../src/process/daemon';
import type * as dependencies from '../../src/process/dependencies';
import { type LocalStack, openLocalStack } from '../../src/process/local-stack';
import type * as worker from '../../src/process/worker';
import { portToKeep } from '../processes/servers';
import { silentLog } from '../support/silent-log';

/** Which parts `start` and `demo` start because the environment does not name them. Simulator and messenger really run. */

const started: string[] = [];
const migrated: unknown[] = [];
const closed: string[] = [];
const OURS = { DATABASE_URL: 'postgresql://127.0.0.1:1/ours', TEMPORAL_ADDRESS: '127.0.0.1:1' };
const LIFE = { failed: new Promise<string>(() => undefined), stop: () => Promise.resolve() };

const RUNNING = { apiUrl: 'http://127.0.0.1:3', ...LIFE };
let starting: () => Promise<typeof RUNNING>;

function running<Server extends object>(name: string, server: Server): Promise<Server & typeof LIFE> {
  started.push(name);
  return Promise.resolve({ ...server, ...LIFE });
}

// The types make the compiler check the names of the mocked functions.
jest.mock('../../src/embedded/postgres/postgres', (): Partial<typeof postgres> => ({
  startPostgres: () => running('PostgreSQL', { url: OURS.DATABASE_URL, port: 1 }),
}));
jest.mock('../../src/embedded/temporal/temporal', (): Partial<typeof temporal> => ({
  startTemporal: () => running('Temporal', { address: OURS.TEMPORAL_ADDRESS, uiUrl: 'http://127.0.0.1:2' }),
}));
jest.mock('../../src/ledger', (): Partial<typeof ledger> => ({
  migrate: (address) => {
    migrated.push(address);
    return Promise.resolve([]);
  },
}));
jest.mock('../../src/process/dependencies', (): Partial<typeof dependencies> => ({
  openDependencies: (config) => ({ config, close: async () => void closed.push('dependencies') }) as never,
}));
jest.mock('../../src/process/daemon', (): Partial<typeof daemon> => ({
  startRoles: () => starting(),
}));
jest.mock('../../src/process/worker', (): Partial<typeof worker> => ({
  installRuntime: () => Promise.resolve(() => Promise.resolve('')),
  endRuntime: async () => void closed.push('runtime'),
}));

const environment = process.env;
let folder: string;

beforeEach(() => {
  started.length = migrated.length = closed.length = 0;
  starting = () => Promise.resolve(RUNNING);
  folder = mkdtempSync(join(tmpdir(), 'dueday-stack-'));
});
afterEach(() => {
  process.env = environment;
  rmSync(folder, { recursive: true });
});

type Variables = Readonly<Record<string, string>>;

/** The configuration with which the stack starts the daemon. @param look runs before the stack is stopped */
async function configIn(given: Variables, look?: (stack: LocalStack) => Promise<void>): Promise<Config> {
  process.env = { PATH: environment['PATH'], ...given };
  const stack = await openLocalStack({
    log: silentLog(),
    progress: silentLog(),
    mayUseExternal: false,
    dataDir: join(folder, 'data'),
    testClock: '2027-01-31T10:00:00Z@2026-11-21T09:00:00Zx3600',
    ports: { admin: 0, sandbox: 0, temporal: 0, ui: 0, postgres: 0 },
    defaults: { NOTICE_BACKOFF_SECONDS: '1' },
    onNotice: () => undefined,
  });
  try {
    await look?.(stack);
  } finally {
    await stack.stop();
  }
  return stack.parts.config;
}

/** Writes each value to a file, and names the files instead of the values. */
function inFiles(given: Variables): Variables {
  const entries = Object.entries(given).map(([name, value]): [string, string] => {
    const path = join(folder, name);
    writeFileSync(path, `${value}\n`);
    return [`${name}_FILE`, path];
  });
  return Object.fromEntries(entries);
}

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const MESSENGER = /^http:\/\/127\.0\.0\.1:\d+\/notices$/;

test('without settings, everything is started', async () => {
  const config = await configIn({});
  expect(started).toEqual(['PostgreSQL', 'Temporal']);
  expect(migrated).toEqual([{ databaseUrl: OURS.DATABASE_URL, ca: undefined }]);
  expect(config).toMatchObject({
    ...OURS,
    TEMPORAL_UI_URL: 'http://127.0.0.1:2',
    CONSOLE_URL: `http://127.0.0.1:${config.ADMIN_PORT}`,
    PAYMENT_SERVICE_CLIENT_ID: 'sandbox-client',
    NOTICE_BACKOFF_SECONDS: [1],
    TEST_CLOCK: { speed: 3600 },
  });
  expect(config.NOTICE_WEBHOOK_URL).toMatch(MESSENGER);
  expect(config.EVENT_WEBHOOK_URL).toMatch(MESSENGER);
});

test('if a part cannot start, nothing stays open that would keep the process running', async () => {
  starting = () => Promise.reject(new Error('the admin API cannot listen'));
  await expect(configIn({})).rejects.toThrow('the admin API cannot listen');
  expect(closed).toEqual(['dependencies', 'runtime']);
});

test.each([
  ['NOTICE', 'EVENT'],
  ['EVENT', 'NOTICE'],
] as const)('a configured %s_WEBHOOK_URL is kept, and %s_WEBHOOK_URL names the messenger', async (theirs, ours) => {
  const given = { [`${theirs}_WEBHOOK_URL`]: 'https://shop.example/hook', [`${theirs}_WEBHOOK_SECRET`]: SECRET };
  const config = await configIn(given);
  expect(config).toMatchObject(given);
  expect(config[`${ours}_WEBHOOK_URL` as const]).toMatch(MESSENGER);
  expect(config[`${ours}_WEBHOOK_SECRET` as const]).not.toBe(SECRET);
});

test('the folder of a local stack is closed to other accounts, even if it was open before', async () => {
  mkdirSync(join(folder, 'data'), { mode: 0o755 });
  await configIn({}, async () => {
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
  });
});

test('settings given by files are used, and the parts that they name are not started', async () => {
  const given = {
    DATABASE_URL: 'postgresql://127.0.0.1:4/theirs',
    TEMPORAL_ADDRESS: '127.0.0.1:4',
    TEMPORAL_UI_URL: 'http://127.0.0.1:5',
    CONSOLE_URL: 'http://billing.internal',
    PAYMENT_SERVICE_BASE_URL: 'http://127.0.0.1:6',
    PAYMENT_SERVICE_CLIENT_ID: 'theirs',
    PAYMENT_SERVICE_CLIENT_SECRET: 'secret-of-theirs',
    ADMIN_PORT: '8123',
    ADMIN_BOOTSTRAP_KEY: 'a-key-of-at-least-32-characters-3',
    NOTICE_WEBHOOK_URL: 'https://shop.example/notices',
    NOTICE_WEBHOOK_SECRET: SECRET,
    EVENT_WEBHOOK_URL: 'https://shop.example/events',
    EVENT_WEBHOOK_SECRET: SECRET,
    NOTICE_BACKOFF_SECONDS: '7',
    TEST_CLOCK: '2027-02-28T10:00:00Z@2026-11-21T09:00:00Zx60',
  };
  expect(await configIn(inFiles(given))).toEqual(loadConfig(given));
  expect(started).toEqual([]);
});

test('secrets without an address are used for the simulator and the messenger', async () => {
  const port = await portToKeep('the simulator');
  const given = { PAYMENT_SERVICE_CLIENT_SECRET: 'secret-of-theirs', EVENT_WEBHOOK_SECRET: SECRET };
  const config = await configIn(inFiles({ ...given, SANDBOX_PORT: String(port) }), async ({ sandboxUrl }) => {
    const authorization = `Basic ${Buffer.from('sandbox-client:secret-of-theirs').toString('base64')}`;
    const body = new URLSearchParams({ grant_type: 'client_credentials' });
    const answer = await fetch(`${sandboxUrl}/oauth/token`, { method: 'POST', headers: { authorization }, body });
    expect(answer.status).toBe(200);
  });
  expect(config).toMatchObject({ ...given, PAYMENT_SERVICE_BASE_URL: `http://127.0.0.1:${port}` });
  expect(config.EVENT_WEBHOOK_URL).toMatch(MESSENGER);
});

test('the ledger is migrated over TLS if a CA is given', async () => {
  const [databaseUrl, ca] = ['postgresql://127.0.0.1:4/theirs', '-----BEGIN CERTIFICATE-----'];
  await configIn({ DATABASE_URL: databaseUrl, DATABASE_CA: ca });
  expect(migrated).toEqual([{ databaseUrl, ca }]);
});
