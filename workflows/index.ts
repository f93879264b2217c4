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
 * The number of frames in an error's stack. The SDK takes the stack of each promise that a workflow creates, for its stack trace in
 * the Web UI, and looks each frame up in the source map: with the default of ten, that took a third of the time of the workflows'
 * thread. The first two are the SDK's own.
 */
const FRAMES = 4;
// Once per thread, before the SDK freezes what workflows share; if each workflow loads this again, it is frozen by then.
Reflect.set(Error, 'stackTraceLimit', FRAMES);

/**
 * What ends within hours stays in the release that started it; everything else continues in the current release. If the worker
 * has no version, as with test servers that do not support versions, none may be named.
 */
function pinned(): { versioningBehavior?: 'PINNED' } {
  const { deploymentName = '' } = workflowInfo().currentDeploymentVersion ?? {};
  return deploymentName === '' ? {} : { versioningBehavior: 'PINNED' };
}

setWorkflowOptions(pinned, capture);
setWorkflowOptions(pinned, refund);
setWorkflowOptions(pinned, reconciliation);
