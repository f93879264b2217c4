import { DIFFERENCE_KINDS, type DifferenceKind } from './reconciliation/records';
import { HOUR, type Instant } from './time';

/** Estimated number of calls to the payment service per cycle. */
export const CALLS_PER_CYCLE = 5;

/** Attempts that started in an hour of business time. */
export interface StartedInHour {
  /** The start of the hour. */
  readonly hour: Instant;
  readonly count: number;
}

/** Work that needs calls to the service, as the ledger shows it. */
export interface Backlog {
  /** First attempts and retries that are due and have not started. */
  readonly waiting: number;
  readonly started: readonly StartedInHour[];
}

/**
 * How long something due at an instant may wait because of the cap on calls, given what waits now and what has started since
 * then, with {@link CALLS_PER_CYCLE} calls each. Ms of business time; 0 without a cap.
 * @param callsPerSecond per second of real time, for the whole installation
 * @param speed of business time
 */
export function waitingTime(
  { waiting, started }: Backlog,
  dueAt: Instant,
  callsPerSecond: number | null,
  speed: number,
): number {
  if (callsPerSecond === null) return 0;
  const since = started.reduce((sum, { hour, count }) => (hour + HOUR > dueAt ? sum + count : sum), 0);
  return (((waiting + since) * CALLS_PER_CYCLE) / callsPerSecond) * 1000 * speed;
}

/** Below this number of live subscriptions a small share means nothing, so more than half of them must be affected. */
const FEW = 40;

/** Whether so many affected subscriptions are assumed to have one cause, and become one attention item (rule 44). */
export function haveOneCause(affected: number, live: number): boolean {
  if (live < FEW) return affected >= 5 && affected * 2 > live;
  return affected > 20 && affected * 100 > live;
}

/** The kinds of attention items. */
export type AttentionKind =
  | 'orphaned'
  | 'unresolved'
  | 'pending_past_window'
  | 'unlisted'
  | 'capture_failed'
  | 'notice_undeliverable'
  | 'amount_change_dropped'
  | 'debit_after_cancel'
  | 'overdue'
  | 'installation'
  | 'sending_halted'
  | 'hold_loses_windows'
  | 'upcoming_undelivered'
  | 'refund_unresolved'
  | 'capture_unresolved'
  | 'release_unresolved'
  | 'payment_unsettled'
  | 'cancellation_unconfirmed'
  | 'consent_unreadable'
  | 'consent_unsettled'
  | 'dead_letter'
  | 'contradiction'
  | 'list_incomplete'
  | 'unrecordable'
  | DifferenceKind;

/** What has happened, in a few words. */
export const ATTENTION_TITLES: Readonly<Record<AttentionKind, string>> = {
  unresolved: 'The outcome of an attempt is unknown',
  pending_past_window: 'A debit is still pending after its window',
  unlisted: 'A pending debit has disappeared from the service’s lists',
  orphaned: 'No workflow is running',
  capture_failed: 'Authorized, but the debit failed',
  notice_undeliverable: 'The payer could not be notified',
  amount_change_dropped: 'A change of amount was dropped',
  debit_after_cancel: 'A debit was collected after the cancellation',
  overdue: 'An expected step has not happened',
  installation: 'Many subscriptions are affected by one cause',
  sending_halted: 'All sending is halted',
  hold_loses_windows: 'A hold is about to lose collection windows',
  upcoming_undelivered: 'The payer was not notified of a yearly payment',
  refund_unresolved: 'The outcome of a refund is unknown',
  capture_unresolved: 'The outcome of a capture is unknown',
  release_unresolved: 'A release has not been made',
  payment_unsettled: 'A one-time payment has no outcome',
  cancellation_unconfirmed: 'A cancellation is not confirmed',
  consent_unreadable: 'A consent cannot be read',
  consent_unsettled: 'A consent has no outcome',
  dead_letter: 'Events could not be delivered',
  contradiction: 'The payment service contradicts itself',
  list_incomplete: 'A list of the payment service is incomplete',
  unrecordable: 'The ledger refuses a record',
  authorization_unknown: 'An authorization is unknown to the ledger',
  authorization_missing: 'An authorization is missing at the service',
  authorization_state: 'An authorization differs in its state',
  authorization_amount: 'An authorization differs in its amount',
  debit_unknown: 'A debit is unknown to the ledger',
  debit_missing: 'A debit is missing at the service',
  debit_state: 'A debit differs in its state',
  debit_amount: 'A debit differs in its amount',
  refund_unknown: 'A refund is unknown to the ledger',
  refund_missing: 'A refund is missing at the service',
  refund_state: 'A refund differs in its state',
  refund_amount: 'A refund differs in its amount',
  not_compared: 'A payment could not be compared',
};

const CLOSABLE: readonly AttentionKind[] = [
  ...DIFFERENCE_KINDS,
  'contradiction',
  'list_incomplete',
  'unrecordable',
  'upcoming_undelivered',
  'dead_letter',
];

/**
 * Whether an operator may close items of this kind once they are explained or no longer needed. Other items
 * close when their cause ends or, if they give the standing `needs_attention`, when they are acknowledged.
 */
export function isClosable(kind: string): boolean {
  return CLOSABLE.some((each) => each === kind);
}

const GIVES_STANDING: readonly AttentionKind[] = [
  'orphaned',
  'unresolved',
  'pending_past_window',
  'unlisted',
  'capture_failed',
  'notice_undeliverable',
  'amount_change_dropped',
  'debit_after_cancel',
  'unrecordable',
];

/** Whether an open item of this kind gives its subscription the standing `needs_attention` (rules 25, 43). */
export function givesStanding(kind: string): boolean {
  return GIVES_STANDING.some((each) => each === kind);
}
