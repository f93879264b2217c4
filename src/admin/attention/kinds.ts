import { ATTENTION_TITLES, type AttentionKind } from '../../domain/findings';
import { counted } from '../../domain/money';
import { DAY, toIso } from '../../domain/time';
import { type AttentionItem, DUEDAY, type Halt, MAX_COUNTED } from '../../ledger';

/** An API call that would resolve the item, or help to resolve it. */
export interface RecommendedCall {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** How the items of one kind are explained to an operator. */
interface KindDescription {
  readonly explanation: string | ((item: AttentionItem, halt: Halt | null) => string);
  /** Undefined if an operator must investigate first. Never a call that marks money as collected. */
  readonly recommended?: (item: AttentionItem) => RecommendedCall | null;
}

/** Describes an item; a kind that this release does not know is described by its name only. */
export function describeItem(item: AttentionItem, halt: Halt | null) {
  const { explanation, recommended } = descriptionOf(item.kind);
  return {
    title: titleOf(item.kind),
    explanation: typeof explanation === 'string' ? explanation : explanation(item, halt),
    recommended: recommended?.(item) ?? null,
  };
}

function descriptionOf(kind: string): KindDescription {
  const known: Readonly<Partial<Record<string, KindDescription>>> = DESCRIPTIONS;
  return known[kind] ?? UNKNOWN;
}

const UNKNOWN: KindDescription = { explanation: 'This item waits for an operator.' };

function titleOf(kind: string): string {
  const known: Readonly<Partial<Record<string, string>>> = ATTENTION_TITLES;
  const name = kind.replaceAll('_', ' ');
  return known[kind] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function difference(what: string): KindDescription {
  const next = 'Find out which side is right, then close the item with the reason; it opens again if a side changes.';
  return { explanation: `${what} ${next}` };
}

const DESCRIPTIONS: Readonly<Record<AttentionKind, KindDescription>> = {
  unresolved: {
    explanation:
      'The payment service cannot be asked about the attempt, or lists a debit that matches nothing; no later cycle is collected meanwhile. dueday keeps checking. If the service’s own records show what happened, resolve the cycle with evidence.',
  },
  pending_past_window: {
    explanation:
      'The collection window has closed and the payment service has not settled the debit. dueday keeps checking, and later cycles continue; contact the payment service provider if this persists.',
  },
  unlisted: {
    explanation:
      'The payment service reported the debit as pending and no longer lists it. Ask the payment service provider for the outcome, then resolve the cycle with evidence; later cycles continue.',
  },
  orphaned: {
    explanation:
      'The workflow has ended although its subscription or payment is not final, and automatic restarts have not helped. Find out in Temporal how the runs ended, then restart the workflow.',
    recommended: (item) => call(item, 'restart', reasonOf(item)),
  },
  capture_failed: {
    explanation:
      'The payer’s bank authorized the payment and the debit failed; it is never tried again automatically. Find out whether money has moved. Then collect the amount with a payment link for the cycle once its collection window has closed, or in another way, and acknowledge the item.',
  },
  notice_undeliverable: {
    explanation:
      'The notice about the refused payment could not be delivered, so no retry followed, and the cycle has failed. Correct the payer’s address for later notices, collect the amount with a payment link for the cycle once its collection window has closed, or in another way, and acknowledge the item.',
  },
  amount_change_dropped: {
    explanation:
      'The payer was not notified of the change in time, or a rule forbade it by then; the previous amount is collected. The audit log has the reason. Request the change again if it is still wanted, and acknowledge the item.',
    recommended: (item) => call(item, 'acknowledge', reasonOf(item)),
  },
  debit_after_cancel: {
    explanation:
      'A debit that was under way when the subscription was cancelled has been collected. Refund it, then acknowledge the item.',
    recommended: (item) => {
      const { state, amount, captureId } = item.attempt;
      return state === 'successful' ? refundCall(item, amount, captureId) : null;
    },
  },
  overdue: {
    explanation:
      'An attempt, a retry, the outcome of a request or the end of a cycle is missing; the evidence says which. Check that a worker is running (dueday doctor), and the subscription’s workflow in Temporal. The item closes automatically.',
  },
  installation: {
    explanation:
      'This item stands for the items of many subscriptions, which are listed individually once only a few remain. The evidence says how many there are, and what to check first.',
  },
  sending_halted: {
    explanation: (_, halt) => explainHalt(halt),
  },
  hold_loses_windows: {
    explanation:
      'Subscriptions are on hold beyond the end of their collection windows; the deadline is the end of the first such window, and the evidence names the hold. A cycle that is not tried before its window ends is missed, and one that waits for a retry fails. Lift the hold in time (DELETE /v1/holds/{id}) to collect these cycles; the item closes with the hold.',
  },
  upcoming_undelivered: {
    explanation:
      'The notice about the coming payment could not be delivered. The payment is collected all the same, and in some countries a yearly renewal must be announced. Notify the payer yourself and record it at the notice, or correct the payer’s address and send the notice again; the item closes once the notice is delivered.',
  },
  refund_unresolved: {
    explanation:
      'The payment service does not show the outcome of the refund, may already have made it, or cannot be reached to make it; other orders of the payment may wait for it. dueday keeps checking. If the service’s own records show what happened, resolve the refund with evidence.',
  },
  capture_unresolved: {
    explanation:
      'The payment service does not show the outcome of the capture, may already have made it, or cannot be reached to make it; later captures and a release of the payment wait for it. dueday keeps checking. If the service’s own records show what happened, resolve the capture with evidence.',
  },
  release_unresolved: {
    explanation:
      'The payment service refuses the release, or has not made it; the amount stays reserved until the deadline, when the authorization expires. dueday keeps trying; ask the payment service provider for the reason.',
  },
  payment_unsettled: {
    explanation:
      'The payer has approved the payment, and the payment service shows no final authorization or debit of it. dueday keeps checking, at most once an hour. Look for the payment in the service’s own records, and do not request it again meanwhile: money may already have moved.',
    recommended: (item) => call(item, 'consent-check', {}),
  },
  cancellation_unconfirmed: {
    explanation:
      'Nothing more is collected, but the payment service has not ended the consent. dueday repeats the request to end it, at intervals that grow to an hour. Ask the payment service provider to end the consent, then check it.',
    recommended: (item) => call(item, 'consent-check', {}),
  },
  consent_unreadable: {
    explanation:
      'The payment service gives no readable answer about the consent, so due cycles wait. Ask the payment service provider about the consent; if it no longer exists, cancel the subscription.',
    recommended: (item) => call(item, 'consent-check', {}),
  },
  consent_unsettled: {
    explanation:
      'The payer’s session ended long ago, and the consent is still pending or unreadable. Look for the payment in the service’s own records; dueday checks once an hour, or immediately on request.',
    recommended: (item) => call(item, 'consent-check', {}),
  },
  dead_letter: {
    explanation: ({ endpoint: { enabled, undelivered } }) => {
      const fix = enabled === true ? 'Fix the endpoint' : 'Fix the endpoint and enable it';
      return `${countEvents(undelivered ?? 0)} not delivered to this endpoint. ${fix}, then replay the failed events; or close the item if they are no longer needed.`;
    },
    recommended: (item) =>
      item.endpoint.enabled === true
        ? endpointCall(item, 'POST', '/replay', { since: toIso(item.since - MAX_RETRY_TIME), onlyFailed: true })
        : endpointCall(item, 'PATCH', '', { enabled: true }),
  },
  contradiction: {
    explanation:
      'What the service reports about a debit of this cycle contradicts its earlier answers, what the payer was notified of, or a payment by link; the evidence says which. Compare the captures before you refund anything, then close the item with the reason.',
    recommended: (item) => {
      const { secondDebit, linkDebit, isPausedByRefusals } = item;
      if (secondDebit.amount !== null) return refundCall(item, secondDebit.amount, secondDebit.captureId);
      if (linkDebit.paymentId !== null) return linkRefundCall(item);
      return isPausedByRefusals === true ? call(item, 'resume', reasonOf(item)) : null;
    },
  },
  list_incomplete: {
    explanation:
      'An incomplete list of the payment’s authorizations does not prove that no other debit exists, so nothing is sent. If the service lists only the last few days, set PAYMENT_SERVICE_LIST_DAYS; otherwise ask the payment service provider. The item closes with the first complete list.',
  },
  unrecordable: {
    explanation:
      'PostgreSQL rejects a record because of its data; the evidence names the activity, SQLSTATE and column. dueday does the work again later, and everything else continues. If a constraint that you added rejects the data, drop it; otherwise report the item to the maintainer of your copy of dueday. The item closes once the write succeeds.',
  },
  authorization_unknown: difference('The service has an authorization that the ledger lacks.'),
  authorization_missing: difference('The ledger has an authorization that the service does not list.'),
  authorization_state: difference('Ledger and service disagree about the state of an authorization.'),
  authorization_amount: difference('Ledger and service disagree about the amount of an authorization.'),
  debit_unknown: difference('The service has a debit that the ledger lacks.'),
  debit_missing: difference('The ledger has a debit that the service does not list.'),
  debit_state: difference(
    'Ledger and service disagree about the state of a debit. If it was reversed or refunded elsewhere, do not refund it again.',
  ),
  debit_amount: difference('Ledger and service disagree about the amount of a debit.'),
  refund_unknown: difference('The service has a refund that the ledger lacks. Do not refund the same money again.'),
  refund_missing: difference('The ledger has a refund that the service does not list.'),
  refund_state: difference('Ledger and service disagree about the state of a refund.'),
  refund_amount: difference('Ledger and service disagree about the amount of a refund.'),
  not_compared: {
    explanation:
      'The service’s answer about the payment cannot be read, so it could not be compared with the ledger. The item closes with the next successful comparison; contact the payment service provider if this persists.',
  },
};

/**
 * With the default `EVENT_BACKOFF_SECONDS` an event is abandoned 75.6 hours after its first try; the rest of this time is for events
 * that waited before their first try. Each `Retry-After` can add up to a day: such events need an earlier `since`.
 */
const MAX_RETRY_TIME = 4 * DAY;

function explainHalt(halt: Halt | null): string {
  const missed = 'Cycles that are not sent by the end of their window are missed.';
  if (halt === null) return missed;
  return halt.by === DUEDAY
    ? `dueday halted all sending: ${halt.reason}. Run dueday reconcile: once it finds no differences, sending resumes. ${missed}`
    : `${halt.by} halted all sending: ${halt.reason}. Lift the halt once its cause is fixed. ${missed}`;
}

function countEvents(events: number): string {
  if (events >= MAX_COUNTED) return `${MAX_COUNTED} events or more were`;
  return counted(events, 'event was', 'events were');
}

/** Shows in the audit log which item a call was made for. */
function reasonOf({ itemId }: AttentionItem) {
  return { reason: `attention item ${itemId}` };
}

/** A call for the subscription of the item, or else for its payment. */
function call({ subscriptionId, paymentId }: AttentionItem, verb: string, body: RecommendedCall['body']) {
  const subject = subscriptionId === null ? ['payments', paymentId] : ['subscriptions', subscriptionId];
  return post([...subject, verb], body);
}

function refundCall(item: AttentionItem, amount: AttentionItem['amount'], captureId: string | null) {
  const { subscriptionId, cycle } = item;
  if (subscriptionId === null || cycle === null || amount === null) return null;
  const body = { amount, ...(captureId === null ? {} : { captureId }), ...reasonOf(item) };
  return post(['subscriptions', subscriptionId, 'cycles', cycle, 'refunds'], body);
}

/** Refunds the payment that the payer made by link. */
function linkRefundCall(item: AttentionItem): RecommendedCall {
  const { paymentId, amount, captureId } = item.linkDebit;
  return post(['payments', paymentId, 'refunds'], { amount, captureId, ...reasonOf(item) });
}

function post(segments: readonly (string | number | null)[], body: RecommendedCall['body']): RecommendedCall {
  return { method: 'POST', path: `/v1/${segments.map((each) => encodeURIComponent(each ?? '')).join('/')}`, body };
}

function endpointCall(
  { endpointId }: AttentionItem,
  method: RecommendedCall['method'],
  below: '' | '/replay',
  body: RecommendedCall['body'],
): RecommendedCall {
  return { method, path: `/v1/webhook-endpoints/${encodeURIComponent(endpointId ?? '')}${below}`, body };
}
