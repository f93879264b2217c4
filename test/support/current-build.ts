import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { deploymentOf } from '../../src/contract/versions';
import { buildIdOf } from '../../src/workflow-code';
import { requireFreshBuild } from './fresh-build';

/** Of the built program. @throws Error where it was built from other source than this */
export function builtId(): string {
  requireFreshBuild();
  return buildIdOf({
    workflowBundle: { code: readFileSync(join(__dirname, '../../dist/workflow-bundle.js'), 'utf8') },
  });
}

/** Makes the built program's release current on a task queue before any worker is up: a lone `worker` waits for that. */
export async function makeBuildCurrent(address: string, taskQueue: string): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    await connection.workflowService.setWorkerDeploymentCurrentVersion({
      namespace: 'default',
      deploymentName: deploymentOf(taskQueue),
      buildId: builtId(),
      identity: 'dueday',
      allowNoPollers: true,
    });
  } finally {
    await connection.close();
  }
}
