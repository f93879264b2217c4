import { randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { partOfRun } from '../support/test-run';
import { type DuedayProcess, runDueday, startDueday } from './dueday-process';

/** Real ms: the worker bundles its workflows when it starts. */
const PATIENCE = 90_000;

const CREDENTIALS = { clientId: 'merchant', clientSecret: 'unspeakable-of-the-merchant' };

interface Readiness {
  readonly status: string | number;
  readonly checks: readonly { readonly name: string; readonly status: string; readonly latencyMs: number }[];
}

let database: TestDatabase;
let sandbox: DuedayProcess;
let daemon: DuedayProcess;
let url: string;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  database = await createTestDatabase();
  const { clientId, clientSecret } = CREDENTIALS;
  sandbox = startDueday(['sandbox'], {
    ...{ SANDBOX_PORT: '0', SANDBOX_CLIENT_ID: clientId, SANDBOX_CLIENT_SECRET: clientSecret },
  });
  const service = await sandbox.says('sandbox payment service on ');
  env = {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: partOfRun('temporal').address,
    TEMPORAL_TASK_QUEUE: `cli-${randomBytes(4).toString('hex')}`,
    PAYMENT_SERVICE_BASE_URL: service.url!,
    PAYMENT_SERVICE_CLIENT_ID: clientId,
    PAYMENT_SERVICE_CLIENT_SECRET: clientSecret,
    ADMIN_PORT: '0',
  };
  daemon = startDueday(['daemon'], env, true);
  url = (await daemon.says('admin API on ')).url!;
  await daemon.says('worker runs');
}, PATIENCE);

afterAll(async () => {
  await Promise.all([daemon.stop(), sandbox.stop()]);
  await database.drop();
}, PATIENCE);

async function readiness(of = url): Promise<{ status: number; body: Readiness }> {
  const answer = await fetch(`${of}/readyz`);
  return { status: answer.status, body: (await answer.json()) as Readiness };
}

/** Whether any process of the group is left. */
function isAlive(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

/** These follow each other in one life of the daemon: ready, then a part is missing, then it is stopped. */
test('a daemon on a current schema is ready and names each part with its latency', async () => {
  const { status, body } = await readiness();

  expect([status, body.status]).toEqual([200, 'ready']);
  expect(body.checks.map((check) => [check.name, check.status])).toEqual([
    ['postgresql', 'ok'],
    ['temporal', 'ok'],
    ['payment_service', 'ok'],
  ]);
  for (const { latencyMs } of body.checks) expect(latencyMs).toBeGreaterThan(0);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test(
  'a key made on the command line opens the admin API of a running daemon, until it is revoked there',
  async () => {
    const { stdout } = await runDueday(['keys', 'create', '--name', 'reporting', '--role', 'viewer'], env);
    const [, keyId = '', key = ''] = /^key (\S+) .*\n(\S+)\n$/.exec(stdout)!;
    const list = async () =>
      (await fetch(`${url}/v1/subscriptions`, { headers: { authorization: `Bearer ${key}` } })).status;

    expect(await list()).toBe(200);
    expect((await runDueday(['keys', 'revoke', keyId], env)).code).toBe(0);
    expect(await list()).toBe(401);
  },
  PATIENCE,
);

test(
  'one that cannot have a token of the payment service says so and is ready all the same: people must reach cancel',
  async () => {
    expect(await sandbox.stop()).toEqual({ code: 0, signal: null });
    const api = startDueday(['api'], env);
    const { url: apiUrl } = await api.says('admin API on ');

    const { status, body } = await readiness(apiUrl);

    expect([status, body.status]).toEqual([200, 'ready']);
    expect(body.checks.at(-1)).toMatchObject({ circuit: 'closed' });
    expect(body.checks.map((check) => [check.name, check.status])).toEqual([
      ['postgresql', 'ok'],
      ['temporal', 'ok'],
      ['payment_service', 'failed'],
    ]);
    for (const { latencyMs } of body.checks) expect(latencyMs).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toMatch(/unspeakable|ECONNREFUSED|127\.0\.0\.1/);
    expect((await fetch(`${apiUrl}/healthz`)).status).toBe(200);
    expect(await api.stop()).toEqual({ code: 0, signal: null });
  },
  PATIENCE,
);

test(
  'SIGTERM ends it with 0, and leaves no process',
  async () => {
    expect(isAlive(daemon.pid)).toBe(true);

    expect(await daemon.stop()).toEqual({ code: 0, signal: null });

    expect(daemon.log().at(-1)?.msg).toBe('stopped');
    expect(daemon.stderr()).toBe('');
    expect(isAlive(daemon.pid)).toBe(false);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    expect(daemon.stdout()).not.toContain('unspeakable');
  },
  PATIENCE,
);
