import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowCode } from '../../src/platform/workflow-bundle';
import { requireFreshBuild } from './fresh-build';

/**
 * The workflow bundle of the built program, as a real worker uses it: bundling again would cost each test file five seconds of
 * processor time.
 * @throws Error if it was built from other source than this
 */
export function builtWorkflows(): WorkflowCode {
  requireFreshBuild();
  return { workflowBundle: { code: readFileSync(join(__dirname, '../../dist/workflow-bundle.js'), 'utf8') } };
}
