import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { CONSENT_CHECK_WORKFLOW } from '../../src/contract/messages';
import { queueName, QUEUES } from '../../src/contract/workflows';
import { ACTIVITIES } from '../../workflows/activities';
import { builtWorkflows } from '../support/built-workflows';
import { connectDevServerEnv } from '../support/temporal';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await connectDevServerEnv();
});
afterAll(() => env.teardown());

/** Runs a consent check that began on the queue, with the code of a real worker. @returns the queue of its activity */
async function queueOfActivity(base: string, taskQueue: string, servedOn: string): Promise<string | undefined | null> {
  const { nativeConnection: connection, client } = env;
  const workflows = await Worker.create({ connection, taskQueue, ...builtWorkflows(), debugMode: true });
  const activities = await Worker.create({
    connection,
    taskQueue: servedOn,
    activities: { checkConsent: async () => ({ changed: null }) },
  });
  return workflows.runUntil(() =>
    activities.runUntil(async () => {
      const workflowId = `check/${base}`;
      const args = [{ subscriptionId: 'sub_a', paymentId: 'pay_a', status: 'active' }];
      const handle = await client.workflow.start(CONSENT_CHECK_WORKFLOW, { workflowId, taskQueue, args });
      expect(await handle.result()).toEqual({ changed: null });
      const { events } = await handle.fetchHistory();
      return events?.flatMap((event) => event.activityTaskScheduledEventAttributes ?? [])[0]?.taskQueue?.name;
    }),
  );
}

test('an activity goes to the queue of its kind, wherever its workflow runs', async () => {
  for (const suffix of ['', '/interactive']) {
    const base = `queues-${randomUUID()}`;
    const interactive = queueName(base, 'interactive');
    expect(await queueOfActivity(base, `${base}${suffix}`, interactive)).toBe(interactive);
  }
});

test('each queue has activities', () => {
  expect(new Set(Object.values(ACTIVITIES).map(({ queue }) => queue))).toEqual(new Set(QUEUES));
});
