import { type EventData, type EventType, isEventType } from './event';
import * as reference from './reference';

/** The rule that a decision rests on. */
export interface CitedRule {
  /** Its number in docs/rules.md. */
  readonly decision: number;
  readonly sentence: string;
  /** Whose words they are: the payment service's description, or ours where that says nothing. */
  readonly source: 'reference' | 'dueday';
}

/** Null where the type is not known here, or nothing but a person's will decides it. */
export function citeRule(type: string, data: EventData): CitedRule | null {
  if (!isEventType(type)) return null;
  const rule = RULES[type];
  return typeof rule === 'function' ? rule(data) : rule;
}

function quoted(decision: number, sentence: string): CitedRule {
  return { decision, sentence, source: 'reference' };
}

function ours(decision: number, sentence: string): CitedRule {
  return { decision, sentence, source: 'dueday' };
}

/** The rule by the value of one field; `otherwise` where the field says nothing that decides. */
function by(field: string, rules: Readonly<Record<string, CitedRule>>, otherwise: CitedRule) {
  return (data: EventData): CitedRule => {
    const value = data[field];
    return typeof value === 'string' && Object.hasOwn(rules, value) ? (rules[value] ?? otherwise) : otherwise;
  };
}

const PAUSED = quoted(23, reference.PAUSE);
const CONSENT_ENDED = ours(7, 'The open cycle becomes failed if it was tried, otherwise skipped.');
const CONSENT_NOT_GIVEN = ours(6, 'Declined, aborted and timed out lead there too; a new subscription is needed.');
const REPLACED = ours(22, 'the old one collects nothing due at or after the new firstPaymentAt');
const ATTENTION = ours(25, "A person's acknowledgement, or the end of the matter, clears needs_attention.");
const IN_ORDER = ours(25, 'A request that races a due date is put in order by the workflow');
const UNFROZEN = ours(21, 'A change that no cycle has frozen yet may be replaced or withdrawn');
const TOLD_AHEAD = ours(21, 'The payer is told INCREASE_NOTICE_DAYS before the due date');
const DROPPED = ours(21, 'the payer could not be told of the increase before the first attempt, the change is dropped');
const INCREASE = quoted(19, reference.INCREASES);
const COLLECTED = ours(10, 'Both successful: the cycle is collected.');
const PENDING = quoted(10, reference.STUCK_IN_PENDING);
const FINAL = ours(12, 'Any other detail, known or not, is final: the cycle is failed and the next cycle goes on.');
const CAPTURE_FAILED = quoted(11, reference.EACH_STAGE);
const RETRY_TIME = quoted(14, reference.THREE_ATTEMPTS);
const NOTICE_FIRST = quoted(13, reference.THREE_ATTEMPTS);
const EVIDENCE = ours(13, 'Delivered means that the webhook answered 2xx or that the mail server accepted the message');
const HALTED = ours(16, 'While all sending is halted, no row is committed and nothing leaves');
const LOOK_FIRST = ours(16, "Right before a POST, dueday lists the payment's authorizations.");
const CLOCKS = ours(16, 'Where the clocks differ by more, nothing is sent until they agree');
const NOT_SENT = ours(17, 'may be tried again with back-off');
const ASKED = ours(17, 'is settled by asking');
const ABSENT = ours(17, 'dueday looks again until the settle time has passed and two looks in a row agree');
const IN_VAIN = ours(17, 'After the third such send of a cycle or of an order people are alerted');
const OURS_OR_UNRESOLVED = ours(17, 'is our debit; several such are unresolved');
const LOOKING_ON = ours(18, 'Where this cannot be settled before the window closes, the looking goes on.');
const UNRESOLVED = ours(18, 'Only where the service cannot be asked, or its answer fits nothing');
const STANDS_BY = ours(30, 'Every subscription and payment that is not over has a running workflow');
const REFUNDS_TOO = ours(
  18,
  'The same holds for refunds, captures and releases: while one is in doubt, every other order of the payment waits, one past its deadline too.',
);
const REFUND_LIFE = quoted(18, reference.LIFECYCLE);

const COMPARED = quoted(17, reference.RECONCILIATION);

const DEADLINE_NEAR = ours(26, 'the merchant is told 24 hours before a deadline with money left');

const CAPTURE_RULES = {
  deadline: quoted(26, reference.CAPTURE_TOO_LATE),
  partial_capture: quoted(26, reference.FULL_CAPTURE),
  multiple_capture: quoted(26, reference.ONE_CAPTURE),
  category_cap: quoted(26, reference.CATEGORY_MAXIMUM),
  closed: quoted(26, reference.FINAL_CAPTURE),
};

const AMOUNT_RULES = {
  first_payment: quoted(9, reference.FIRST_PAYMENT),
  cap: INCREASE,
  consent_above_cap: quoted(19, reference.CONSENT_ABOVE_CAP),
  six_months: quoted(20, reference.INCREASES),
};

const STATE_RULES = by(
  'request',
  { resolve: UNRESOLVED, change_amount: UNFROZEN, withdraw_change: UNFROZEN, acknowledge: ATTENTION },
  IN_ORDER,
);

/** Down is free, back up to the consent's amount is free, beyond it counts (rule 19). */
function amountRule({ kind, countsAsIncrease }: EventData): CitedRule {
  if (kind === 'reduction') return quoted(19, reference.REDUCTIONS);
  if (kind === 'unchanged') return UNFROZEN;
  return countsAsIncrease === false ? quoted(19, reference.BACK_TO_CONSENT) : INCREASE;
}

const NOTICE_RULES = by('type', { 'payment.failed': NOTICE_FIRST, 'payment.increase_announced': TOLD_AHEAD }, EVIDENCE);

const RULES: Readonly<Record<EventType, CitedRule | null | ((data: EventData) => CitedRule)>> = {
  'subscription.requested': ours(2, 'firstPaymentAt is not before now and not before startAt.'),
  'subscription.imported': ours(7, 'Only successful permits the POST.'),
  'subscription.paused': PAUSED,
  'subscription.resumed': ours(23, 'Due dates inside are skipped for good, without arrears, and the calendar stays.'),
  'subscription.cancel_requested': ours(24, 'Cancelling stops new attempts at once.'),
  'subscription.cancelled': by(
    'cancelledBy',
    { payer: quoted(7, reference.FOUND_BY_CHECKING) },
    quoted(24, reference.NOTHING_FURTHER),
  ),
  'subscription.orphaned': STANDS_BY,
  'subscription.restarted': STANDS_BY,
  'subscription.completed': ours(5, 'A subscription is completed when its last cycle is final and nothing is open.'),
  'subscription.replacement_requested': REPLACED,
  'subscription.replacement_failed': REPLACED,
  'subscription.replaced': REPLACED,
  'consent.requested': quoted(6, reference.APPROVAL_ONLY),
  'consent.granted': quoted(6, reference.MANDATE_STANDS),
  'consent.failed': by('reason', { timeout: quoted(6, reference.CONSENT_TIMEOUT) }, CONSENT_NOT_GIVEN),
  'attention.changed': ATTENTION,
  'attention.acknowledged': ATTENTION,
  'request.refused': (data) => (data['code'] === 'retry_not_allowed' ? NOTICE_FIRST : STATE_RULES(data)),
  'amount_change.accepted': amountRule,
  'amount_change.withdrawn': UNFROZEN,
  'amount_change.dropped': by('reason', AMOUNT_RULES, DROPPED),
  'amount_change.refused': by('rule', AMOUNT_RULES, INCREASE),
  'amount_change.announcing': TOLD_AHEAD,
  'amount_change.notice_delivered': TOLD_AHEAD,
  'amount_change.notice_undeliverable': DROPPED,
  'cycle.collected': COLLECTED,
  'cycle.collected_late': PENDING,
  'cycle.dunning': RETRY_TIME,
  'cycle.skipped': by('reason', { consent_ended: CONSENT_ENDED, replaced: REPLACED }, PAUSED),
  'cycle.missed': quoted(4, reference.FIVE_DAYS),
  'cycle.failed': by(
    'reason',
    {
      ...{ rejected: FINAL, capture_failed: CAPTURE_FAILED, consent_ended: CONSENT_ENDED },
      retries_used: quoted(15, reference.THREE_ATTEMPTS),
      ...{ no_time_left: RETRY_TIME, out_of_time: RETRY_TIME, notice_undeliverable: NOTICE_FIRST },
      paused: ours(23, 'resumed in time it goes on, otherwise it ends skipped or failed'),
    },
    quoted(3, reference.FIVE_DAYS),
  ),
  'cycle.unresolved': UNRESOLVED,
  'cycle.resolved': UNRESOLVED,
  'cycle.skip_requested': PAUSED,
  'cycle.retry_requested': NOTICE_FIRST,
  'attempt.sending': ({ attempt }) => (attempt === 0 ? quoted(3, reference.EACH_DUE_DATE) : RETRY_TIME),
  'attempt.pending': quoted(10, reference.QUERY_REPEATEDLY),
  'attempt.successful': COLLECTED,
  'attempt.rejected_retryable': quoted(12, reference.RETRYABLE),
  'attempt.rejected': FINAL,
  'attempt.rejected_finally': FINAL,
  'attempt.capture_failed': CAPTURE_FAILED,
  'attempt.not_sent': NOT_SENT,
  'attempt.unknown': ASKED,
  'attempt.unresolved': OURS_OR_UNRESOLVED,
  'attempt.contradicted': OURS_OR_UNRESOLVED,
  'attempt.pending_past_window': PENDING,
  'attempt.unknown_past_window': LOOKING_ON,
  'attempt.settled_absent': ABSENT,
  'attempt.clocks_differ': CLOCKS,
  'attempt.halted': HALTED,
  'authorizations.unreadable': LOOK_FIRST,
  'consent.unreadable': quoted(7, reference.CONSENT_CHECK),
  'refund.requested': quoted(27, reference.ONLY_BY_REFUND),
  'refund.refused': by(
    'rule',
    { other_capture: quoted(27, reference.REFUND_MATCHES), capture_unknown: quoted(27, reference.REFUND_MATCHES) },
    quoted(27, reference.REFUND_FORBIDDEN),
  ),
  'refund.sending': quoted(27, reference.REFUND_MATCHES),
  'refund.pending': REFUND_LIFE,
  'refund.successful': REFUND_LIFE,
  'refund.failed': REFUND_LIFE,
  'refund.not_sent': REFUNDS_TOO,
  'refund.unknown': REFUNDS_TOO,
  'refund.unresolved': REFUNDS_TOO,
  'refund.contradicted': REFUNDS_TOO,
  'refund.stopped': REFUNDS_TOO,
  'refund.cannot_be_sent': REFUNDS_TOO,
  'refund.clocks_differ': CLOCKS,
  'refund.halted': HALTED,
  'refunds.unreadable': REFUNDS_TOO,
  'payment.requested': quoted(26, reference.LIFECYCLE),
  'payment.consent_granted': quoted(6, reference.APPROVAL_ONLY),
  'payment.consent_failed': by('reason', { timeout: quoted(6, reference.CONSENT_TIMEOUT) }, CONSENT_NOT_GIVEN),
  'payment.authorized': ({ captureBy }) =>
    captureBy === undefined ? quoted(26, reference.DEBITED_AT_ONCE) : quoted(26, reference.CAPTURE_DEADLINE),
  'payment.failed': quoted(26, reference.SINGLE_FAILS),
  'payment.captured': quoted(26, reference.DEBITED_AT_ONCE),
  'payment.deadline_near': DEADLINE_NEAR,
  'payment.release_requested': quoted(26, reference.RELEASE),
  'payment.release_refused': quoted(26, reference.ONLY_PREAUTHORIZATION),
  'payment.released': quoted(26, reference.RELEASE),
  'payment.expired': quoted(26, reference.EXPIRY),
  'payment.orphaned': STANDS_BY,
  'payment.restarted': STANDS_BY,
  'capture.requested': ({ finalCapture }) =>
    quoted(26, finalCapture === true ? reference.FINAL_CAPTURE : reference.CAPTURED_AFTER_AN_EVENT),
  'capture.refused': by('rule', CAPTURE_RULES, quoted(26, reference.CAPTURE_TOTAL)),
  'capture.sending': quoted(26, reference.CAPTURED_AFTER_AN_EVENT),
  'capture.pending': quoted(10, reference.QUERY_REPEATEDLY),
  'capture.successful': REFUND_LIFE,
  'capture.failed': REFUND_LIFE,
  'capture.not_sent': REFUNDS_TOO,
  'capture.unknown': REFUNDS_TOO,
  'capture.unresolved': REFUNDS_TOO,
  'capture.contradicted': REFUNDS_TOO,
  'capture.stopped': REFUNDS_TOO,
  'capture.cannot_be_sent': REFUNDS_TOO,
  'capture.clocks_differ': CLOCKS,
  'capture.halted': HALTED,
  'captures.unreadable': REFUNDS_TOO,
  'notice.delivered': NOTICE_RULES,
  'notice.undeliverable': NOTICE_RULES,
  'alert.outcome_unknown': LOOKING_ON,
  'alert.sent_in_vain': IN_VAIN,
  'alert.window_closing': quoted(3, reference.FIVE_DAYS),
  'reconciliation.begun': COMPARED,
  'reconciliation.stopped': COMPARED,
  'reconciliation.difference': COMPARED,
  // A person's own will; no rule of a subscription's life decides about halts and keys.
  'halt.begun': null,
  'halt.lifted': null,
  'key.created': null,
  'key.revoked': null,
};
