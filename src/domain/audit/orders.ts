import { type EventEntry, type Facts, say, closed, reasonOf, stateOf, why, phrase, type Events } from './event';
import * as reference from './reference';
import {
  CAPTURE_RULES,
  CLOCKS,
  CONSENT_NOT_GIVEN,
  DEADLINE_NEAR,
  HALTED,
  HANDED_OVER,
  REFUNDS_TOO,
  REFUND_LIFE,
  ALWAYS_HAS_WORKFLOW,
  by,
  quoted,
} from './rules';

/**
 * The entries about sending an order and about its outcome, the same for captures and refunds.
 * @param order names the order, after "the"
 */
function sendEvents<Kind extends 'capture' | 'refund'>(kind: Kind, order: (facts: Facts) => string) {
  return withPrefix(kind, {
    '.successful': {
      rule: REFUND_LIFE,
      says: (facts) => [say`The ${order(facts)} was made: ${facts.money('amount')}.`],
    },
    '.failed': {
      rule: REFUND_LIFE,
      says: (facts) => [
        say`The ${order(facts)} has failed: ${facts.text('detail')}.`,
        say`The service says: ${closed(facts.text('description'))}`,
      ],
    },
    '.not_sent': {
      rule: REFUNDS_TOO,
      says: (facts) => [`The ${order(facts)} did not reach the service.`, reasonOf(facts)],
    },
    '.unknown': {
      rule: REFUNDS_TOO,
      says: (facts) => [
        `Whether the ${order(facts)} reached the service is not known.`,
        'The service is asked; nothing is sent again until that is settled.',
        reasonOf(facts),
      ],
    },
    '.unresolved': {
      rule: REFUNDS_TOO,
      says: (facts) => [
        `The outcome of the ${order(facts)} cannot be determined from the service's answers.`,
        reasonOf(facts),
      ],
    },
    '.resolved': {
      rule: REFUNDS_TOO,
      says: (facts) => [
        say`${facts.actor} resolved the ${order(facts)} as ${facts.text('outcome')}.`,
        say`Evidence: ${closed(facts.text('evidence'))}`,
      ],
    },
    '.contradicted': {
      rule: REFUNDS_TOO,
      says: (facts) => [
        say`The ${order(facts)} is ${stateOf(facts, 'recorded')} in the ledger, and the service now says ${stateOf(facts, 'found')}.`,
        'The recorded state is kept; an operator must review it.',
      ],
    },
    '.stopped': {
      rule: REFUNDS_TOO,
      says: (facts) => [
        say`The ${order(facts)} is stopped: ${closed(facts.text('reason'))}`,
        `If it were sent, the same ${kind} could be made twice.`,
      ],
    },
    '.overdue': {
      rule: REFUND_LIFE,
      says: (facts) => [
        `The ${order(facts)} is overdue: the service has accepted it, and does not report its outcome.`,
        'Checking continues, and an admin may resolve it meanwhile.',
        reasonOf(facts),
      ],
    },
    '.unknown_status': {
      rule: HANDED_OVER,
      says: (facts) => [
        say`The service lists the ${order(facts)} with the unknown status ${facts.text('status')}.`,
        'It counts as pending.',
      ],
    },
    '.cannot_be_sent': {
      rule: REFUNDS_TOO,
      says: (facts) => [`The ${order(facts)} cannot be sent at present and will be tried again.`, reasonOf(facts)],
    },
    '.clocks_differ': {
      rule: CLOCKS,
      says: (facts) => [
        say`The ${order(facts)} waits: ${closed(facts.text('reason'))}`,
        'Nothing is sent until both clocks agree to within a minute.',
      ],
    },
    's.unreadable': {
      rule: REFUNDS_TOO,
      says: (facts) => [`The ${order(facts)} waits: the service's list of ${kind}s cannot be read.`, reasonOf(facts)],
    },
  });
}

/** Puts the kind in front of the type of each entry. */
function withPrefix<Kind extends string, Ending extends string>(
  kind: Kind,
  events: Readonly<Record<Ending, EventEntry>>,
) {
  const named = Object.entries<EventEntry>(events).map(([ending, entry]) => [`${kind}${ending}`, entry]);
  return Object.fromEntries(named) as Readonly<Record<`${Kind}${Ending}`, EventEntry>>;
}

export const REFUND_EVENTS = {
  'refund.requested': {
    rule: quoted(27, reference.ONLY_BY_REFUND),
    says: (facts) => [
      say`${facts.actor} ordered a refund of ${facts.money('amount')}${ofCycle(facts)}.`,
      reasonOf(facts),
    ],
  },
  'refund.refused': {
    rule: by(
      'rule',
      { other_capture: quoted(27, reference.REFUND_MATCHES), capture_unknown: quoted(27, reference.REFUND_MATCHES) },
      quoted(27, reference.REFUND_FORBIDDEN),
    ),
    says: (facts) => [
      say`${facts.actor} asked to refund ${facts.money('amount')}${ofCycle(facts)}; it was refused${why(facts)}`,
    ],
  },
  'refund.sending': {
    rule: quoted(27, reference.REFUND_MATCHES),
    says: (facts) => [
      say`${theRefund(facts)} of ${facts.money('amount')} is sent now, for capture ${facts.text('captureId')}.`,
      'Nothing that the service listed prevented it.',
    ],
  },
  'refund.pending': {
    rule: REFUND_LIFE,
    says: (facts) => [
      say`The service has the refund${ofCycle(facts)} as ${facts.text('serviceRefundId')}, and it is pending.`,
    ],
  },
  'refund.halted': {
    rule: HALTED,
    says: (facts) => [say`${theRefund(facts)} waits: all sending is halted.`, 'It is made once the halt is lifted.'],
  },
  ...sendEvents('refund', (facts) => `refund${ofCycle(facts)}`),
} satisfies Events;

function theRefund(facts: Facts): string | null {
  return `The refund${ofCycle(facts)}`;
}

/** Empty for a refund of a one-time payment, which has no cycle. */
function ofCycle({ number }: Facts): string {
  return say` of cycle ${number('cycle')}` ?? '';
}

export const CAPTURE_EVENTS = {
  'capture.requested': {
    rule: ({ finalCapture }) =>
      quoted(26, finalCapture === true ? reference.FINAL_CAPTURE : reference.CAPTURED_AFTER_EVENT),
    says: (facts) => [
      say`${facts.actor} ordered a capture of ${facts.money('amount')}.`,
      facts.data['finalCapture'] === true ? 'It is the final one: the remainder is released.' : null,
    ],
  },
  'capture.refused': {
    rule: by('rule', CAPTURE_RULES, quoted(26, reference.CAPTURE_TOTAL)),
    says: (facts) => [say`${facts.actor} asked to capture ${facts.money('amount')}; it was refused${why(facts)}`],
  },
  'capture.sending': {
    rule: quoted(26, reference.CAPTURED_AFTER_EVENT),
    says: (facts) => [
      say`The capture of ${facts.money('amount')} is sent now.`,
      'Nothing that the service listed prevented it.',
    ],
  },
  'capture.pending': {
    rule: quoted(10, reference.QUERY_REPEATEDLY),
    says: (facts) => [say`The service has the capture as ${facts.text('captureId')}, and it is pending.`],
  },
  'capture.halted': {
    rule: HALTED,
    says: () => [
      'The capture waits: all sending is halted.',
      'It is made once the halt is lifted, if its deadline allows.',
    ],
  },
  ...sendEvents('capture', () => 'capture'),
} satisfies Events;

const PLANS = { SINGLE: 'Single Immediate', EVENT_DEPENDENT: 'Event Dependent' };

export const PAYMENT_EVENTS = {
  'payment.requested': {
    rule: quoted(26, reference.LIFECYCLE),
    says: (facts) => [
      say`${facts.actor} requested a payment of ${facts.money('amount')}, ${phrase(facts.text('plan'), PLANS)}.`,
    ],
  },
  'payment.consent_granted': { rule: quoted(6, reference.APPROVAL_ONLY), says: () => ['The payer has given consent.'] },
  'payment.consent_failed': {
    rule: by('reason', { timeout: quoted(6, reference.CONSENT_TIMEOUT) }, CONSENT_NOT_GIVEN),
    says: (facts) => ['The payer has not given consent.', reasonOf(facts)],
  },
  'payment.authorized': {
    rule: ({ captureBy }) =>
      captureBy === undefined ? quoted(26, reference.DEBITED_AT_ONCE) : quoted(26, reference.CAPTURE_DEADLINE),
    says: (facts) => [
      say`The payer's bank has authorized ${facts.money('amount')}.`,
      say`Captures must arrive before ${facts.time('captureBy')}.`,
    ],
  },
  'payment.failed': {
    rule: quoted(26, reference.SINGLE_FAILS),
    says: (facts) => [
      say`The payment has failed: ${facts.text('detail')}.`,
      say`The service says: ${closed(facts.text('description'))}`,
    ],
  },
  'payment.unknown_status': {
    rule: HANDED_OVER,
    says: (facts) => [
      say`The service lists authorization ${facts.text('authorizationId')} of the payment with the unknown status ${facts.text('status')}.`,
      say`The service lists the booking ${facts.text('captureId')} of the payment with the unknown status ${facts.text('status')}.`,
      'It counts as pending.',
    ],
  },
  'payment.captured': {
    rule: quoted(26, reference.DEBITED_AT_ONCE),
    says: (facts) => [say`The service has booked the payment: ${facts.money('amount')}.`],
  },
  'payment.deadline_near': {
    rule: DEADLINE_NEAR,
    says: (facts) => [
      say`${facts.money('remaining')} is not captured yet, and can be captured until ${facts.time('captureBy')}.`,
    ],
  },
  'payment.release_requested': {
    rule: quoted(26, reference.RELEASE),
    says: (facts) => [
      say`${facts.actor} ordered the release of ${facts.money('amount')}: nothing will be captured.`,
      reasonOf(facts),
    ],
  },
  'payment.release_refused': {
    rule: quoted(26, reference.ONLY_PREAUTHORIZATION),
    says: (facts) => [say`${facts.actor} asked for a release; it was refused${why(facts)}`],
  },
  'payment.release_unresolved': {
    rule: REFUNDS_TOO,
    says: (facts) => [
      'The service does not release the authorization.',
      'It is asked again until the deadline; then the authorization expires.',
      reasonOf(facts),
    ],
  },
  'payment.released': {
    rule: quoted(26, reference.RELEASE),
    says: () => ['The service has released the authorization: the payer is not debited.'],
  },
  'payment.expired': {
    rule: quoted(26, reference.EXPIRY),
    says: (facts) => [
      say`The deadline of ${facts.time('captureBy')} has passed: nothing more can be captured.`,
      say`${facts.money('captured')} was captured.`,
    ],
  },
  'payment.orphaned': {
    rule: ALWAYS_HAS_WORKFLOW,
    says: () => ['No workflow is running for the payment, though it has not ended. Restart it.'],
  },
  'payment.restarted': {
    rule: ALWAYS_HAS_WORKFLOW,
    says: (facts) => [say`${facts.actor} restarted the workflow of the payment from the ledger.`, reasonOf(facts)],
  },
} satisfies Events;
