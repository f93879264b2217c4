import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import { capture, refund } from './errands';
import { reconciliation } from './housekeeping';

export { consentCheck, paymentCheck } from './errands';
export { housekeeping } from './housekeeping';
export { payment } from './payment';
export { attempt } from './attempt';
export { subscription } from './subscription';
export { capture, reconciliation, refund };

/**
 * The number of stack frames of an error. The SDK records the stack of each promise that a workflow creates, for its stack
 * trace in the Web UI, and looks up each frame in the source map: with the default of ten, that took a third of the time of the
 * workflow thread. The first two frames are the SDK's own.
 */
const FRAMES = 4;
// Takes effect once per thread, before the SDK freezes what workflows share: when a later workflow loads this module,
// `Error` is already frozen.
Reflect.set(Error, 'stackTraceLimit', FRAMES);

/**
 * `capture`, `refund` and `reconciliation` usually end within a day, and stay in the release that started them; all others
 * continue in the current release. If the worker has no version, as with test servers that do not support versions, no
 * behaviour may be set.
 */
function pinned(): { versioningBehavior?: 'PINNED' } {
  const { deploymentName = '' } = workflowInfo().currentDeploymentVersion ?? {};
  return deploymentName === '' ? {} : { versioningBehavior: 'PINNED' };
}

setWorkflowOptions(pinned, capture);
setWorkflowOptions(pinned, refund);
setWorkflowOptions(pinned, reconciliation);
