import { HOUSEKEEPING_WORKFLOW, RECONCILIATION_WORKFLOW } from './housekeeping';
import { ATTEMPT_WORKFLOW, CONSENT_CHECK_WORKFLOW, PAYMENT_CHECK_WORKFLOW, SUBSCRIPTION_WORKFLOW } from './messages';
import { CAPTURE_WORKFLOW, PAYMENT_WORKFLOW, REFUND_WORKFLOW } from './payments';

/**
 * Every type of workflow that a worker runs, and how one release follows another in it: `pinned` ends in the release that started
 * it, `moves` continues in the release that is current when it wakes. Those that live longest first.
 */
const KINDS: Readonly<Record<string, 'pinned' | 'moves'>> = {
  // They sleep for months: a release would have to be kept as long.
  [SUBSCRIPTION_WORKFLOW]: 'moves',
  [ATTEMPT_WORKFLOW]: 'moves',
  [PAYMENT_WORKFLOW]: 'moves',
  // It never ends.
  [HOUSEKEEPING_WORKFLOW]: 'moves',
  // They end within hours.
  [CAPTURE_WORKFLOW]: 'pinned',
  [REFUND_WORKFLOW]: 'pinned',
  [RECONCILIATION_WORKFLOW]: 'pinned',
  // One check each.
  [CONSENT_CHECK_WORKFLOW]: 'moves',
  [PAYMENT_CHECK_WORKFLOW]: 'moves',
};

export const WORKFLOW_KINDS: readonly string[] = Object.keys(KINDS);

/** As the code of each says, in `workflows/index.ts`. */
export const PINNED_KINDS: readonly string[] = WORKFLOW_KINDS.filter((kind) => KINDS[kind] === 'pinned');

/**
 * The deployment that the workers of a base task queue belong to, on all queues alike: an activity goes to the version of
 * its workflow only within one deployment. Temporal keeps `.` and `:` for itself.
 */
export function deploymentOf(taskQueue: string): string {
  return `dueday/${taskQueue}`.replace(/[.:%]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
