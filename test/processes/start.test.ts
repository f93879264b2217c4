import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DuedayProcess, runDueday, startDueday } from '../cli/dueday-process';
import { startSandbox } from '../cli/sandbox-process';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { waitUntil } from '../support/wait-until';

/** How the roles start with a valid configuration for development, and if a port is taken. */

/** Pino's level of a warning. */
const WARN = 40;

let database: TestDatabase;
let sandbox: DuedayProcess;
let env: Readonly<Record<string, string>>;
let taken: Server;
let takenPort: number;

beforeAll(async () => {
  database = await createTestDatabase();
  ({ sandbox, env } = await startSandbox(database.programUrl));
  taken = createServer();
  await once(taken.listen(0, '127.0.0.1'), 'listening');
  takenPort = (taken.address() as AddressInfo).port;
});

afterAll(async () => {
  taken.close();
  await sandbox.stop();
  await database.drop();
});

/** A queue of its own, so that the process has no worker of another release beside it and works at once. */
const onOwnQueue = (more: Readonly<Record<string, string>> = {}) => ({
  ...env,
  TEMPORAL_TASK_QUEUE: `start-${randomBytes(4).toString('hex')}`,
  ...more,
});

const METRICS_APART = { METRICS_PORT: '0' };

test.each<[string, string, Readonly<Record<string, string>>, string]>([
  ['a worker', 'worker', METRICS_APART, 'worker started'],
  ['a daemon', 'daemon', {}, 'worker started'],
  ['a daemon with a port for metrics', 'daemon', METRICS_APART, 'worker started'],
  ['an API', 'api', {}, 'metrics on '],
])('%s starts, works and stops without a warning, and says where its metrics are', async (_name, role, more, last) => {
  const program = startDueday([role], onOwnQueue(more));
  const { url = '' } = await program.says('metrics on ');
  await program.says(last);
  const read = async (path: string) => fetch(`${url}${path}`);
  await waitUntil('it is ready', async () => (await read('/readyz')).status === 200);
  const metrics = async () => (await read('/metrics')).text();
  // The daily work is the first work that a worker starts.
  if (role !== 'api') await waitUntil('it has worked', async () => WORKED.test(await metrics()));
  expect(await metrics()).toContain('dueday_ledger_last_commit_seconds');

  expect(await program.stop()).toEqual({ code: 0, signal: null });

  expect(program.log().map(({ msg }) => msg)).toContain(`metrics on ${url}/metrics`);
  expect(program.log().filter(({ level }) => level >= WARN)).toEqual([]);
  // Node.js writes its own warnings to standard error: deprecated or experimental features, and too many listeners.
  expect(program.stderr()).toBe('');
});

const WORKED = /^temporal_workflow_task_execution_latency_seconds_count\S* [1-9]/m;

test.each([
  ['worker', 'METRICS_PORT'],
  ['daemon', 'METRICS_PORT'],
  ['daemon', 'ADMIN_PORT'],
  ['api', 'METRICS_PORT'],
  ['api', 'ADMIN_PORT'],
])('%s ends with an error that names %s if that port is taken, and uses no other', async (role, variable) => {
  const { code, stdout, stderr } = await runDueday([role], onOwnQueue({ [variable]: String(takenPort) }));
  expect(code).toBe(1);
  expect(stderr).toMatch(
    new RegExp(`^dueday: the \\S.* cannot listen on 127\\.0\\.0\\.1:${takenPort} \\(\\w+, ${variable}\\): .*\n$`),
  );
  expect(stdout).not.toContain('metrics on ');
});
