import { randomUUID } from 'node:crypto';
import { Client as TemporalClient, Connection, type WorkflowHandle } from '@temporalio/client';
import { Client } from 'pg';
import { DAY, HOUR, MINUTE } from '../../src/domain/time';
import type { Life } from '../scenarios/life';
import { placeOrder } from '../scenarios/world';
import { waitUntil } from '../support/wait-until';
import { openProcessStack, type ProcessStack } from './local-stack';
import type { Program } from './program';

/** Workflows that were reset or had no worker learn from the ledger what has happened meanwhile. An hour passes in a second. */

let stack: ProcessStack;
let worker: Program;
let api: Program;
let ledger: Client;
let connection: Connection;

beforeAll(async () => {
  const env = { PAYMENT_SERVICE_SETTLE_SECONDS: '1', PAYMENT_SERVICE_TIMEOUT_MS: '8000' };
  stack = await openProcessStack({ startAt: Date.parse('2027-01-29T08:00:00.000Z'), speed: 3_600, env });
  [worker, api] = [stack.program('worker'), stack.program('api')];
  await Promise.all([worker.start(), api.start()]);
  ledger = new Client({ connectionString: stack.databaseUrl });
  await ledger.connect();
  connection = await Connection.connect({ address: stack.temporalAddress });
});

afterAll(async () => {
  await connection.close();
  await ledger.end();
  await Promise.all([worker, api].map((program) => program.stop()));
  await stack.close();
});

const order = async (name: string, lead: number) =>
  (await placeOrder(stack, stack.clock, { name, cents: 1500, lead })).approvedWith();

/** Subscriptions whose workflows have not acknowledged their newest revision. */
async function unacknowledged(): Promise<string[]> {
  const { rows } = await ledger.query<{ id: string }>(
    `select subscription_id as id from subscriptions
     where acknowledged_revision < revision and status in ('pending_consent', 'active', 'paused')`,
  );
  return rows.map(({ id }) => id);
}

/** Resets to the decision before the activity in progress. */
async function reset(client: TemporalClient, handle: WorkflowHandle): Promise<void> {
  const { runId } = await handle.describe();
  const { events } = await handle.fetchHistory();
  const decision = events?.findLast((event) => event.workflowTaskCompletedEventAttributes != null);
  await client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: handle.workflowId, runId },
    reason: 'a test',
    requestId: randomUUID(),
    workflowTaskFinishEventId: decision!.eventId!,
  });
}

test('a workflow that is reset with its request on the wire, and cancelled meanwhile, sends exactly once', async () => {
  const life = await order('reset', 4 * HOUR);
  const match = { method: 'POST', path: `^/${life.paymentId}/authorizations$` } as const;
  const { faultId } = stack.sandbox.faults.add({ kind: 'delay', delayMs: 6_000, match });
  const isTaken = () => stack.sandbox.faults.list().some((each) => each.faultId === faultId && each.taken > 0);
  await waitUntil('its request is on the wire', isTaken);
  const client = new TemporalClient({ connection });
  await reset(client, client.workflow.getHandle(`subscription/${life.id}`));
  const { status } = await life.steer('cancel', { reason: 'no longer wanted' });
  expect([200, 202]).toContain(status);
  await life.until('cancelled', (subscription) => subscription.status === 'cancelled');
  expect(life.atService.authorizations).toHaveLength(1);
  await life.agrees();
});

test('after fourteen hours without a worker every workflow acknowledges within a minute of its return', async () => {
  const lives: Life[] = [];
  for (const name of ['paused', 'skipped', 'cancelled']) lives.push(await order(name, 60 * DAY));
  await waitUntil('all of them are at rest', async () => (await unacknowledged()).length === 0);
  await worker.stop();
  const since = stack.clock.now();
  const [paused, skipped, cancelled] = lives as [Life, Life, Life];
  const why = { reason: 'no worker is up' };
  const asked = [
    await paused.steer('pause', why),
    await skipped.steer('cycles/1/skip', why),
    await cancelled.steer('cancel', why),
  ];
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 202]);
  await waitUntil('fourteen hours are over', () => stack.clock.now() - since >= 14 * HOUR);
  expect((await unacknowledged()).toSorted()).toEqual(lives.map(({ id }) => id).toSorted());

  await worker.start();

  await waitUntil('each workflow has acknowledged', async () => (await unacknowledged()).length === 0, MINUTE);
  await cancelled.until('cancelled', ({ status }) => status === 'cancelled');
});
