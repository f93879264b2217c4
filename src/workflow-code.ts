import { rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkerOptions } from '@temporalio/worker';

const workflowsPath = require.resolve('../workflows');
const workflowModules = [
  require.resolve('../workflows/unreadable'),
  require.resolve('../workflows/scaled-timeouts'),
  require.resolve('../workflows/task-queues'),
];
/**
 * Loaded once a thread and shared by all its workflows, instead of anew for each. They hold no state between calls, which
 * lint sees to: what one workflow wrote there another one would read.
 */
const preloadModules = [workflowsPath, ...workflowModules];

const WORKFLOWS = { workflowsPath, interceptors: { workflowModules }, bundlerOptions: { preloadModules } };

/** Of a built program; beside the record of what the compiler last wrote. */
const BUNDLE = join(__dirname, '..', 'workflow-bundle.js');
const COMPILED = join(__dirname, '..', 'deterministic.tsbuildinfo');

type WorkflowCode = Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath' | 'interceptors' | 'bundlerOptions'>;

/** The workflows for a worker: as bundled when the program was built, else bundled as it starts, which takes three seconds. */
export async function workflowCode(): Promise<WorkflowCode> {
  return (await isBundled()) ? { workflowBundle: { codePath: BUNDLE } } : WORKFLOWS;
}

/** Part of the build. Nothing is done, nor Temporal's library loaded, where the bundle is newer than the compiled code. */
export async function bundleWorkflows(): Promise<void> {
  if (await isBundled()) return;
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: workflowModules,
    preloadModules,
    logger: new DefaultLogger('ERROR'),
  });
  // Whole or not at all: a worker may be starting.
  const unfinished = `${BUNDLE}.${process.pid}`;
  await writeFile(unfinished, code);
  await rename(unfinished, BUNDLE);
}

/** A bundle older than the compiled code is of other workflows than these. */
async function isBundled(): Promise<boolean> {
  const [bundled, compiled] = await Promise.all([changedAt(BUNDLE), changedAt(COMPILED)]);
  return bundled !== null && compiled !== null && bundled >= compiled;
}

async function changedAt(path: string): Promise<number | null> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
}
