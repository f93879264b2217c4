import { HOUSEKEEPING_WORKFLOW, type HousekeepingInput, housekeepingWorkflowId } from '../contract/housekeeping';
import { reaching } from './command-error';
import type { Parts } from './parts';
import { connectTemporal } from './temporal-access';

/** Begins the daily work of this task queue where nobody has; it outlives the process that began it. */
export async function startHousekeeping({ config, clock }: Parts): Promise<void> {
  const taskQueue = config.TEMPORAL_TASK_QUEUE;
  const input: HousekeepingInput = { clock: clock.setting, state: null };
  await reaching('the daily work cannot be started', async () => {
    const { client, connection } = await connectTemporal(config);
    try {
      await client.workflow.start(HOUSEKEEPING_WORKFLOW, {
        ...{ workflowId: housekeepingWorkflowId(taskQueue), taskQueue, args: [input] },
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: 'the work of each day',
      });
    } finally {
      await connection.close();
    }
  });
}
