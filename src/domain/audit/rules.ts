/** The rules on which several types of entry are based, and how a rule is cited. */
import type { CitedRule, EventData } from './event';
import * as reference from './reference';

export function quoted(decision: number, sentence: string): CitedRule {
  return { decision, sentence, source: 'reference' };
}

export function ours(decision: number, sentence: string): CitedRule {
  return { decision, sentence, source: 'dueday' };
}

/** The rule for the value of a field; `otherwise` for any other value. */
export function by(field: string, rules: Readonly<Record<string, CitedRule>>, otherwise: CitedRule) {
  return (data: EventData): CitedRule => {
    const value = data[field];
    return typeof value === 'string' && Object.hasOwn(rules, value) ? (rules[value] ?? otherwise) : otherwise;
  };
}

export const PAUSED = quoted(23, reference.PAUSE);
export const POSTPONED = ours(
  3,
  'A postponed cycle is first tried at the requested instant inside its window; its due date remains.',
);
export const CONSENT_ENDED = ours(7, 'The open cycle becomes failed if it was tried, otherwise skipped.');
export const CONSENT_NOT_GIVEN = ours(
  6,
  'A declined or aborted consent, or a time-out, also makes the subscription consent_failed; a new subscription is needed.',
);
export const REPLACED = ours(22, 'the old one collects nothing due at or after the new firstPaymentAt');
export const ATTENTION = ours(
  25,
  "An operator's acknowledgement, or the closing of its last attention item, clears needs_attention.",
);
const IN_ORDER = ours(25, 'The same lock puts every other request in order: whichever has the row first wins');
export const UNFROZEN = ours(21, 'A change that no cycle has frozen yet may be replaced or withdrawn');
export const NOTIFIED_AHEAD = ours(21, 'The payer is notified INCREASE_NOTICE_DAYS before the due date');
export const DROPPED = ours(
  21,
  'the payer could not be notified of the increase before the first attempt, the change is dropped',
);
export const INCREASE = quoted(19, reference.INCREASES);
export const COLLECTED = ours(10, 'Both successful: the cycle is collected.');
export const PENDING = quoted(10, reference.STUCK_IN_PENDING);
export const FINAL = ours(
  12,
  'Any other detail, known or not, is final: the cycle is failed and the next cycle goes on.',
);
export const CAPTURE_FAILED = quoted(11, reference.EACH_STAGE);
export const RETRY_TIME = quoted(14, reference.THREE_ATTEMPTS);
export const PAYMENT_LINK = ours(
  15,
  'A failed or missed cycle can be paid by a payment link once its window has closed and no outcome is unknown',
);
const LINK_PAID = ours(15, 'The cycle keeps its status, and the subscription is no longer past due for it.');
const SECOND_DEBIT = ours(15, 'A cycle that is both collected and paid by a link has two debits');
export const NOTICE_FIRST = quoted(13, reference.THREE_ATTEMPTS);
const EVIDENCE = ours(13, 'Delivered means that the webhook answered 2xx or that the mail server accepted the message');
export const PERSONAL_DATA = ours(29, 'Postal addresses and e-mail addresses live in PostgreSQL only');
export const ERASED = ours(29, 'A payer can be erased, while the rows about money stay.');
export const HALTED = ours(16, 'While all sending is halted, no row is committed and nothing leaves');
export const ON_HOLD = ours(16, 'A hold stops the attempts of the subscriptions that its filter matched');
export const PRE_SEND_CHECK = ours(16, "Right before a POST, dueday lists the payment's authorizations.");
export const CLOCKS = ours(16, 'If the clocks differ by more, nothing is sent until they agree');
export const NOT_SENT = ours(17, 'may be tried again with back-off');
export const ASKED = ours(17, 'is settled by asking');
export const ABSENT = ours(17, 'dueday checks again until the settle time has passed and two checks in a row agree');
export const WITHOUT_ANSWER = ours(
  17,
  'After the third send of a cycle or of an order without a readable answer, operators are alerted',
);
export const OURS_OR_UNRESOLVED = ours(17, 'is our debit; several such are unresolved');
export const CHECKING_CONTINUES = ours(
  18,
  'If an unknown outcome cannot be settled before the window closes, checking continues.',
);
export const UNRESOLVED = ours(18, 'only if the service cannot be asked, or its answer matches nothing');
export const REOPENED = ours(
  36,
  'A refused authorization that the service later lists as pending or successful is followed again',
);
export const ADOPTED = ours(40, "is the cycle's debit if its amount is what the cycle would collect");
export const HANDED_OVER = ours(41, 'What cannot end by itself is handed to an operator');
export const ALWAYS_HAS_WORKFLOW = ours(30, 'Every subscription and payment that has not ended has a running workflow');
export const ONE_NAMESPACE = ours(44, 'The ledger stores the id of its Temporal namespace');
export const RESTORED = ours(45, 'A restored or copied ledger sends nothing: no money, no notice, no event');
export const REFUNDS_TOO = ours(
  18,
  'The same holds for refunds, captures and releases: while one has an unknown outcome, every other order of the payment waits, even one past its deadline.',
);
export const REFUND_LIFE = quoted(18, reference.LIFECYCLE);

export const DELIVERED_IN_ORDER = ours(35, 'is delivered at least once, in order within its subscription or payment');

export const COMPARED = quoted(17, reference.RECONCILIATION);

export const DEADLINE_NEAR = ours(26, 'the merchant is notified 24 hours before a deadline with money left');

export const CAPTURE_RULES = {
  deadline: quoted(26, reference.CAPTURE_TOO_LATE),
  partial_capture: quoted(26, reference.FULL_CAPTURE),
  multiple_capture: quoted(26, reference.ONE_CAPTURE),
  category_cap: quoted(26, reference.CATEGORY_MAXIMUM),
  closed: quoted(26, reference.FINAL_CAPTURE),
};

export const AMOUNT_RULES = {
  first_payment: quoted(9, reference.FIRST_PAYMENT),
  cap: INCREASE,
  consent_above_cap: quoted(19, reference.CONSENT_ABOVE_CAP),
  six_months: quoted(20, reference.INCREASES),
};

/** The rule for a paid link, which depends on whether its cycle had been collected meanwhile. */
export function paidRule({ isSecondDebit }: EventData): CitedRule {
  return isSecondDebit === true ? SECOND_DEBIT : LINK_PAID;
}

export const STATE_RULES = by(
  'request',
  {
    payment_link: PAYMENT_LINK,
    postpone: POSTPONED,
    resolve: UNRESOLVED,
    change_amount: UNFROZEN,
    withdraw_change: UNFROZEN,
    acknowledge: ATTENTION,
  },
  IN_ORDER,
);

/** The rule for a change of amount: reductions and increases up to the consent's amount are free, increases beyond it count (rule 19). */
export function amountRule({ kind, countsAsIncrease }: EventData): CitedRule {
  if (kind === 'reduction') return quoted(19, reference.REDUCTIONS);
  if (kind === 'unchanged') return UNFROZEN;
  return countsAsIncrease === false ? quoted(19, reference.BACK_TO_CONSENT) : INCREASE;
}

export const NOTICE_RULES = by(
  'type',
  { 'payment.failed': NOTICE_FIRST, 'payment.increase_announced': NOTIFIED_AHEAD },
  EVIDENCE,
);
