import type { EventData } from '../../src/domain/audit/event';
import type { EventType } from '../../src/domain/audit/events';

const AMOUNT = { value: 1999, currency: 'EUR' };
const MORE = { value: 2999, currency: 'EUR' };
const DUE = '2027-03-31T09:00:00.000Z';
const CLOSED = '2027-04-05T09:00:00.000Z';
const LIMIT = '2027-04-03T09:01:30.000Z';
const FAILED = '2027-03-31T09:02:00.000Z';

const cycle = { cycle: 3, dueAt: DUE, collectBy: CLOSED, amount: AMOUNT };
const attempt = { cycle: 3, attempt: 0, send: 0 };
const change = { amount: MORE, previousAmount: AMOUNT, fromCycle: 3, effectiveAt: DUE, kind: 'increase' };
const refund = { refundId: 'ref_1', cycle: 3, amount: AMOUNT, captureId: 'cap_1', send: 0 };

/** An entry of every type as the program writes it, and how it is described; the actor is `till`. */
export const AUDIT_SAMPLES: Readonly<Record<EventType, readonly [data: EventData, text: string]>> = {
  'subscription.requested': [
    { amount: AMOUNT, repetition: 'MONTHLY', firstPaymentAt: DUE, endAt: null, replaces: null },
    'till requested a monthly subscription of 19.99 EUR, first due on 31 March 2027 at 09:00 UTC.',
  ],
  'subscription.imported': [
    { paymentId: 'pay_1', repetition: 'HALF_YEARLY', amount: AMOUNT, cycle: 3, dueAt: DUE },
    'till took over a consent that was granted elsewhere: half-yearly, 19.99 EUR. The first cycle collected here is cycle 3, due on 31 March 2027 at 09:00 UTC.',
  ],
  'subscription.paused': [
    { until: CLOSED, reason: 'holiday' },
    'till paused the subscription until 5 April 2027 at 09:00 UTC. Cycles that fall due during the pause are skipped for good. Reason: holiday.',
  ],
  'subscription.resumed': [
    { since: DUE, at: CLOSED, reason: null },
    'till resumed the subscription, paused since 31 March 2027 at 09:00 UTC. Cycles due from 5 April 2027 at 09:00 UTC on are collected; nothing is collected for those skipped.',
  ],
  'subscription.cancel_requested': [
    { reason: 'moved away' },
    'till asked to cancel the subscription. No new attempt starts from now on, and the consent is being ended at the service. Reason: moved away.',
  ],
  'subscription.cancelled': [
    { cancelledBy: 'payer', reason: 'cancelled_by_payer' },
    'The consent has been ended by the payer; the subscription is cancelled. Nothing further is collected. Reason: cancelled_by_payer.',
  ],
  'subscription.orphaned': [{}, 'No workflow is running for the subscription, though it has not ended. Restart it.'],
  'subscription.restarted': [
    { revision: 3, reason: 'Temporal was restored' },
    'till restarted the workflow of the subscription from the ledger. Reason: Temporal was restored.',
  ],
  'subscription.completed': [
    { cycles: 12 },
    'Every cycle is final and nothing is open: after 12 cycles the subscription is completed.',
  ],
  'subscription.replacement_requested': [
    { by: 'sub_2', from: DUE },
    'Subscription sub_2 is to replace this one. Cycles due from 31 March 2027 at 09:00 UTC on are left to it.',
  ],
  'subscription.replacement_failed': [
    { by: 'sub_2' },
    'Subscription sub_2 was cancelled, or its consent was not given, so it does not replace this one.',
  ],
  'subscription.replaced': [
    { by: 'sub_2', from: DUE },
    'Subscription sub_2 is active and replaces this one from 31 March 2027 at 09:00 UTC on. This one is cancelled.',
  ],
  'consent.requested': [
    { paymentId: 'pay_1' },
    'The service has opened the consent session of payment pay_1. The payer has 10 minutes to answer.',
  ],
  'consent.granted': [
    { cycle: 0, dueAt: DUE, amount: AMOUNT },
    'The payer has given the consent: the subscription is active. The first payment of 19.99 EUR is due on 31 March 2027 at 09:00 UTC.',
  ],
  'consent.failed': [
    { reason: 'declined' },
    'The payer declined the consent: the consent was not given. A new subscription is needed.',
  ],
  'attention.changed': [
    { was: ['unresolved:3'], is: [] },
    'Nothing needs attention any more. Before: unresolved (cycle 3).',
  ],
  'attention.acknowledged': [
    { items: ['capture_failed:3', 'amount_change_dropped'], reason: 'called the bank' },
    'till acknowledged the attention items: capture failed (cycle 3), amount change dropped. Reason: called the bank.',
  ],
  'request.refused': [
    { request: 'retry', cycle: 3, code: 'retry_not_allowed', message: 'the time for retries has passed' },
    'till asked for a retry (cycle 3); it was refused: the time for retries has passed.',
  ],
  'amount_change.accepted': [
    { ...change, countsAsIncrease: true, replaces: change, reason: 'new tariff' },
    'till changed the amount from 19.99 EUR to 29.99 EUR from cycle 3 on, due on 31 March 2027 at 09:00 UTC. It is an increase that counts: the next is allowed six months later. It replaces the pending change. Reason: new tariff.',
  ],
  'amount_change.withdrawn': [
    { ...change, reason: null },
    'till withdrew the change to 29.99 EUR from cycle 3 on, due on 31 March 2027 at 09:00 UTC. 19.99 EUR is collected as before.',
  ],
  'amount_change.dropped': [
    { ...change, cycle: 3, reason: 'not_announced' },
    'The change to 29.99 EUR was dropped when cycle 3 was about to collect it: the payer could not be notified of the increase in time. 19.99 EUR is collected, and operators are alerted.',
  ],
  'amount_change.refused': [
    { amount: MORE, fromCycle: 3, rule: 'cap', message: '29.99 EUR is not allowed' },
    'till asked for 29.99 EUR from cycle 3 on; it was refused: 29.99 EUR is not allowed.',
  ],
  'amount_change.announcing': [
    { cycle: 3, amount: MORE, previousAmount: AMOUNT, dueAt: DUE },
    'The payer is being notified that cycle 3, due on 31 March 2027 at 09:00 UTC, collects 29.99 EUR instead of 19.99 EUR.',
  ],
  'amount_change.notice_delivered': [
    { ...change, at: FAILED },
    'The payer was notified of the increase to 29.99 EUR from cycle 3 on, due on 31 March 2027 at 09:00 UTC; the notice was delivered on 31 March 2027 at 09:02 UTC.',
  ],
  'amount_change.notice_undeliverable': [
    { ...change, reason: 'no channel' },
    'The payer could not be notified of the increase to 29.99 EUR from cycle 3 on, due on 31 March 2027 at 09:00 UTC, so it will not be collected. Reason: no channel.',
  ],
  'amount_change.applied': [
    { cycle: 3, amount: MORE, previousAmount: AMOUNT },
    'Cycle 3 was collected at 29.99 EUR; the amount before was 19.99 EUR.',
  ],
  'cycle.upcoming': [cycle, 'Cycle 3 falls due on 31 March 2027 at 09:00 UTC: 19.99 EUR will be collected.'],
  'cycle.collected': [
    { ...cycle, attempt: 1, authorizationId: 'aut_1', captureId: 'cap_1' },
    'Cycle 3, due on 31 March 2027 at 09:00 UTC, was collected: 19.99 EUR, at retry 1. The debit is capture cap_1.',
  ],
  'cycle.collected_late': [
    { ...cycle, outcome: 'collected' },
    'Cycle 3, due on 31 March 2027 at 09:00 UTC, was collected after all: 19.99 EUR. Its authorization had been pending when the window closed.',
  ],
  'cycle.dunning': [
    {
      ...cycle,
      attempt: 0,
      detail: 'AUTHORIZATION_REJECTION_RETRYABLE',
      retriesLeft: 3,
      firstFailureAt: FAILED,
      retryAt: '2027-04-01T09:02:00.000Z',
      because: 'planned',
      retryUntil: LIMIT,
    },
    'The first attempt of cycle 3 was refused: AUTHORIZATION_REJECTION_RETRYABLE. The payer is notified, and retry 1 is due on 1 April 2027 at 09:02 UTC, as planned. The first failure was on 31 March 2027 at 09:02 UTC. No retry is sent at or after 3 April 2027 at 09:01:30 UTC.',
  ],
  'cycle.skipped': [
    { ...cycle, reason: 'paused', pause: { since: FAILED, until: null } },
    'Cycle 3 was due on 31 March 2027 at 09:00 UTC; its window closed on 5 April 2027 at 09:00 UTC while the subscription was paused. It was skipped for good.',
  ],
  'cycle.missed': [
    { ...cycle, reason: 'window_closed' },
    'Cycle 3 was due on 31 March 2027 at 09:00 UTC; its window closed on 5 April 2027 at 09:00 UTC. No attempt has reached the bank, so it is missed; it is not collected later.',
  ],
  'cycle.failed': [
    {
      ...cycle,
      reason: 'retries_used',
      rejection: { attempt: 3, detail: 'AUTHORIZATION_REJECTION_RETRYABLE', at: FAILED },
    },
    'Cycle 3, due on 31 March 2027 at 09:00 UTC, has failed: all retries have been used. After 4 attempts the last answer was AUTHORIZATION_REJECTION_RETRYABLE, on 31 March 2027 at 09:02 UTC.',
  ],
  'cycle.unresolved': [
    { ...cycle, attempt: 0, reason: 'the service lists aut_9, which does not fit' },
    'It is unknown whether the first attempt of cycle 3 made a debit: the service lists aut_9, which does not fit. Nothing later is sent until that is settled. Checking continues, and an admin may resolve it.',
  ],
  'cycle.resolved': [
    { ...cycle, attempt: 0, outcome: 'collected', evidence: 'statement of 2 April' },
    'till resolved cycle 3 as collected. Evidence: statement of 2 April.',
  ],
  'cycle.skip_requested': [
    { ...cycle, reason: 'agreed by phone' },
    'till asked to skip cycle 3, due on 31 March 2027 at 09:00 UTC; it will not be collected. Reason: agreed by phone.',
  ],
  'cycle.postponed': [
    { ...cycle, postponedUntil: LIMIT, reason: 'salary on the 3rd' },
    'till postponed the first attempt of cycle 3, due on 31 March 2027 at 09:00 UTC, until 3 April 2027 at 09:01:30 UTC. Reason: salary on the 3rd.',
  ],
  'payment_link.created': [
    { cycle: 3, amount: AMOUNT, linkPaymentId: 'pay_2', expiresAt: LIMIT, reason: 'asked by phone' },
    'till created a link by which the payer can pay the 19.99 EUR of cycle 3, until 3 April 2027 at 09:01:30 UTC. It is payment pay_2. Reason: asked by phone.',
  ],
  'payment_link.paid': [
    { cycle: 3, amount: AMOUNT, linkPaymentId: 'pay_2', captureId: 'cap_2', isSecondDebit: true },
    'The payer has paid cycle 3 by link: 19.99 EUR. The debit is capture cap_2 of payment pay_2. The cycle had been collected meanwhile: the payer was debited twice.',
  ],
  'cycle.retry_requested': [
    { cycle: 3, retryUntil: LIMIT, reason: 'salary has come' },
    'till requested an immediate retry of cycle 3. It is made at least a minute after the notice to the payer, and nothing is sent at or after 3 April 2027 at 09:01:30 UTC. Reason: salary has come.',
  ],
  'attempt.sending': [
    {
      ...cycle,
      attempt: 1,
      send: 0,
      sendBefore: LIMIT,
      consentReadAt: FAILED,
      listed: 2,
      why: { because: 'planned', firstFailureAt: FAILED, noticeAt: FAILED },
    },
    'Retry 1 of cycle 3 is sent now, for 19.99 EUR: its planned time has come. Its cycle was due on 31 March 2027 at 09:00 UTC; nothing is sent at or after 3 April 2027 at 09:01:30 UTC. The payer was notified of the previous failure on 31 March 2027 at 09:02 UTC. The consent was read as successful on 31 March 2027 at 09:02 UTC, and nothing that the service listed prevented it.',
  ],
  'attempt.pending': [
    { ...attempt, authorizationId: 'aut_1', createdAt: FAILED },
    'The service has the first attempt of cycle 3 as authorization aut_1; the bank has not decided yet. It is polled until it is final.',
  ],
  'attempt.successful': [
    { ...attempt, authorizationId: 'aut_1', captureId: 'cap_1', createdAt: FAILED },
    'The first attempt of cycle 3 succeeded: authorization aut_1 went through, and so did its debit, cap_1.',
  ],
  'attempt.rejected_retryable': [
    { ...attempt, detail: 'AUTHORIZATION_REJECTION_RETRYABLE', description: 'Contact the payer.' },
    'The first attempt of cycle 3 was refused with AUTHORIZATION_REJECTION_RETRYABLE, which may be retried once the payer has been notified. The service says: Contact the payer.',
  ],
  'attempt.rejected': [
    { ...attempt, detail: 'ACCOUNT_CLOSED', description: 'The account is closed' },
    'The first attempt of cycle 3 was refused with ACCOUNT_CLOSED, which is final. The service says: The account is closed.',
  ],
  'attempt.rejected_finally': [
    { ...attempt, detail: 'ACCOUNT_CLOSED' },
    'The first attempt of cycle 3 was refused with ACCOUNT_CLOSED: it may not be retried, and operators are alerted.',
  ],
  'attempt.capture_failed': [
    { ...attempt, authorizationId: 'aut_1', detail: 'CAPTURE_FAILED' },
    'The first attempt of cycle 3 was authorized, but its debit failed: CAPTURE_FAILED. It is not authorized again automatically.',
  ],
  'attempt.not_sent': [
    { ...attempt, reason: 'HTTP 403' },
    'The first attempt of cycle 3 did not reach the bank. Reason: HTTP 403.',
  ],
  'attempt.unknown': [
    { ...attempt, attempt: 2, reason: 'time-out after the first byte', sinceReal: FAILED },
    'Whether retry 2 of cycle 3 reached the bank is not known. The service is asked for the outcome; nothing is sent again until it is settled. Reason: time-out after the first byte.',
  ],
  'attempt.unresolved': [
    { ...attempt, reason: 'the service lists aut_9, which does not fit' },
    "The outcome of the first attempt of cycle 3 cannot be determined from the service's answers. Reason: the service lists aut_9, which does not fit.",
  ],
  'attempt.contradicted': [
    { ...attempt, recorded: { state: 'not_sent' }, found: { state: 'successful' } },
    'The first attempt of cycle 3 is not sent in the ledger, and the service now says successful. The recorded state is kept; an operator must review it.',
  ],
  'attempt.pending_past_window': [
    { ...cycle, attempt: 0 },
    'The first attempt of cycle 3 is still pending as its window closes, on 5 April 2027 at 09:00 UTC. Polling continues, and later cycles are not held up.',
  ],
  'attempt.unknown_past_window': [
    { ...cycle, attempt: 1 },
    'The outcome of retry 1 of cycle 3 is still unknown as its window closes, on 5 April 2027 at 09:00 UTC. Checking continues, and no later cycle is sent until it is settled.',
  ],
  'attempt.settled_absent': [
    { ...attempt },
    'The first attempt of cycle 3 is settled: the service has no such debit. The next step is decided as if it had not been sent.',
  ],
  'attempt.recovered': [
    {
      ...attempt,
      amount: { value: 1999, currency: 'EUR' },
      authorizationId: 'aut-1',
      createdAt: '2027-03-31T09:00:00.000Z',
    },
    'The ledger was restored and lacked the first attempt of cycle 3, 19.99 EUR: the service has it as authorization aut-1, made on 31 March 2027 at 09:00 UTC. It is recorded as the service has it, and not sent again.',
  ],
  'attempt.adopted': [
    {
      ...attempt,
      amount: { value: 1999, currency: 'EUR' },
      authorizationId: 'aut-1',
      createdAt: '2027-03-28T15:00:00.000Z',
    },
    'Another system has collected cycle 3, 19.99 EUR: the service lists authorization aut-1, created on 28 March 2027 at 15:00 UTC. It counts as the debit of this cycle; dueday sends none.',
  ],
  'attempt.reopened': [
    { ...attempt, authorizationId: 'aut-1', found: { status: 'successful' } },
    'The first attempt of cycle 3 had been refused, and the service now shows authorization aut-1 as successful. It is followed again; nothing else is sent for its cycle meanwhile.',
  ],
  'attempt.refused_again': [
    { ...attempt, authorizationId: 'aut-1' },
    'The first attempt of cycle 3 was refused again: authorization aut-1. Dunning continues from its first refusal.',
  ],
  'attempt.unlisted': [
    { ...attempt, authorizationId: 'aut-1' },
    'The service no longer lists authorization aut-1 of the first attempt of cycle 3, which is pending. It is still polled and holds up no later cycle; an admin may resolve it.',
  ],
  'attempt.unknown_status': [
    { ...attempt, authorizationId: 'aut-1', status: 'refunded' },
    'The service lists authorization aut-1 of the first attempt of cycle 3 with the unknown status refunded. It counts as pending.',
  ],
  'attempt.clocks_differ': [
    { ...attempt, reason: 'the clock of the service is 75 s or more behind ours' },
    'The first attempt of cycle 3 waits: the clock of the service is 75 s or more behind ours. Nothing is sent until both clocks agree to within a minute.',
  ],
  'attempt.halted': [
    { cycle: 3, attempt: 0 },
    'The first attempt of cycle 3 waits: all sending is halted. It is made once the halt is lifted, if its window allows.',
  ],
  'authorizations.unreadable': [
    { ...attempt, reason: 'HTTP 503' },
    "The first attempt of cycle 3 waits: the service's list of authorizations cannot be read, so nothing may be sent. Reason: HTTP 503.",
  ],
  'consent.unreadable': [
    { ...attempt, attempt: 1, reason: 'pending again' },
    'Retry 1 of cycle 3 waits: the consent cannot be read as successful, so nothing may be sent. Reason: pending again.',
  ],
  'refund.requested': [
    { ...refund, reason: 'damaged' },
    'till ordered a refund of 19.99 EUR of cycle 3. Reason: damaged.',
  ],
  'refund.refused': [
    { ...refund, rule: 'exceeds_captured', message: 'At most 5.00 EUR may be refunded.' },
    'till asked to refund 19.99 EUR of cycle 3; it was refused: At most 5.00 EUR may be refunded.',
  ],
  'refund.sending': [
    { ...refund, listed: 0 },
    'The refund of cycle 3 of 19.99 EUR is sent now, for capture cap_1. Nothing that the service listed prevented it.',
  ],
  'refund.pending': [
    { ...refund, serviceRefundId: 'srf_1' },
    'The service has the refund of cycle 3 as srf_1, and it is pending.',
  ],
  'refund.successful': [{ ...refund, serviceRefundId: 'srf_1' }, 'The refund of cycle 3 was made: 19.99 EUR.'],
  'refund.failed': [
    { ...refund, detail: 'REFUND_FAILED', description: 'account closed' },
    'The refund of cycle 3 has failed: REFUND_FAILED. The service says: account closed.',
  ],
  'refund.not_sent': [
    { ...refund, reason: 'connection refused' },
    'The refund of cycle 3 did not reach the service. Reason: connection refused.',
  ],
  'refund.unknown': [
    { ...refund, reason: 'connection reset' },
    'Whether the refund of cycle 3 reached the service is not known. The service is asked; nothing is sent again until that is settled. Reason: connection reset.',
  ],
  'refund.unresolved': [
    { ...refund, reason: 'two refunds fit' },
    "The outcome of the refund of cycle 3 cannot be determined from the service's answers. Reason: two refunds fit.",
  ],
  'refund.resolved': [
    { ...refund, outcome: 'failed', evidence: 'statement of 2 April' },
    'till resolved the refund of cycle 3 as failed. Evidence: statement of 2 April.',
  ],
  'refund.contradicted': [
    { ...refund, recorded: { state: 'failed' }, found: { state: 'successful' } },
    'The refund of cycle 3 is failed in the ledger, and the service now says successful. The recorded state is kept; an operator must review it.',
  ],
  'refund.stopped': [
    { refundId: 'ref_1', cycle: 3, reason: 'the service lists srf_9, which the ledger lacks' },
    'The refund of cycle 3 is stopped: the service lists srf_9, which the ledger lacks. If it were sent, the same refund could be made twice.',
  ],
  'refund.overdue': [
    { refundId: 'ref_1', cycle: 3, reason: 'the service still says pending, past 5 April' },
    'The refund of cycle 3 is overdue: the service has accepted it, and does not report its outcome. Checking continues, and an admin may resolve it meanwhile. Reason: the service still says pending, past 5 April.',
  ],
  'refund.unknown_status': [
    { refundId: 'ref_1', cycle: 3, serviceRefundId: 'srf_1', status: 'on_hold' },
    'The service lists the refund of cycle 3 with the unknown status on_hold. It counts as pending.',
  ],
  'refund.cannot_be_sent': [
    { refundId: 'ref_1', cycle: 3, reason: 'HTTP 403' },
    'The refund of cycle 3 cannot be sent at present and will be tried again. Reason: HTTP 403.',
  ],
  'refund.clocks_differ': [
    { refundId: 'ref_1', cycle: 3, reason: 'the clock of the service is 75 s or more behind ours' },
    'The refund of cycle 3 waits: the clock of the service is 75 s or more behind ours. Nothing is sent until both clocks agree to within a minute.',
  ],
  'refund.halted': [
    { refundId: 'ref_1', cycle: 3 },
    'The refund of cycle 3 waits: all sending is halted. It is made once the halt is lifted.',
  ],
  'refunds.unreadable': [
    { refundId: 'ref_1', cycle: 3, reason: 'HTTP 503' },
    "The refund of cycle 3 waits: the service's list of refunds cannot be read. Reason: HTTP 503.",
  ],
  'payment.requested': [
    { plan: 'EVENT_DEPENDENT', amount: AMOUNT },
    'till requested a payment of 19.99 EUR, Event Dependent.',
  ],
  'payment.consent_granted': [{}, 'The payer has given consent.'],
  'payment.consent_failed': [{ reason: 'declined' }, 'The payer has not given consent. Reason: declined.'],
  'payment.authorized': [
    { amount: AMOUNT, authorizationId: 'aut_1', captureBy: CLOSED },
    "The payer's bank has authorized 19.99 EUR. Captures must arrive before 5 April 2027 at 09:00 UTC.",
  ],
  'payment.failed': [
    { detail: 'AUTHORIZATION_REJECTION_FINAL', description: 'limit' },
    'The payment has failed: AUTHORIZATION_REJECTION_FINAL. The service says: limit.',
  ],
  'payment.unknown_status': [
    { authorizationId: 'aut_1', status: 'on_hold' },
    'The service lists authorization aut_1 of the payment with the unknown status on_hold. It counts as pending.',
  ],
  'payment.captured': [{ amount: AMOUNT, captureId: 'cap_1' }, 'The service has booked the payment: 19.99 EUR.'],
  'payment.deadline_near': [
    { remaining: AMOUNT, captureBy: CLOSED },
    '19.99 EUR is not captured yet, and can be captured until 5 April 2027 at 09:00 UTC.',
  ],
  'payment.release_requested': [
    { amount: AMOUNT, reason: 'out of stock' },
    'till ordered the release of 19.99 EUR: nothing will be captured. Reason: out of stock.',
  ],
  'payment.release_refused': [
    { message: 'The payment has a capture.' },
    'till asked for a release; it was refused: The payment has a capture.',
  ],
  'payment.release_unresolved': [
    { authorizationId: 'aut_1', reason: 'DELETE: refused with STATE_CONFLICT' },
    'The service does not release the authorization. It is asked again until the deadline; then the authorization expires. Reason: DELETE: refused with STATE_CONFLICT.',
  ],
  'payment.released': [{}, 'The service has released the authorization: the payer is not debited.'],
  'payment.orphaned': [{}, 'No workflow is running for the payment, though it has not ended. Restart it.'],
  'payment.restarted': [
    { reason: 'Temporal was restored' },
    'till restarted the workflow of the payment from the ledger. Reason: Temporal was restored.',
  ],
  'payment.expired': [
    { captureBy: CLOSED, captured: AMOUNT },
    'The deadline of 5 April 2027 at 09:00 UTC has passed: nothing more can be captured. 19.99 EUR was captured.',
  ],
  'capture.requested': [
    { orderId: 'cap_1', amount: AMOUNT, finalCapture: true },
    'till ordered a capture of 19.99 EUR. It is the final one: the remainder is released.',
  ],
  'capture.refused': [
    { amount: AMOUNT, rule: 'exceeds_authorized', message: 'At most 5.00 EUR may be captured.' },
    'till asked to capture 19.99 EUR; it was refused: At most 5.00 EUR may be captured.',
  ],
  'capture.sending': [
    { orderId: 'cap_1', send: 0, amount: AMOUNT, listed: 0 },
    'The capture of 19.99 EUR is sent now. Nothing that the service listed prevented it.',
  ],
  'capture.pending': [
    { orderId: 'cap_1', captureId: 'cpt_1' },
    'The service has the capture as cpt_1, and it is pending.',
  ],
  'capture.successful': [{ orderId: 'cap_1', amount: AMOUNT }, 'The capture was made: 19.99 EUR.'],
  'capture.failed': [
    { orderId: 'cap_1', detail: 'CAPTURE_PERIOD_ENDED', description: 'too late' },
    'The capture has failed: CAPTURE_PERIOD_ENDED. The service says: too late.',
  ],
  'capture.not_sent': [
    { orderId: 'cap_1', reason: 'connection refused' },
    'The capture did not reach the service. Reason: connection refused.',
  ],
  'capture.unknown': [
    { orderId: 'cap_1', reason: 'connection reset' },
    'Whether the capture reached the service is not known. The service is asked; nothing is sent again until that is settled. Reason: connection reset.',
  ],
  'capture.unresolved': [
    { orderId: 'cap_1', reason: 'two captures fit' },
    "The outcome of the capture cannot be determined from the service's answers. Reason: two captures fit.",
  ],
  'capture.resolved': [
    { orderId: 'cap_1', outcome: 'successful', captureId: 'cpt_1', evidence: 'statement of 2 April' },
    'till resolved the capture as successful. Evidence: statement of 2 April.',
  ],
  'capture.contradicted': [
    { orderId: 'cap_1', recorded: { state: 'failed' }, found: { state: 'successful' } },
    'The capture is failed in the ledger, and the service now says successful. The recorded state is kept; an operator must review it.',
  ],
  'capture.stopped': [
    { orderId: 'cap_1', reason: 'the service lists cpt_9, which the ledger lacks' },
    'The capture is stopped: the service lists cpt_9, which the ledger lacks. If it were sent, the same capture could be made twice.',
  ],
  'capture.overdue': [
    { orderId: 'cap_1', reason: 'the service does not list cpt_1 any more' },
    'The capture is overdue: the service has accepted it, and does not report its outcome. Checking continues, and an admin may resolve it meanwhile. Reason: the service does not list cpt_1 any more.',
  ],
  'capture.unknown_status': [
    { orderId: 'cap_1', captureId: 'cpt_1', status: 'on_hold' },
    'The service lists the capture with the unknown status on_hold. It counts as pending.',
  ],
  'capture.cannot_be_sent': [
    { orderId: 'cap_1', reason: 'HTTP 403' },
    'The capture cannot be sent at present and will be tried again. Reason: HTTP 403.',
  ],
  'capture.clocks_differ': [
    { orderId: 'cap_1', reason: 'the clock of the service is 75 s or more ahead of ours' },
    'The capture waits: the clock of the service is 75 s or more ahead of ours. Nothing is sent until both clocks agree to within a minute.',
  ],
  'capture.halted': [
    { orderId: 'cap_1' },
    'The capture waits: all sending is halted. It is made once the halt is lifted, if its deadline allows.',
  ],
  'captures.unreadable': [
    { orderId: 'cap_1', reason: 'HTTP 503' },
    "The capture waits: the service's list of captures cannot be read. Reason: HTTP 503.",
  ],
  'notice.delivered': [
    { type: 'payment.failed', cycle: 3, attempt: 0, channel: 'webhook' },
    'The webhook has accepted the notice of a failed payment (cycle 3): it counts as delivered.',
  ],
  'notice.resend_requested': [
    { type: 'payment.failed', cycle: 3, state: 'undeliverable' },
    'till asked for the notice of a failed payment (cycle 3) to be delivered again.',
  ],
  'payer.changed': [{ fields: ['email', 'language'] }, "till changed the payer's data: email, language."],
  'payer.erased': [
    { reason: 'asked for by letter', subscriptions: 2, payments: 1, drafts: 0, keptAnswers: 3, events: 14 },
    'till erased a payer (subscriptions: 2, one-time payments: 1). Records of money are kept. Reason: asked for by letter.',
  ],
  'notice.undeliverable': [
    { type: 'subscription.paused', cycle: null, error: 'not delivered for a week' },
    'Delivery of the notice of the pause was given up. Reason: not delivered for a week.',
  ],
  'alert.outcome_unknown': [
    { of: 'attempt', cycle: 3, attempt: 0, send: 0, amount: AMOUNT, since: FAILED },
    'The outcome of an attempt (cycle 3), 19.99 EUR, has been unknown since 31 March 2027 at 09:02 UTC (real time). Checking continues, and nothing is sent again until it is settled.',
  ],
  'alert.sent_without_answer': [
    { of: 'attempt', cycle: 3, sends: 3 },
    'An attempt (cycle 3) was sent 3 times without a readable answer, and the service has not listed any of these sends. A third such send of one attempt is its last: dueday then only asks the service. Ask the payment service provider.',
  ],
  'alert.window_closing': [
    { cycle: 3, dueAt: DUE, collectBy: CLOSED, status: 'dunning' },
    'The window of cycle 3, due on 31 March 2027 at 09:00 UTC, closes on 5 April 2027 at 09:00 UTC, and the cycle is still dunning.',
  ],
  'reconciliation.started': [
    { jobId: 'run-1', from: DUE, to: CLOSED },
    'till started to compare ledger and service, from 31 March 2027 at 09:00 UTC to 5 April 2027 at 09:00 UTC.',
  ],
  'reconciliation.stopped': [
    { jobId: 'run-1', from: DUE, to: CLOSED },
    'till stopped the comparison of ledger and service from 31 March 2027 at 09:00 UTC to 5 April 2027 at 09:00 UTC.',
  ],
  'reconciliation.difference': [
    { text: 'The service has a debit that no attempt of ours explains.' },
    'The service has a debit that no attempt of ours explains.',
  ],
  'hold.created': [
    { holdId: 'hold_1', until: LIMIT, matched: 12, reason: 'the bank is down' },
    'till put 12 subscriptions on hold until 3 April 2027 at 09:01:30 UTC. No attempt of theirs begins before; their due dates remain. Reason: the bank is down.',
  ],
  'hold.lifted': [
    { holdId: 'hold_1', reason: 'the bank is back' },
    'till lifted the hold hold_1. What is still inside its window is sent. Reason: the bank is back.',
  ],
  'hold.ended': [
    { holdId: 'hold_1', until: LIMIT },
    'The hold hold_1 ended automatically on 3 April 2027 at 09:01:30 UTC.',
  ],
  'subscription.held': [
    { holdId: 'hold_1', until: LIMIT },
    'till put the subscription on hold until 3 April 2027 at 09:01:30 UTC, with others that a filter matched. No attempt begins before; its due dates remain. It is hold_1, whose entry has the reason.',
  ],
  'subscription.hold_lifted': [{ holdId: 'hold_1' }, 'till lifted the hold hold_1.'],
  'halt.started': [
    { reason: 'wrong amounts' },
    'till halted all sending: nothing is debited, captured or refunded until the halt is lifted. Reason: wrong amounts.',
  ],
  'halt.lifted': [
    { reason: null, since: DUE, by: 'ada' },
    'till lifted the halt of ada, which had been in force since 31 March 2027 at 09:00 UTC. What is still inside its window is sent.',
  ],
  'ledger.copied': [
    { reason: 'a copy for tests', endpoints: 2, notices: 3 },
    'till declared this ledger a copy: 2 endpoints were deleted, 3 notices closed, and the credentials of the original are refused. Reason: a copy for tests.',
  ],
  'temporal.accepted': [
    { namespaceId: 'n-2', was: 'n-1', reason: 'Temporal was set up again' },
    'till accepted the Temporal namespace n-2 as the one in which the workflows of this ledger run. Before, it was n-1. Reason: Temporal was set up again.',
  ],
  'key.created': [
    {
      name: 'shop',
      role: 'operator',
      holder: 'Ada',
      scopes: ['refunds'],
      refundPerDay: AMOUNT,
      reason: 'the new till',
    },
    'till created the key shop with the role operator. Its holder is Ada. Its scopes are: refunds. It may refund up to 19.99 EUR in 24 hours. Reason: the new till.',
  ],
  'attention.assigned': [
    { item: 'att_1', kind: 'refund_unresolved', assignee: 'Mia' },
    'till assigned refund unresolved (att_1) to Mia.',
  ],
  'attention.noted': [
    { item: 'att_1', kind: 'debit_unknown', note: 'asked the bank' },
    'till noted on debit unknown (att_1): asked the bank.',
  ],
  'attention.closed': [
    { item: 'att_1', kind: 'debit_unknown', reason: 'the old till' },
    'till closed debit unknown (att_1). Reason: the old till.',
  ],
  'bulk.started': [
    { jobId: 'job-1', action: 'pause', total: 40 },
    'till asked for pause of 40 subscriptions at once. It is job job-1; the audit log of each subscription shows the outcome.',
  ],
  'bulk.stopped': [
    { jobId: 'job-1', action: 'pause', done: 7, total: 40 },
    'till stopped job job-1 after 7 of 40 subscriptions.',
  ],
  'metadata.changed': [
    { keys: ['order', 'shop'], was: { order: '17' }, is: { shop: 'north' } },
    'till changed the metadata: order, shop.',
  ],
  'approval.requested': [
    { approvalId: 'apr-1', operation: 'refundCycle', amount: AMOUNT, holder: 'Grace Hopper', expiresAt: DUE },
    'till (Grace Hopper) asked for a refund of 19.99 EUR (approval apr-1): a second person must approve it before 31 March 2027 at 09:00 UTC (real time).',
  ],
  'approval.approved': [
    { approvalId: 'apr-1', operation: 'bulk', amount: null, requestedBy: 'shop', holder: 'Ada', reason: 'as agreed' },
    'till (Ada) approved what shop asked for: a bulk action on subscriptions (approval apr-1). Reason: as agreed.',
  ],
  'approval.rejected': [
    { approvalId: 'apr-1', operation: 'createKey', amount: null, requestedBy: 'shop', holder: null, reason: 'why?' },
    'till rejected what shop asked for: an admin key (approval apr-1). Reason: why?',
  ],
  'approval.used': [
    { approvalId: 'apr-1', operation: 'capturePayment', amount: AMOUNT, decidedBy: 'Ada' },
    'till used the approval of Ada for a capture of 19.99 EUR (approval apr-1). It permits no other request.',
  ],
  'key.rotated': [
    { name: 'shop', role: 'operator', until: DUE, reason: null },
    'till rotated the key shop; the previous one expires on 31 March 2027 at 09:00 UTC (real time).',
  ],
  'key.superseded': [
    { name: 'bootstrap', role: 'admin', expiresAt: DUE },
    'The key bootstrap expires on 31 March 2027 at 09:00 UTC (real time): there is another admin key. Remove ADMIN_BOOTSTRAP_KEY.',
  ],
  'key.revoked': [
    { name: 'shop', role: 'operator', reason: null, address: '192.0.2.7' },
    'till revoked the key shop. From 192.0.2.7.',
  ],
  'session.opened': [
    { session: '0a1b2c3d4e5f', keyId: 'key-1', role: 'operator', endsAt: CLOSED },
    'till signed in to the console with the role operator. Session 0a1b2c3d4e5f ends on 5 April 2027 at 09:00 UTC (real time) at the latest.',
  ],
  'session.ended': [
    { session: '0a1b2c3d4e5f', keyId: 'key-1', name: 'till', reason: 'signed_out', endedAt: DUE },
    'till signed out of the console: session 0a1b2c3d4e5f has ended.',
  ],
  'access.refused': [
    { code: 'forbidden', address: '192.0.2.7', route: 'GET /v1/keys', count: 3, firstAt: DUE, lastAt: CLOSED },
    'till was refused 3 times: the role or the scopes of the key do not allow it. From 192.0.2.7. First GET /v1/keys, on 31 March 2027 at 09:00 UTC (real time). Last on 5 April 2027 at 09:00 UTC.',
  ],
  'audit.head': [
    { entries: 1204, head: '9f86d081' },
    'The hash chain of the audit log has 1204 links. The last one is 9f86d081.',
  ],
  'audit.redacted': [
    { entry: 17, fields: ['reason', 'note'], reason: 'an account number was in it' },
    'till removed text from entry 17 of the audit log: reason, note. Reason: an account number was in it.',
  ],
  'transactions.exported': [
    { type: 'refund', from: DUE, to: CLOSED, byReference: false, address: '192.0.2.7' },
    'till exported the transactions as CSV, from 31 March 2027 at 09:00 UTC until 5 April 2027 at 09:00 UTC. From 192.0.2.7.',
  ],
  'subscriptions.exported': [
    { status: 'active', filters: ['status'], withPayers: true, address: '192.0.2.7' },
    "till exported subscriptions, with their payers' data. From 192.0.2.7.",
  ],
  'failing_payers.exported': [
    { withEmails: true, address: '192.0.2.7' },
    'till exported the payers whose last due cycle was refused as CSV, with their e-mail addresses. From 192.0.2.7.',
  ],
  'endpoint.created': [
    { endpointId: 'whe_1', types: ['cycle.*', 'refund.failed'] },
    'till created the endpoint whe_1 for cycle.*, refund.failed.',
  ],
  'endpoint.changed': [{ endpointId: 'whe_1' }, 'till changed the endpoint whe_1.'],
  'endpoint.deleted': [{ endpointId: 'whe_1' }, 'till deleted the endpoint whe_1.'],
  'endpoint.secret_rotated': [
    { endpointId: 'whe_1', overlapUntil: CLOSED },
    'till gave the endpoint whe_1 a new secret. The previous secret also signs until 5 April 2027 at 09:00 UTC (real time).',
  ],
  'endpoint.disabled': [
    { endpointId: 'whe_1', reason: 'gone' },
    'The endpoint whe_1 was disabled: it answered 410 (gone). Missed events can be replayed for as long as they are kept.',
  ],
  'endpoint.recovered': [
    { endpointId: 'whe_1' },
    'The endpoint whe_1 had been disabled and is receiving events again.',
  ],
  'endpoint.tested': [
    { endpointId: 'whe_1', type: 'cycle.collected' },
    'till sent a test event cycle.collected to the endpoint whe_1.',
  ],
  'event.resent': [{ endpointId: 'whe_1', eventId: 'evt_1' }, 'till sent the event evt_1 to the endpoint whe_1 again.'],
  'events.replay_ordered': [
    { endpointId: 'whe_1', jobId: 'job-1', since: DUE, total: 12 },
    'till ordered a replay of 12 events since 31 March 2027 at 09:00 UTC to the endpoint whe_1.',
  ],
  'events.replay_stopped': [{ endpointId: 'whe_1', jobId: 'job-1' }, 'till stopped a replay to the endpoint whe_1.'],
};
