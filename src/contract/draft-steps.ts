import type { Step } from './steps';

/** The step of a draft: until a draft is opened, its steps have the revision 0. */
const ofDraft = (kind: Step['kind'], summary: string): Step => ({ kind, revision: 0, summary, details: '' });

export const REQUEST_CONSENT = ofDraft('request_consent', 'request a consent session from the service');

/** The last step of a draft whose consent session was not opened. */
export function finishDraft(summary: string): Step {
  return ofDraft('finish', summary);
}
