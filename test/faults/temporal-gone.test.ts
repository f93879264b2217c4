import { SECOND } from '../../src/domain/time';
import { openProcessStack, type ProcessStack } from '../processes/local-stack';
import type { Program } from '../processes/program';
import { portToKeep } from '../processes/servers';
import { waitUntil } from '../support/wait-until';

/** What an operator sees while Temporal is gone and nothing is due. */

let stack: ProcessStack;
let worker: Program;
let api: Program;
let workerUrl: string;

beforeAll(async () => {
  stack = await openProcessStack({ startAt: Date.parse('2027-01-29T08:00:00.000Z'), speed: 1 });
  const port = await portToKeep('the metrics of the worker');
  workerUrl = `http://127.0.0.1:${port}`;
  worker = stack.program('worker', 'worker', { METRICS_PORT: String(port) });
  api = stack.program('api');
  await Promise.all([worker.start(), api.start()]);
});

afterAll(async () => {
  await Promise.all([worker.stop(), api.stop()]);
  await stack.close();
});

interface Readiness {
  readonly status: number;
  readonly failed: readonly string[];
  readonly took: number;
}

async function readiness(url: string): Promise<Readiness> {
  const startedAt = performance.now();
  const answer = await fetch(`${url}/readyz`);
  const { failed = [] } = (await answer.json()) as { failed?: string[] };
  return { status: answer.status, failed, took: performance.now() - startedAt };
}

/** The time since the last answered poll, in seconds: the longest of all task queues. */
async function silence(): Promise<number> {
  const text = await (await fetch(`${workerUrl}/metrics`)).text();
  const ages = [...text.matchAll(/^dueday_temporal_last_poll_seconds\{[^}]*\} (\S+)$/gm)].map(([, age]) => Number(age));
  expect(ages).toHaveLength(4);
  return Math.max(...ages);
}

/** @returns a function that returns what each process has logged since this call */
function logged(): () => readonly string[][] {
  const all = () => [worker, api].map(({ process }) => `${process.stdout()}${process.stderr()}`.split('\n'));
  const before = all().map(({ length }) => length - 1);
  return () => all().map((lines, index) => lines.slice(before[index], -1));
}

test('without Temporal the worker is not ready, its last poll ages, and neither process floods its log', async () => {
  const { ADMIN_PORT } = stack.env;
  expect((await readiness(workerUrl)).status).toBe(200);
  const linesSince = logged();
  await stack.temporal.kill();
  for (const url of [workerUrl, `http://127.0.0.1:${ADMIN_PORT}`]) {
    const { status, failed, took } = await readiness(url);
    expect([status, failed]).toEqual([503, expect.arrayContaining(['temporal'])]);
    expect(took).toBeLessThan(2 * SECOND);
  }
  await waitUntil('the worker says itself that its polls fail', async () =>
    (await readiness(workerUrl)).failed.includes('worker'),
  );
  await waitUntil('a minute of failures is summarised', () =>
    worker.process.log().some((line) => line.msg.includes('poll_activity_task_queue') && 'repeated' in line),
  );
  await waitUntil('no poll has been answered for a minute', async () => (await silence()) > 60);
  for (const lines of linesSince()) {
    expect(lines.map((line) => line[0])).toEqual(lines.map(() => '{'));
    expect(lines.length).toBeLessThanOrEqual(20);
  }
  await stack.temporal.start();
  await waitUntil('the worker is ready again', async () => (await readiness(workerUrl)).status === 200);
});
