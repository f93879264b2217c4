import { type Money, sameMoney } from './money';
import { type Instant, SECOND } from './time';

/** States in which the outcome of a send is not known. Such a send blocks every other send of the payment (rules 16, 18). */
export const UNKNOWN_OUTCOME = ['sending', 'unknown', 'unresolved'] as const;
export type UnknownOutcomes = (typeof UNKNOWN_OUTCOME)[number];

/**
 * sending: committed, its POST may be on the wire · unknown: whether it arrived is not known · unresolved: the service's
 * answers are contradictory or missing · pending: known to the service, not final · not_sent: it never arrived, or is settled as
 * never made.
 */
type BeforeVerdict = UnknownOutcomes | 'pending' | 'not_sent';

/** The state of a send of a debit. States outside {@link BeforeVerdict} are the final answer of the service or the bank. */
export type AttemptState = BeforeVerdict | 'successful' | 'rejected_retryable' | 'rejected' | 'capture_failed';

/** The state of a send of a capture or a refund. */
export type OrderSendState = BeforeVerdict | 'successful' | 'failed';

/** The state of an order's last send; `ordered` if there was none. */
export type OrderState = 'ordered' | OrderSendState;

export type SendState = AttemptState | OrderSendState;

const VERDICTS = ['successful', 'rejected_retryable', 'rejected', 'capture_failed', 'failed'] as const;

/**
 * The transitions that recording an outcome may make. Apart from these, the trigger `guard_attempt` allows only two, which other code
 * makes: a refused attempt becomes pending again (rule 36), and an adopted debit is assigned to another cycle (rule 40).
 */
const BECOMES: Readonly<Record<SendState, readonly SendState[]>> = {
  sending: ['unknown', 'unresolved', 'pending', 'not_sent', ...VERDICTS],
  unknown: ['unresolved', 'pending', 'not_sent', ...VERDICTS],
  unresolved: ['pending', 'not_sent', ...VERDICTS],
  pending: VERDICTS,
  not_sent: [],
  successful: [],
  rejected_retryable: [],
  rejected: [],
  capture_failed: [],
  failed: [],
};

export function mayBecome(from: SendState, to: SendState): boolean {
  return BECOMES[from].includes(to);
}

/** The states from which this one can be reached. */
export function statesBefore(to: SendState): readonly SendState[] {
  return (Object.keys(BECOMES) as SendState[]).filter((from) => mayBecome(from, to));
}

/** Whether the state is final: recording an outcome never changes it. */
export function isFinal(state: SendState): boolean {
  return BECOMES[state].length === 0;
}

/** Whether the state is a final answer of the service or the bank. `not_sent` is final, but no answer. */
export function isVerdict(state: string): boolean {
  return VERDICTS.some((each) => each === state);
}

export function hasUnknownOutcome(state: string): boolean {
  return UNKNOWN_OUTCOME.some((each) => each === state);
}

/** The fields of every record of money that the service lists, such as an authorization or a refund. */
export interface ListedRecord {
  readonly amount: Money;
  readonly createdAt: Instant;
  readonly status: string;
  /** The service's status text if it is unknown; `status` is then pending (rule 41). */
  readonly unknownStatus?: string;
}

/** A listed record with the service's id. */
export interface Listed extends ListedRecord {
  readonly id: string;
  /** Whether the record names a different capture than the order, and therefore belongs to another order. */
  readonly isOther?: boolean;
}

/** The service's clock may be this far from ours, in ms (rules 16, 17). */
export const CLOCK_SKEW = 60_000;

/**
 * Records that the ledger lacks, created at or after `since` (less the clock skew) and not failed: they prevent a POST (rule
 * 16). A failed one may be the record of a refusal that named no id.
 */
export function recordsNotOurs<T extends Listed>(
  listed: readonly T[],
  ledgerIds: readonly string[],
  since: Instant,
): readonly T[] {
  const isOfNow = ({ createdAt, status }: T) => createdAt >= since - CLOCK_SKEW && status !== 'failed';
  return listed.filter((each) => each.isOther !== true && !ledgerIds.includes(each.id) && isOfNow(each));
}

/**
 * The ids that the service lists right before a send and that the ledger does not have yet. Only these are stored with the
 * send, so that the rows of a payment contain each id once.
 */
export function idsNotTaken(listed: readonly string[], takenIds: readonly string[]): string[] {
  const taken = new Set(takenIds);
  return [...new Set(listed)].filter((id) => !taken.has(id));
}

/** What was sent, and the ids of records that it cannot have created. */
export interface Sent {
  readonly amount: Money;
  /** When the "sending" row was written. */
  readonly at: Instant;
  /** All ids that the ledger has for the payment: those of its sends, and those that the service listed right before a send. */
  readonly takenIds: readonly string[];
}

export type RecordMatch<T> =
  | { readonly kind: 'absent' }
  | { readonly kind: 'found'; readonly record: T }
  | { readonly kind: 'unclear'; readonly records: readonly T[] };

/**
 * Whether the service's list shows what was sent. A new id with our amount, created no earlier than the row "sending" (less the
 * clock skew), is ours. Several such records, or a new one that does not match, are handed to an operator (rules 17, 18).
 */
export function matchSent<T extends Listed>(listed: readonly T[], sent: Sent): RecordMatch<T> {
  const taken = new Set(sent.takenIds);
  const fresh = listed.filter((each) => each.isOther !== true && !taken.has(each.id));
  const ours = fresh.filter((each) => sameMoney(each.amount, sent.amount) && each.createdAt >= sent.at - CLOCK_SKEW);
  const strange = fresh.filter((each) => !ours.includes(each) && each.status !== 'failed');
  const [only] = ours;
  if (only === undefined && strange.length === 0) return { kind: 'absent' };
  if (only !== undefined && ours.length === 1 && strange.length === 0) return { kind: 'found', record: only };
  return { kind: 'unclear', records: [...ours, ...strange] };
}

/** When a request was sent and when it was answered, by our clock. Real time, epoch ms. */
export interface RequestTimes {
  readonly askedAt: number;
  readonly answeredAt: number;
}

/**
 * The minimum in ms by which another clock is ahead of ours, negative if it is behind; 0 if they may agree. The other clock
 * showed `shown`, truncated to whole seconds, at some instant between request and answer.
 */
export function certainLead(shown: number, { askedAt, answeredAt }: RequestTimes): number {
  // Our clock may have been set back between request and answer.
  const earliest = Math.min(askedAt, answeredAt);
  const latest = Math.max(askedAt, answeredAt);
  if (shown > latest) return shown - latest;
  return Math.min(0, shown + SECOND - 1 - earliest);
}

/**
 * Why nothing may be sent if the clocks differ: the service's clock decides which of its records may be ours (rule 16). Null if
 * they agree.
 */
export function whyClocksDiffer(lead: number | undefined): string | null {
  if (lead === undefined || Math.abs(lead) <= CLOCK_SKEW) return null;
  const seconds = Math.floor(Math.abs(lead) / SECOND);
  return `the clock of the service is ${seconds} s or more ${lead > 0 ? 'ahead of' : 'behind'} ours`;
}
