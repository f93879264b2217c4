import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIdOf } from '../../src/workflow-code';
import { requireFreshBuild } from './fresh-build';

/** Of the built program. @throws Error where it was built from other source than this */
export function builtId(): string {
  requireFreshBuild();
  return buildIdOf({
    workflowBundle: { code: readFileSync(join(__dirname, '../../dist/workflow-bundle.js'), 'utf8') },
  });
}
