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
 * So many frames of an error's stack. The SDK takes the stack of each promise that a workflow makes, for its stack trace in
 * the Web UI, and looks each frame up in the source map: with the usual ten that was a third of the time of the workflows'
 * thread. The first two are the SDK's own.
 */
const FRAMES = 4;
// Once a thread, before the SDK freezes what workflows share; where each workflow loads this anew, it is frozen by then.
Reflect.set(Error, 'stackTraceLimit', FRAMES);

/**
 * What is over within hours ends in the release that began it; all else goes on in the release that is current. Where the worker
 * has no version, which servers for tests know nothing of, none may be named.
 */
function pinned(): { versioningBehavior?: 'PINNED' } {
  const { deploymentName = '' } = workflowInfo().currentDeploymentVersion ?? {};
  return deploymentName === '' ? {} : { versioningBehavior: 'PINNED' };
}

setWorkflowOptions(pinned, capture);
setWorkflowOptions(pinned, refund);
setWorkflowOptions(pinned, reconciliation);
