import { randomBytes } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { partOfRun } from '../support/test-run';
import { waitUntil } from '../support/wait-until';
import { type DuedayProcess, runDueday, startDueday } from '../cli/dueday-process';

/** Which Temporal namespace and which ledger a process may use. */

const OTHER = `other-${randomBytes(4).toString('hex')}`;
const REASON = ['--reason', 'a test'];

let database: TestDatabase;
let env: Readonly<Record<string, string>>;
let api: DuedayProcess | null = null;

beforeAll(async () => {
  const { address } = partOfRun('temporal');
  const connection = await Connection.connect({ address });
  const retention = { seconds: 86_400 as unknown as never, nanos: 0 };
  await connection.workflowService.registerNamespace({ namespace: OTHER, workflowExecutionRetentionPeriod: retention });
  await waitUntil('the namespace exists', async () =>
    connection.workflowService.describeNamespace({ namespace: OTHER }).then(
      () => true,
      () => false,
    ),
  );
  await connection.close();
});

beforeEach(async () => {
  database = await createTestDatabase();
  env = {
    DATABASE_URL: database.programUrl,
    PAYMENT_SERVICE_ENVIRONMENT: 'sandbox',
    TEMPORAL_ADDRESS: partOfRun('temporal').address,
    TEMPORAL_TASK_QUEUE: `installation-${randomBytes(4).toString('hex')}`,
    // Nothing listens there, and nothing in this test calls it.
    PAYMENT_SERVICE_BASE_URL: 'http://127.0.0.1:9',
    PAYMENT_SERVICE_CLIENT_ID: 'merchant',
    PAYMENT_SERVICE_CLIENT_SECRET: 'unspeakable-of-the-original',
    ADMIN_PORT: '0',
  };
});

afterEach(async () => {
  await api?.stop();
  api = null;
  await database.drop();
});

async function starts(changes: Readonly<Record<string, string>> = {}): Promise<void> {
  api = startDueday(['api'], { ...env, ...changes });
  await api.says('admin API on ');
}

async function startsAndStops(changes: Readonly<Record<string, string>> = {}): Promise<void> {
  await starts(changes);
  expect(await api!.stop()).toEqual({ code: 0, signal: null });
  api = null;
}

test('fault 47: a process with the same database but another Temporal namespace is refused at start, in one line', async () => {
  await startsAndStops();
  const refused = await runDueday(['api'], { ...env, TEMPORAL_NAMESPACE: OTHER });
  expect(refused.code).toBe(1);
  expect(refused.stderr.trim().split('\n')).toEqual([
    expect.stringMatching(
      /Temporal's namespace other-\w+ has the id \S+, but the workflows of this ledger run in \S+: .* node bin\/dueday\.js temporal accept --reason/,
    ),
  ]);

  const accepted = await runDueday(['temporal', 'accept', ...REASON], { ...env, TEMPORAL_NAMESPACE: OTHER });
  expect([accepted.code, accepted.stdout]).toEqual([0, expect.stringContaining(`run in the namespace ${OTHER}`)]);
  await startsAndStops({ TEMPORAL_NAMESPACE: OTHER });
  expect((await runDueday(['api'], env)).code).toBe(1);
});

test('accepting another Temporal namespace needs a reason', async () => {
  const { code, stderr } = await runDueday(['temporal', 'accept'], env);
  expect([code, stderr.trim()]).toEqual([2, 'dueday: --reason: expected 1 to 500 characters, not blank; got nothing']);
});

test('fault 48: a ledger that was declared a copy refuses production processes and processes with the original credentials', async () => {
  await starts();
  const declared = await runDueday(['ledger', 'accept', '--copy', ...REASON], env);
  expect([declared.code, declared.stdout]).toEqual([0, expect.stringContaining('This ledger is now a copy')]);

  // A running process with the original credentials stops by itself.
  expect(await api!.ended).toMatchObject({ code: 1 });
  api = null;
  const refused = await runDueday(['api'], env);
  expect([refused.code, refused.stderr.trim()]).toEqual([
    2,
    'dueday: PAYMENT_SERVICE_CLIENT_SECRET: expected a different value from that of the original ledger, because this one is a copy; got the same',
  ]);
  await startsAndStops({ PAYMENT_SERVICE_CLIENT_SECRET: 'unspeakable-of-the-copy' });
});

test('declaring a copy names every option that is missing', async () => {
  const { code, stderr } = await runDueday(['ledger', 'accept'], {
    DATABASE_URL: database.programUrl,
  });
  expect(code).toBe(2);
  expect(stderr.trim().split('\n')).toEqual([
    'dueday: --copy: required; dueday reconcile accepts a restored ledger if nothing differs, otherwise dueday halt lift does',
    '--reason: expected 1 to 500 characters, not blank; got nothing',
  ]);
});
