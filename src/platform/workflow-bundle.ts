import { createHash } from 'node:crypto';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const workflowsPath = require.resolve('../../workflows');
const workflowModules = [
  require.resolve('../../workflows/bound-payloads'),
  require.resolve('../../workflows/scaled-timeouts'),
  require.resolve('../../workflows/task-queues'),
];
/**
 * Loaded once a thread and shared by all its workflows, instead of anew for each. They hold no state between calls, which
 * lint sees to: what one workflow wrote there another one would read.
 */
const preloadModules = [workflowsPath, ...workflowModules];

/** Of a built program; beside the record of what the compiler last wrote. */
const BUNDLE = join(__dirname, '..', '..', 'workflow-bundle.js');
const COMPILED = join(__dirname, '..', '..', 'deterministic.tsbuildinfo');

/** The workflows as one file, for a worker. */
export interface WorkflowCode {
  readonly workflowBundle: { readonly code: string };
}

/** The workflows of this program: as bundled when it was built, else bundled now, which takes three seconds. */
export async function workflowCode(): Promise<WorkflowCode> {
  return { workflowBundle: { code: (await isBundled()) ? await readFile(BUNDLE, 'utf8') : await bundle() } };
}

/** Where the sources lay is no part of a build: the same sources have one id wherever they were built. */
const SOURCE_MAP = /^\/\/# sourceMappingURL=.*$/gm;
const ID_LENGTH = 16;

/** Names the workflows by what they are: the beginning of a SHA-256, in hexadecimal digits. */
export function buildIdOf({ workflowBundle }: WorkflowCode): string {
  const hash = createHash('sha256').update(workflowBundle.code.replace(SOURCE_MAP, ''));
  return hash.digest('hex').slice(0, ID_LENGTH);
}

/** Part of the build. Nothing is done, nor Temporal's library loaded, where the bundle is newer than the compiled code. */
export async function bundleWorkflows(): Promise<void> {
  if (await isBundled()) return;
  const code = await bundle();
  // Whole or not at all: a worker may be starting.
  const unfinished = `${BUNDLE}.${process.pid}`;
  await writeFile(unfinished, code);
  await rename(unfinished, BUNDLE);
}

async function bundle(): Promise<string> {
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: workflowModules,
    preloadModules,
    logger: new DefaultLogger('ERROR'),
  });
  return code;
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
