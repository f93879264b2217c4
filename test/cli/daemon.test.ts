import { randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { documentedMetrics } from '../docs/documented-metrics';
import { waitUntil } from '../support/wait-until';
import { type DuedayProcess, runDueday, startDueday } from './dueday-process';
import { startSandbox } from './sandbox-process';

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
  const started = await startSandbox(database.programUrl);
  sandbox = started.sandbox;
  env = { ...started.env, TEMPORAL_TASK_QUEUE: `cli-${randomBytes(4).toString('hex')}` };
  daemon = startDueday(['daemon'], env, true);
  url = (await daemon.says('admin API on ')).url!;
  await daemon.says('worker started');
});

afterAll(async () => {
  await Promise.all([daemon.stop(), sandbox.stop()]);
  await database.drop();
});

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

/** These tests run in order on one daemon: it is ready, then lacks a part, and is then stopped. */
test('a daemon on a current schema is ready and names each part with its latency', async () => {
  const { status, body } = await readiness();

  expect([status, body.status]).toEqual([200, 'ready']);
  expect(body.checks.map((check) => [check.name, check.status])).toEqual([
    ['postgresql', 'ok'],
    ['postgresql_writes', 'ok'],
    ['temporal', 'ok'],
    ['worker', 'ok'],
    ['payment_service', 'ok'],
  ]);
  for (const { latencyMs } of body.checks) expect(latencyMs).toBeGreaterThan(0);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('a key created on the command line is valid for the API of a running daemon until a command revokes it', async () => {
  const { stdout } = await runDueday(['keys', 'create', '--name', 'reporting', '--role', 'viewer'], env);
  const [, keyId = '', key = ''] = /^key (\S+) .*\n(\S+)\n$/.exec(stdout)!;
  const list = async () =>
    (await fetch(`${url}/v1/subscriptions`, { headers: { authorization: `Bearer ${key}` } })).status;

  expect(await list()).toBe(200);
  expect((await runDueday(['keys', 'revoke', keyId], env)).code).toBe(0);
  expect(await list()).toBe(401);
});

test('an API process that gets no access token reports that but is ready: cancelling must remain possible', async () => {
  expect(await sandbox.stop()).toEqual({ code: 0, signal: null });
  const api = startDueday(['api'], env);
  const { url: apiUrl } = await api.says('admin API on ');

  const { status, body } = await readiness(apiUrl);

  expect([status, body.status]).toEqual([200, 'ready']);
  expect(body.checks.at(-1)).toMatchObject({ circuit: 'closed' });
  expect(body.checks.map((check) => [check.name, check.status])).toEqual([
    ['postgresql', 'ok'],
    ['postgresql_writes', 'ok'],
    ['temporal', 'ok'],
    ['payment_service', 'failed'],
  ]);
  for (const { latencyMs } of body.checks) expect(latencyMs).toBeGreaterThan(0);
  expect(JSON.stringify(body)).not.toMatch(/unspeakable|ECONNREFUSED|127\.0\.0\.1/);
  expect((await fetch(`${apiUrl}/healthz`)).status).toBe(200);
  expect(await api.stop()).toEqual({ code: 0, signal: null });
});

describe('dueday worker', () => {
  let workers: DuedayProcess[];
  let urls: string[];
  beforeAll(async () => {
    // The workers use separate queues, so that each starts its own workflow for the daily work.
    const queues = ['lone-1', 'lone-2'].map((name) => `${env['TEMPORAL_TASK_QUEUE'] ?? ''}-${name}`);
    workers = queues.map((queue) => startDueday(['worker'], { ...env, TEMPORAL_TASK_QUEUE: queue }));
    urls = await Promise.all(workers.map(async (each) => (await each.says('metrics on ')).url!));
    await Promise.all(workers.map((each) => each.says('worker started')));
  });
  afterAll(() => Promise.all(workers.map((each) => each.stop())));

  const metrics = async () => (await fetch(`${urls[0]}/metrics`)).text();

  test('a lone worker is ready if PostgreSQL, Temporal and its polls are', async () => {
    const { status, body } = await readiness(urls[0]);
    expect(body.checks).toMatchObject([
      { name: 'postgresql', status: 'ok' },
      { name: 'postgresql_writes', status: 'ok' },
      { name: 'temporal', status: 'ok' },
      { name: 'worker', status: 'ok' },
      { name: 'payment_service' },
    ]);
    expect([status, (await fetch(`${urls[0]}/healthz`)).status]).toEqual([200, 200]);
  });

  test('a lone worker uses the next port if another worker has the default one', () => {
    const ports = urls.map((each) => Number(new URL(each).port));
    expect(new Set(ports).size).toBe(2);
    expect(ports.every((port) => port >= 9464 && port < 9564)).toBe(true);
  });

  test("a lone worker shows its own metrics and Temporal Core's on one page, all of them documented", async () => {
    await waitUntil('a workflow task was timed', async () => EXECUTED.test(await metrics()));
    const shown = namesOf(await metrics());
    expect(shown).toEqual(
      expect.arrayContaining([
        'dueday_payment_service_circuit',
        'temporal_worker_task_slots_available',
        'temporal_num_pollers',
        'temporal_sticky_cache_size',
      ]),
    );
    const documented = [...documentedMetrics('dueday_'), ...documentedMetrics('temporal_')];
    expect(shown.filter((name) => !documented.includes(name))).toEqual([]);
    const missing = documentedMetrics('temporal_').filter((name) => !shown.includes(name));
    expect(missing.filter((name) => !LATER.test(name))).toEqual([]);
  });

  test('the metrics of a lone worker have no id in any label', async () => {
    const values = [...(await metrics()).matchAll(/="([^"]*)"/g)].map(([, value = '']) => value);
    expect(values.filter((value) => /[0-9a-f]{8}-[0-9a-f]{4}|\b(sub|pay|evt|msg)_/.test(value))).toEqual([]);
  });

  test('a lone worker is not ready while it stops', async () => {
    const ended = workers[1]!.stop();
    await workers[1]!.says('stopping');
    const isReady = async () => (await readiness(urls[1]).catch(() => null))?.status === 200;
    await waitUntil('it is no longer ready', async () => !(await isReady()));
    expect(await ended).toEqual({ code: 0, signal: null });
  });
});

const EXECUTED = /^temporal_workflow_task_execution_latency_seconds_count/m;

/** Metrics of Temporal Core that appear only once something has failed or ended. */
const LATER =
  /_(failed|failure|canceled|completed|continue_as_new|forced_eviction|poll_no_task|poll_empty|miss|hit)_total$|^temporal_(workflow_endtoend|activity_succeed_endtoend|activity_execution|activity_schedule_to_start|workflow_task_replay)_latency_seconds$|^temporal_activity_task_received_total$/;

function namesOf(page: string): readonly string[] {
  return [...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
}

test('SIGTERM ends a daemon with exit code 0, and leaves no process', async () => {
  expect(isAlive(daemon.pid)).toBe(true);

  expect(await daemon.stop()).toEqual({ code: 0, signal: null });

  expect(daemon.log().at(-1)?.msg).toBe('stopped');
  expect(daemon.stderr()).toBe('');
  expect(isAlive(daemon.pid)).toBe(false);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  expect(daemon.stdout()).not.toContain('unspeakable');
});
