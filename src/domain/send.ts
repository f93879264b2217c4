import { type Money, sameMoney } from './money';
import { type Instant, SECOND } from './time';

/**
 * States in which the outcome of a send is not known: one such send holds back every other of the payment (rules 16,
 * 18).
 */
export const IN_DOUBT = ['sending', 'unknown', 'unresolved'] as const;
export type InDoubt = (typeof IN_DOUBT)[number];

/**
 * sending: committed, its POST may be on the wire · unknown: whether it arrived is not known · unresolved: the service's
 * answers fit nothing · pending: known to the service, not final · not_sent: it never arrived, for good.
 */
type BeforeVerdict = InDoubt | 'pending' | 'not_sent';

/** Of a debit. What is not {@link BeforeVerdict} is the service's or the bank's last word. */
export type AttemptState = BeforeVerdict | 'successful' | 'rejected_retryable' | 'rejected' | 'capture_failed';

/** Of a capture or a refund. */
export type OrderSendState = BeforeVerdict | 'successful' | 'failed';

/** As its last send; `ordered` where there was none. */
export type OrderState = 'ordered' | OrderSendState;

export type SendState = AttemptState | OrderSendState;

const VERDICTS = ['successful', 'rejected_retryable', 'rejected', 'capture_failed', 'failed'] as const;

/** What a send may become; the triggers `guard_attempt` and `guard_order_send` refuse everything else. */
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

/** From which a send may become this. */
export function statesBefore(to: SendState): readonly SendState[] {
  return (Object.keys(BECOMES) as SendState[]).filter((from) => mayBecome(from, to));
}

/** Never overwritten. */
export function isFinal(state: SendState): boolean {
  return BECOMES[state].length === 0;
}

/** The service's or the bank's last word, and so what the workflow is about to hear. */
export function isVerdict(state: string): boolean {
  return VERDICTS.some((each) => each === state);
}

export function isInDoubt(state: string): boolean {
  return IN_DOUBT.some((each) => each === state);
}

/** What every record of money that the service lists has, be it an authorization or a refund. */
export interface ListedRecord {
  readonly amount: Money;
  readonly createdAt: Instant;
  readonly status: string;
  /** The service's own word for the status, if it is not known here: then the status is pending (rule 41). */
  readonly unknownStatus?: string;
}

/** One of them, by the service's own id. */
export interface Listed extends ListedRecord {
  readonly id: string;
  /** By what it names it is of another order than the one that is asked about. */
  readonly isOther?: boolean;
}

/** The service's clock may be this far from ours, in ms (rules 16, 17). */
export const CLOCK_SKEW = 60_000;

/**
 * Records that the ledger lacks, created at or after `since` less the skew, and not failed: they stop a POST (rule 16). A
 * failed one is the record of a refusal whose answer named no id.
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
 * Of the ids that the service lists right before a send, those that the ledger does not hold yet: all that the send's row
 * has to keep, so that the rows of a payment keep each id once, however many there come to be.
 */
export function idsNotHeld(listed: readonly string[], heldIds: readonly string[]): string[] {
  const held = new Set(heldIds);
  return [...new Set(listed)].filter((id) => !held.has(id));
}

/** What was sent, and what it cannot have made. */
export interface Sent {
  readonly amount: Money;
  /** When the "sending" row was written. */
  readonly at: Instant;
  /** All ids that the ledger holds of the payment: of its sends, and those that the service listed right before one. */
  readonly heldIds: readonly string[];
}

export type RecordMatch<T> =
  | { readonly kind: 'absent' }
  | { readonly kind: 'found'; readonly record: T }
  | { readonly kind: 'unclear'; readonly records: readonly T[] };

/**
 * Whether the service's list shows what was sent: a new id with our amount, created not before the "sending" row less
 * the skew, is ours; several, or a new one that fits nothing, are for a person (rules 17, 18).
 */
export function matchSent<T extends Listed>(listed: readonly T[], sent: Sent): RecordMatch<T> {
  const held = new Set(sent.heldIds);
  const fresh = listed.filter((each) => each.isOther !== true && !held.has(each.id));
  const ours = fresh.filter((each) => sameMoney(each.amount, sent.amount) && each.createdAt >= sent.at - CLOCK_SKEW);
  const strange = fresh.filter((each) => !ours.includes(each) && each.status !== 'failed');
  const [only] = ours;
  if (only === undefined && strange.length === 0) return { kind: 'absent' };
  if (only !== undefined && ours.length === 1 && strange.length === 0) return { kind: 'found', record: only };
  return { kind: 'unclear', records: [...ours, ...strange] };
}

/** When something was asked and when the answer was here, by our clock. Real time, epoch ms. */
export interface Asked {
  readonly askedAt: number;
  readonly answeredAt: number;
}

/**
 * By how many ms another clock is ahead of ours at the least, negative where it is behind; 0 where both may agree. It
 * showed `shown` at some moment between the two of ours, cut to whole seconds.
 */
export function certainLead(shown: number, { askedAt, answeredAt }: Asked): number {
  // Ours may have been set back between the two.
  const earliest = Math.min(askedAt, answeredAt);
  const latest = Math.max(askedAt, answeredAt);
  if (shown > latest) return shown - latest;
  return Math.min(0, shown + SECOND - 1 - earliest);
}

/**
 * Why nothing may be sent: the service's clock decides which of its records may be ours (rule 16). Null where they
 * agree.
 */
export function whyClocksDiffer(lead: number | undefined): string | null {
  if (lead === undefined || Math.abs(lead) <= CLOCK_SKEW) return null;
  const seconds = Math.floor(Math.abs(lead) / SECOND);
  return `the clock of the service is ${seconds} s or more ${lead > 0 ? 'ahead of' : 'behind'} ours`;
}
