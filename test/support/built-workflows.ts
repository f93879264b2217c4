import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowCode } from '../../src/platform/workflow-bundle';
import { requireFreshBuild } from './fresh-build';

/**
 * The workflows as a real worker has them, of the built program: bundled again they would cost each test file five seconds of
 * processor time.
 * @throws Error if it was built from other source than this
 */
export function builtWorkflows(): WorkflowCode {
  requireFreshBuild();
  return { workflowBundle: { code: readFileSync(join(__dirname, '../../dist/workflow-bundle.js'), 'utf8') } };
}
