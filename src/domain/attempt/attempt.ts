import type { KnownRecord, ListedCapture } from '../evidence';
import type { Money } from '../money';
import type { Listed, Sent, SendState } from '../send';
import type { CollectPlan, CollectResult } from '../subscription/state';
import type { ClockSetting, Instant } from '../time';

/**
 * One debit, capture or refund to be made. It does not change while it is carried out. (Here an attempt may also be a capture or a
 * refund; elsewhere an attempt is one try of a cycle.)
 */
export interface Attempt extends Pick<CollectPlan, 'settleOnly' | 'parked' | 'knownUnresolved'> {
  /** The kind of record that the service creates. */
  readonly recordKind: 'authorization' | 'capture' | 'refund';
  readonly amount: Money;
  /**
   * When the debit was due, or the order was placed. Unless {@link LedgerFacts} name another start, a record created
   * earlier, by more than the clock skew, does not belong to the attempt.
   */
  readonly since: Instant;
  /** Nothing is sent before this instant: the due date of a debit; -Infinity for a capture or a refund. */
  readonly notBefore: Instant;
  /** Nothing is sent at or after this instant; null if there is no such limit. */
  readonly sendBefore: Instant | null;
  /** The end of the collection window, or of the time to capture; null for a refund. */
  readonly endsAt: Instant | null;
  /** For a debit: the previous attempt was refused. */
  readonly isRetry: boolean;
}

/** The last send of an attempt, from its row. Real times in epoch ms. */
export interface Send extends Omit<Sent, 'takenIds'> {
  /** 0 for the first send, plus 1 for each earlier send; another send is possible only under {@link isToBeSent}. */
  readonly send: number;
  readonly state: SendState;
  readonly sendingRealAt: number;
  readonly unknownSinceReal: number | null;
  /** Consecutive checks that found nothing. */
  readonly absentChecks: number;
  readonly acceptedAnswer: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
  /** The service's id of the record, and its createdAt; null if unknown. */
  readonly id: string | null;
  readonly createdAt: Instant | null;
  /** Another system created the record (rule 40). */
  readonly adopted: boolean;
  /** The record was refused, and the service has since shown it as pending or successful (rule 36). */
  readonly wasRefused: boolean;
  /** The service reported it as successful before its capture was final (rule 37). */
  readonly authorized: boolean;
  readonly unlistedSinceReal: number | null;
  readonly contradictedSinceReal: number | null;
  /** An operator decided the outcome. */
  readonly isResolved: boolean;
}

/** A record of the service, with the reason if it failed. */
export interface ServiceRecord extends Listed {
  readonly detail?: string | undefined;
  readonly description?: string | undefined;
}

export interface ServiceCapture extends ListedCapture {
  readonly detail?: string | undefined;
  readonly unknownStatus?: string | undefined;
}

/** The service's response to a request for a list. */
export type ListResult<T> =
  | {
      readonly kind: 'listed';
      readonly records: readonly T[];
      /** Why the response says that it is incomplete. */
      readonly incomplete?: string | undefined;
      /** The minimum in ms by which the service's clock is ahead of ours. */
      readonly clockLead?: number | undefined;
    }
  | Unreadable;

/** `retryAfter`: real ms for which the service asked not to be called; 0 if it did not. */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly why: string;
  readonly retryAfter: number;
}

export type ConsentFacts =
  | { readonly kind: 'granted' | 'pending' }
  | Pick<Extract<CollectResult, { kind: 'consent_ended' }>, 'kind' | 'by' | 'reason'>
  | Unreadable;

/** What the ledger shows before the service is called. */
export interface LedgerFacts {
  /** A record that the ledger lacks may belong to this attempt if it was created at or after this instant (rule 40). */
  readonly since: Instant;
  readonly isStopped: boolean;
  readonly isHalted: boolean;
  /** The number of the attempt's sends that had an unknown outcome and were then settled as never made. */
  readonly sends: number;
  /** Real time since which the last of them had an unknown outcome; null if there is none. */
  readonly lastUnknownReal: number | null;
  /**
   * Whether the service has answered any POST of the installation readably since `lastUnknownReal`; also false if
   * `sends` is too low for this to make a difference.
   */
  readonly isAnswered: boolean;
  /** For a debit: the amount that the cycle collects without its pending change. */
  readonly currentAmount: Money | null;
  /** Whether an item about an incomplete list is open. */
  readonly hasIncompleteListItem: boolean;
}

/** The service's records that the ledger already has. */
export interface OwnRecords {
  readonly known: readonly KnownRecord[];
  /** For a debit: the known records of the same cycle. */
  readonly ofCycle: readonly KnownRecord[];
  /** Another order of the payment has an unknown outcome, so the service may list its record. */
  readonly isOtherUnknown: boolean;
}

/**
 * The result of the transaction of the row "sending", or of its POST. `other_unknown`: an order past its deadline cannot end
 * before another order of the same payment is settled.
 */
export type SendResult =
  | { readonly kind: 'stopped' | 'no_notice' | 'halted' | 'blocked' }
  | { readonly kind: 'other_unknown' }
  | { readonly kind: 'closed'; readonly status: string }
  | { readonly kind: 'probing'; readonly wait: number }
  | { readonly kind: 'accepted'; readonly made: ServiceRecord }
  | {
      readonly kind: 'rejected';
      readonly detail: string;
      readonly description: string;
      readonly retryable: boolean;
      readonly made?: ServiceRecord | undefined;
    }
  | { readonly kind: 'not_sent'; readonly reason: string; readonly retryAfter: number }
  | { readonly kind: 'unknown'; readonly reason: string; readonly accepted?: string | undefined };

/**
 * What is known now. Facts that were not requested yet are null: the state machine requests them, and is called again with the
 * response. When the row changes, all facts are dropped.
 */
export interface Facts {
  readonly now: Instant;
  readonly realNow: number;
  readonly clock: ClockSetting | null;
  /** Real ms since the attempt was first unable to proceed. */
  readonly age: number;
  /** The settle time, real ms. */
  readonly settle: number;
  readonly requestTimeout: number;
  readonly listDays: number | null;
  readonly send: Send | null;
  /** A refused attempt of the cycle that the service lists again (rule 36): `decided` if it is now `successful` or `capture_failed`. */
  readonly reopened: 'pending' | 'decided' | null;
  readonly ledger: LedgerFacts | null;
  readonly consent: ConsentFacts | null;
  readonly list: ListResult<ServiceRecord> | null;
  readonly own: OwnRecords | null;
  /** All ids that this send cannot have created. */
  readonly takenIds: readonly string[] | null;
  readonly captures: ListResult<ServiceCapture> | null;
  readonly sent: SendResult | null;
  /** The record in the service's answer to the POST of the previous pass; null if there is none. */
  readonly answered: ServiceRecord | null;
  /** What was done in this pass, so that it is done only once. */
  readonly done: ReadonlySet<DoneStep>;
}

export type DoneStep = 'counted' | 'reread' | 'reopened' | 'alert' | 'list' | 'failed_again';

/**
 * Whether the attempt has created nothing yet: there is no send, the send never arrived, or the adopted authorization of another
 * system was refused.
 */
export function isToBeSent(send: Pick<Send, 'state' | 'adopted'> | null): boolean {
  if (send === null || send.state === 'not_sent') return true;
  return send.adopted && (send.state === 'rejected' || send.state === 'rejected_retryable');
}

/** Whether the collection window, or the time to capture, has ended. */
export function isOver({ endsAt }: Attempt, { now }: Pick<Facts, 'now'>): boolean {
  return endsAt !== null && now >= endsAt;
}

export function isDebit({ recordKind }: Attempt): boolean {
  return recordKind === 'authorization';
}
