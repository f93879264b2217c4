import type { KnownRecord, ListedCapture } from '../evidence';
import type { Money } from '../money';
import type { Listed, Sent, SendState } from '../send';
import type { CollectResult } from '../subscription/state';
import type { ClockSetting, Instant } from '../time';

/** One debit, capture or refund as it is ordered: nothing of it changes while it is carried out. */
export interface Attempt {
  /** The kind of record that the service creates. */
  readonly makes: 'authorization' | 'capture' | 'refund';
  readonly amount: Money;
  /** When it was due or ordered: records that the service created earlier, less the skew, do not belong to it. */
  readonly since: Instant;
  /** Nothing is sent before it: the due date of a debit, the time of an order. */
  readonly notBefore: Instant;
  /** Nothing is sent at or after it; null if there is no such limit. */
  readonly sendBefore: Instant | null;
  /** The end of the collection window, or of the time to capture; null for a refund. */
  readonly endsAt: Instant | null;
  /** Of a debit: the attempt before it was refused. */
  readonly isRetry: boolean;
  /** Its outcome is asked for until it is known; nothing is sent. */
  readonly settleOnly: boolean;
  /** Followed beside the later cycles, or an operator has it: the workflow is answered only once it is final. */
  readonly parked: boolean;
  /** The cycle is already shown as unresolved. */
  readonly knownUnresolved: boolean;
}

/** The last send of an attempt, as its row has it. Real times in epoch ms. */
export interface Send extends Omit<Sent, 'heldIds'> {
  /** 0 first, and one more after each send that never arrived. */
  readonly send: number;
  readonly state: SendState;
  readonly sendingRealAt: number;
  readonly unknownSinceReal: number | null;
  /** Checks in a row that found nothing. */
  readonly absentChecks: number;
  readonly acceptedAnswer: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
  /** What the service calls the record, and its createdAt; null if they are not known. */
  readonly id: string | null;
  readonly createdAt: Instant | null;
  /** Another system made it (rule 40). */
  readonly adopted: boolean;
  /** It was refused, and the service has listed it as pending or successful since (rule 36). */
  readonly wasRefused: boolean;
  /** The service has reported it as successful before its capture was final (rule 37). */
  readonly authorized: boolean;
  readonly unlistedSinceReal: number | null;
  readonly contradictedSinceReal: number | null;
  /** An operator decided what became of it. */
  readonly isResolved: boolean;
}

/** A record of the service, with the reason if it has failed. */
export interface Shown extends Listed {
  readonly detail?: string | undefined;
  readonly description?: string | undefined;
}

export interface ShownCapture extends ListedCapture {
  readonly detail?: string | undefined;
  readonly unknownStatus?: string | undefined;
}

/** The service's answer to a request for a list. */
export type Answered<T> =
  | {
      readonly kind: 'listed';
      readonly records: readonly T[];
      /** Why it says that it is incomplete. */
      readonly incomplete?: string | undefined;
      /** By how many ms the service's clock is certainly ahead of ours. */
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

/** What the ledger says before the service is asked anything. */
export interface LedgerFacts {
  /** From when on a record that the ledger lacks may be this attempt's (rule 40). */
  readonly since: Instant;
  readonly isHeld: boolean;
  readonly isHalted: boolean;
  /** Sends of it whose outcome was unknown until they were settled as never made. */
  readonly sends: number;
  /** Real time since when the last of them was unknown; null if there is none. */
  readonly lastUnknownReal: number | null;
  /** A POST of the installation has been answered readably since. */
  readonly isAnswered: boolean;
  /** Of a debit: what the cycle collects without its pending change. */
  readonly currentAmount: Money | null;
  /** An operator has the item of an incomplete list. */
  readonly hasListItem: boolean;
}

/** Records that the ledger has as its own. */
export interface OwnRecords {
  readonly known: readonly KnownRecord[];
  /** Of a debit: those of the same cycle. */
  readonly ofCycle: readonly KnownRecord[];
  /** Another order of the payment has an unknown outcome: the service may list it. */
  readonly isOtherUnknown: boolean;
}

/**
 * What the transaction of the row "sending", or the answer to its POST, came to. `other_unknown`: an order past its deadline cannot end
 * before another one of its payment is settled.
 */
export type SendResult =
  | { readonly kind: 'held' | 'no_notice' | 'halted' | 'blocked' }
  | { readonly kind: 'other_unknown' }
  | { readonly kind: 'closed'; readonly status: string }
  | { readonly kind: 'probing'; readonly wait: number }
  | { readonly kind: 'accepted'; readonly made: Shown }
  | {
      readonly kind: 'rejected';
      readonly detail: string;
      readonly description: string;
      readonly retryable: boolean;
      readonly made?: Shown | undefined;
    }
  | { readonly kind: 'not_sent'; readonly reason: string; readonly retryAfter: number }
  | { readonly kind: 'unknown'; readonly reason: string; readonly accepted?: string | undefined };

/**
 * What is known at this moment. What was not asked for yet is null: the machine names it, and is asked again with the answer.
 * Nothing outlives a change of the row.
 */
export interface Facts {
  readonly now: Instant;
  readonly realNow: number;
  readonly clock: ClockSetting | null;
  /** Real ms since nothing could be done for it. */
  readonly age: number;
  /** The settle time, real ms. */
  readonly settle: number;
  readonly requestTimeout: number;
  readonly listDays: number | null;
  readonly send: Send | null;
  /** A refused attempt of the cycle that the service lists again: followed, or it has decided the cycle (rule 36). */
  readonly beside: 'reopened' | 'decided' | null;
  readonly ledger: LedgerFacts | null;
  readonly consent: ConsentFacts | null;
  readonly list: Answered<Shown> | null;
  readonly own: OwnRecords | null;
  /** All ids that this send cannot have created. */
  readonly heldIds: readonly string[] | null;
  readonly captures: Answered<ShownCapture> | null;
  readonly sent: SendResult | null;
  /** What the service has just answered to its POST, in the pass before; null if that is not known. */
  readonly answered: Shown | null;
  /** What has been done in this pass, so that it is done only once. */
  readonly done: ReadonlySet<Done>;
}

export type Done = 'counted' | 'reread' | 'beside' | 'alert' | 'list' | 'failed_again';

/** It has created nothing for this cycle: it never arrived, or another system created it and it was refused. */
export function isToBeSent(send: Pick<Send, 'state' | 'adopted'> | null): boolean {
  if (send === null || send.state === 'not_sent') return true;
  return send.adopted && (send.state === 'rejected' || send.state === 'rejected_retryable');
}

/** Whether the collection window, or the time to capture, has ended. */
export function isOver({ endsAt }: Attempt, { now }: Pick<Facts, 'now'>): boolean {
  return endsAt !== null && now >= endsAt;
}

export function isDebit({ makes }: Attempt): boolean {
  return makes === 'authorization';
}
