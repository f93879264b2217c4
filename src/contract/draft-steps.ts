import type { Step } from './steps';

/** The step of a draft: there is no row yet that would have a revision. */
const ofDraft = (kind: Step['kind'], summary: string): Step => ({ kind, revision: 0, summary, details: '' });

export const REQUEST_CONSENT = ofDraft('request_consent', 'request a consent session from the service');

/** The last step of a draft whose consent session was not opened. */
export function finishDraft(summary: string): Step {
  return ofDraft('finish', summary);
}
