import type { Connection } from '@temporalio/client';
import type { Clock } from '../../platform/clock';
import type { Config } from '../../config';
import { SEARCH_ATTRIBUTES } from '../../contract/workflows';
import { hasWorker, readVersions, type Versions } from '../../temporal';
import { connectTemporal, type TemporalConnection } from '../temporal';
import { type Finding, finding, ok, warning } from './finding';

const ADVICE = 'check TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and the TEMPORAL_TLS variables, and that Temporal runs';
const RELEASE_ADVICE = 'use Temporal server 1.29 or newer: releases need its worker deployments';

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
      await finding('search attributes', ADVICE, () => checkSearchAttributes(connection, namespace)),
      await finding('worker', ADVICE, async () =>
        workerFinding(await hasWorker({ client, clock, taskQueue }), taskQueue),
      ),
      await finding('release', RELEASE_ADVICE, async () =>
        releaseFinding(await readVersions({ client, clock, taskQueue })),
      ),
    ];
  } finally {
    await connection.close();
  }
}

async function checkSearchAttributes(connection: Connection, namespace: string): Promise<Finding> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = SEARCH_ATTRIBUTES.map(({ name }) => name).filter((name) => !(name in customAttributes));
  if (missing.length === 0) return ok('search attributes', 'all registered');
  const register = missing.map((name) => `--name ${name} --type Keyword`).join(' ');
  return warning(
    'search attributes',
    `missing ${missing.join(', ')}`,
    `dueday registers them when it starts; if it may not, run temporal operator search-attribute create ${register}`,
  );
}

function workerFinding(isRunning: boolean, taskQueue: string): Finding {
  if (isRunning) return ok('worker', `running on ${taskQueue}`);
  return warning('worker', `none on ${taskQueue}: nothing is collected`, 'start dueday daemon or dueday worker');
}

/** Whether new and continued workflows find a worker, and the intended one. Exported for tests. */
export function releaseFinding({ current, all, unversioned }: Versions): Finding {
  if (current === null) {
    if (unversioned === 0) return ok('release', 'none yet: the first worker makes its release current');
    return warning(
      'release',
      'none is current: workers without a release do the work',
      'start workers of this version in addition, then dueday versions promote',
    );
  }
  if (current.workers === 0)
    return warning(
      'release',
      `${current.buildId} is current but has no worker: nothing starts or continues`,
      'start its workers, or promote a release that has some: dueday versions promote',
    );
  const waiting = all.find(({ state, workers }) => state === 'inactive' && workers > 0);
  if (waiting === undefined) return ok('release', `${current.buildId} is current`);
  return warning(
    'release',
    `${waiting.buildId} has workers but gets no work: ${current.buildId} is current`,
    'run dueday replay verify with that release, then dueday versions promote',
  );
}
