import type { Connection } from '@temporalio/client';
import type { Clock } from '../../clock';
import type { Config } from '../../config';
import { SEARCH_ATTRIBUTES } from '../../contract/workflows';
import { hasWorker } from '../../gateway';
import { connectTemporal, type TemporalConnection } from '../temporal';
import { type Finding, finding, ok, warning } from './finding';

const ADVICE = 'check TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and the TEMPORAL_TLS variables, and that Temporal runs';

export async function diagnoseTemporal(config: Config, clock: Clock): Promise<Finding[]> {
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_TASK_QUEUE: taskQueue } = config;
  let opened: TemporalConnection | undefined;
  const reached = await finding('temporal', ADVICE, async () => {
    opened = await connectTemporal(config);
    await opened.connection.workflowService.describeNamespace({ namespace });
    return ok('temporal', `namespace ${namespace}`);
  });
  if (opened === undefined) return [reached];
  const { connection, client } = opened;
  try {
    if (reached.state === 'failed') return [reached];
    return [
      reached,
      await finding('search attributes', ADVICE, () => askSearchAttributes(connection, namespace)),
      await finding('worker', ADVICE, async () =>
        workerFinding(await hasWorker({ client, clock, taskQueue }), taskQueue),
      ),
    ];
  } finally {
    await connection.close();
  }
}

async function askSearchAttributes(connection: Connection, namespace: string): Promise<Finding> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = SEARCH_ATTRIBUTES.map(({ name }) => name).filter((name) => !(name in customAttributes));
  if (missing.length === 0) return ok('search attributes', 'all there');
  const register = missing.map((name) => `--name ${name} --type Keyword`).join(' ');
  return warning(
    'search attributes',
    `missing ${missing.join(', ')}`,
    `dueday registers them when it starts; where it may not: temporal operator search-attribute create ${register}`,
  );
}

function workerFinding(isThere: boolean, taskQueue: string): Finding {
  if (isThere) return ok('worker', `one works on ${taskQueue}`);
  return warning('worker', `none works on ${taskQueue}: nothing is collected`, 'start dueday daemon or dueday worker');
}
