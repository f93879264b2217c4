import { HOUSEKEEPING_WORKFLOW, RECONCILIATION_WORKFLOW } from './housekeeping';
import { ATTEMPT_WORKFLOW, CONSENT_CHECK_WORKFLOW, PAYMENT_CHECK_WORKFLOW, SUBSCRIPTION_WORKFLOW } from './messages';
import { CAPTURE_WORKFLOW, PAYMENT_WORKFLOW, REFUND_WORKFLOW } from './payments';

/**
 * Every type of workflow that a worker runs, and how it moves between releases: `pinned` ends in the release that
 * started it, as long as this release has workers; `moves` continues in the release that is current when it wakes.
 */
const KINDS: Readonly<Record<string, 'pinned' | 'moves'>> = {
  // They sleep for months: a pinned release would have to be kept for as long.
  [SUBSCRIPTION_WORKFLOW]: 'moves',
  [ATTEMPT_WORKFLOW]: 'moves',
  [PAYMENT_WORKFLOW]: 'moves',
  // It never ends.
  [HOUSEKEEPING_WORKFLOW]: 'moves',
  // They usually end within hours.
  [CAPTURE_WORKFLOW]: 'pinned',
  [REFUND_WORKFLOW]: 'pinned',
  [RECONCILIATION_WORKFLOW]: 'pinned',
  // A single check each.
  [CONSENT_CHECK_WORKFLOW]: 'moves',
  [PAYMENT_CHECK_WORKFLOW]: 'moves',
};

export const WORKFLOW_KINDS: readonly string[] = Object.keys(KINDS);

/** The pinned types; `workflows/index.ts` sets the same behaviour in the code of each. */
export const PINNED_KINDS: readonly string[] = WORKFLOW_KINDS.filter((kind) => KINDS[kind] === 'pinned');

/**
 * The deployment to which the workers of a base task queue belong, on all of its queues: an activity goes to the version of its
 * workflow only within one deployment. Temporal reserves `.` and `:`.
 */
export function deploymentOf(taskQueue: string): string {
  return `dueday/${taskQueue}`.replace(/[.:%]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
