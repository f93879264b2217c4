import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import { reconciliation } from './housekeeping';
import { notice } from './notice';
import { refund } from './payment';

export { consentCheck, paymentCheck } from './consent-check';
export { housekeeping } from './housekeeping';
export { payment } from './payment';
export { subscription } from './subscription/subscription';
export { notice, reconciliation, refund };

/**
 * What is over within hours ends in the release that began it; all else goes on in the release that is current. Where the worker
 * has no version, which servers for tests know nothing of, none may be named.
 */
function pinned(): { versioningBehavior?: 'PINNED' } {
  const { deploymentName = '' } = workflowInfo().currentDeploymentVersion ?? {};
  return deploymentName === '' ? {} : { versioningBehavior: 'PINNED' };
}

setWorkflowOptions(pinned, notice);
setWorkflowOptions(pinned, refund);
setWorkflowOptions(pinned, reconciliation);
