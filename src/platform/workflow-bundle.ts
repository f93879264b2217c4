import { createHash } from 'node:crypto';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const workflowsPath = require.resolve('../../workflows');
const workflowModules = [
  require.resolve('../../workflows/bound-payloads'),
  require.resolve('../../workflows/activities'),
];
/**
 * Modules that are loaded once per thread and shared by all its workflows. They must not hold state between calls, as another
 * workflow would see it; lint ensures this.
 */
const preloadModules = [workflowsPath, ...workflowModules];

/** The bundle of a built program, and the compiler's own build record. */
const BUNDLE = join(__dirname, '..', '..', 'workflow-bundle.js');
const COMPILED = join(__dirname, '..', '..', 'deterministic.tsbuildinfo');

/** The workflows as a single file, for a worker. */
export interface WorkflowCode {
  readonly workflowBundle: { readonly code: string };
}

/** The workflows of this program: bundled at build time, else now, which takes three seconds. */
export async function workflowCode(): Promise<WorkflowCode> {
  return { workflowBundle: { code: (await isBundled()) ? await readFile(BUNDLE, 'utf8') : await bundle() } };
}

/**
 * The source map is left out of the id, as it contains paths: the same sources have the same id wherever they were
 * built.
 */
const SOURCE_MAP = /^\/\/# sourceMappingURL=.*$/gm;
const ID_LENGTH = 16;

/** Identifies the workflow code: the first hexadecimal digits of its SHA-256. */
export function buildIdOf({ workflowBundle }: WorkflowCode): string {
  const hash = createHash('sha256').update(workflowBundle.code.replace(SOURCE_MAP, ''));
  return hash.digest('hex').slice(0, ID_LENGTH);
}

/** Part of the build. Does nothing, and does not load Temporal's library, if the bundle is newer than the compiled code. */
export async function bundleWorkflows(): Promise<void> {
  if (await isBundled()) return;
  const code = await bundle();
  // Written atomically: a worker may be starting.
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

/** A bundle older than the compiled code may contain other workflows. */
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
