import { PROBLEMS, type ProblemCode } from '../../src/admin/http/problems';
import { explain } from '../../src/console/explain';

/** What an operator reads about each problem. `…` stands for the API's own text. */
const READ: Readonly<Record<ProblemCode, string>> = {
  invalid_request: '…',
  unauthenticated: '…',
  forbidden: '…',
  limit_exceeded: '…',
  csrf_failed: 'Nothing was done: this page belongs to an earlier session. Reload it, and do it again.',
  not_found: '…',
  method_not_allowed:
    'Nothing was done: this page does not match the API, probably because of an update. Reload the page.',
  not_acceptable: 'Nothing was done: this page does not match the API, probably because of an update. Reload the page.',
  unsupported_media_type:
    'Nothing was done: this page does not match the API, probably because of an update. Reload the page.',
  state_conflict: '…',
  amount_change_not_allowed: '…',
  retry_not_allowed: '…',
  refund_not_allowed: '…',
  capture_not_allowed: '…',
  token_used: '… It was not started again.',
  selection_changed: '…',
  approval_required: '…',
  approval_rejected: '… Nothing was done.',
  approval_expired:
    'The approval has expired: it was valid for 24 hours. Nothing was done. Repeat the action to ask for a new approval.',
  approval_used: '… It was not carried out again.',
  approval_mismatch:
    'The approval is for another request. Nothing was done. Repeat the action to ask for a new approval.',
  halted: '…',
  idempotency_in_progress:
    'The first attempt at this action is still running. Wait a moment, then try again here: it is done only once.',
  request_timeout: 'The request arrived too slowly, and nothing was done. Try again.',
  cursor_expired: 'This page of the list is no longer stored. Go to the first page.',
  payload_too_large: 'The input is too large, and nothing was done. Shorten it.',
  idempotency_key_reused:
    'An earlier attempt with different input got no response and may have been carried out. This one was not. Close the dialog and check the current state before you repeat it.',
  rate_limited: '…',
  internal: '… It is not known whether it was done. Try again here: it is done only once.',
  payment_service_unavailable: '…',
  not_ready: '…',
};

test.each(Object.keys(PROBLEMS) as ProblemCode[])('a problem %s is explained to an operator', (code) => {
  expect(explain({ code, detail: '…' }, true)).toBe(READ[code]);
});

test.each([
  'Too many concurrent reads. Try again in a few seconds.',
  'The query took too long. Narrow it, or try again later.',
  'This API process is overloaded. Try again in a few seconds.',
  'The ledger is read-only at the moment: its primary is being replaced. Nothing was done.',
])('the detail of a problem not_ready is shown unchanged: %s', (detail) => {
  expect(explain({ code: 'not_ready', detail })).toBe(detail);
});

test('the text for an operator says to repeat an action in its dialog, and does not mention the Idempotency-Key', () => {
  const detail =
    'The refund was accepted and will be made; repeat the request with the same Idempotency-Key to get its result.';
  expect(explain({ code: 'not_ready', detail })).toBe(
    'The refund was accepted and will be made; repeat the request here to get its result.',
  );
});

test.each(['internal', 'unreachable', 'unreadable'])(
  'after a problem %s, the text says only for a write that it may have been carried out',
  (code) => {
    const then = ' It is not known whether it was done. Try again here: it is done only once.';
    expect([explain({ code, detail: '…' }), explain({ code, detail: '…' }, true)]).toEqual(['…', `…${then}`]);
  },
);

test('a problem with an unknown code is shown with the API’s text, with amounts written as on the page', () => {
  expect(explain({ code: 'new_code', detail: 'At most 1019.99 EUR may be refunded: 5.00 EUR captured.' })).toBe(
    'At most €1,019.99 may be refunded: €5.00 captured.',
  );
});
