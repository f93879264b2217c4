import type { components } from '../client/api';
import { withAmounts } from './format';

type Problem = components['schemas']['Problem'];
/** The API's codes, and the console's own: no response, one without an explanation, and a cookie that was not stored. */
type Code = Problem['code'] | 'unreachable' | 'unreadable' | 'no_cookie';

/** The text for an operator; null if the API's own text is suitable. */
type Words = string | ((detail: string, isChange: boolean) => string) | null;

const OUTDATED = 'Nothing was done: this page does not match the API, probably because of an update. Reload the page.';
const ASK_AGAIN = 'Nothing was done. Repeat the action to ask for a new approval.';

/** Says that a change may have been made. Trying again is safe: a dialog repeats its call with the same Idempotency-Key. */
function orDone(detail: string, isChange: boolean): string {
  return isChange ? `${detail} It is not known whether it was done. Try again here: it is done only once.` : detail;
}

/** Every code. The API's texts are for programs, too: an operator sees no headers, cursors or Idempotency-Keys. */
const WORDS: Readonly<Record<Code, Words>> = {
  invalid_request: null,
  unauthenticated: null,
  forbidden: null,
  limit_exceeded: null,
  csrf_failed: 'Nothing was done: this page belongs to an earlier session. Reload it, and do it again.',
  not_found: null,
  method_not_allowed: OUTDATED,
  not_acceptable: OUTDATED,
  state_conflict: null,
  amount_change_not_allowed: null,
  retry_not_allowed: null,
  refund_not_allowed: null,
  capture_not_allowed: null,
  token_used: (detail) => `${detail.replace('The token', 'This dry run')} It was not started again.`,
  selection_changed: null,
  approval_required: null,
  approval_rejected: (detail) => `${detail} Nothing was done.`,
  approval_expired: `The approval has expired: it was valid for 24 hours. ${ASK_AGAIN}`,
  approval_used: (detail) => `${detail} It was not carried out again.`,
  approval_mismatch: `The approval is for another request. ${ASK_AGAIN}`,
  halted: null,
  idempotency_in_progress:
    'The first attempt at this action is still running. Wait a moment, then try again here: it is done only once.',
  request_timeout: 'The request arrived too slowly, and nothing was done. Try again.',
  cursor_expired: 'This page of the list is no longer stored. Go to the first page.',
  payload_too_large: 'The input is too large, and nothing was done. Shorten it.',
  unsupported_media_type: OUTDATED,
  idempotency_key_reused:
    'An earlier attempt with different input got no response and may have been carried out. This one was not. Close the dialog and check the current state before you repeat it.',
  rate_limited: null,
  internal: orDone,
  payment_service_unavailable: null,
  not_ready: (detail) => detail.replace('with the same Idempotency-Key', 'here'),
  unreachable: orDone,
  unreadable: orDone,
  no_cookie: null,
};

/**
 * What went wrong, in words for an operator.
 * @param isChange whether a dialog's action failed, which can be repeated there
 */
export function explain(
  { code, detail }: { readonly code: string; readonly detail: string },
  isChange = false,
): string {
  const words = Object.hasOwn(WORDS, code) ? WORDS[code as Code] : null;
  if (typeof words === 'string') return words;
  return withAmounts(words === null ? detail : words(detail, isChange));
}
