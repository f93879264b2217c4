import type { Contradicted, KnownRecord, Revived } from '../evidence';
import type { AuthorizationId, CaptureId } from '../ids';
import type { Listed } from '../send';
import type { CollectResult } from '../subscription/state';
import type { EventData } from '../audit/event';
import type { EventType } from '../audit/events';
import type { Instant } from '../time';
import type { ServiceRecord } from './attempt';

/**
 * The next action of an attempt. One interpreter (`activities/collect/interpreter.ts`) carries it out and asks for the
 * next. The state machine that returns actions never waits and never ends an activity: both are the
 * interpreter's task.
 */
export type Action =
  /** Requests a missing fact. `row`: whether another worker has continued the attempt meanwhile. */
  | { readonly kind: 'check'; readonly fact: 'ledger' | 'consent' | 'list' | 'own' | 'takenIds' | 'row' }
  /** Requests the service's list for a row whose outcome is not final. */
  | { readonly kind: 'poll' }
  /** Reads the captures of one authorization, or of the payment. */
  | { readonly kind: 'check_captures'; readonly authorizationId: AuthorizationId | null }
  /** Commits the row "sending", if its transaction permits that, and then sends the POST. */
  | { readonly kind: 'send'; readonly knownIds: readonly string[] }
  /**
   * Counts a check that did not find a send with an unknown outcome, or, if not `absent`, restarts the count. `then`
   * follows immediately, unless the row has changed meanwhile.
   */
  | {
      readonly kind: 'count_absence';
      readonly absent: boolean;
      readonly then?: Extract<Action, { kind: 'settle' }> | Answer | RetryLater;
    }
  /** Stores what was observed about a pending record. */
  | { readonly kind: 'observe'; readonly seen: Observation }
  /** Writes the outcome of the send. `then` follows immediately if it was written, or in any case with `evenIfNotWritten`. */
  | {
      readonly kind: 'settle';
      readonly outcome: Settled;
      readonly then?: Answer | RetryLater;
      readonly evenIfNotWritten?: true;
    }
  /**
   * Polls a refused record again (rule 36). `blocksAttempt`: until that record is final, this attempt must not be sent.
   */
  | { readonly kind: 'reopen'; readonly again: Again; readonly blocksAttempt: boolean }
  /** Adopts a record of another system as the cycle's debit. If that fails, the result is unresolved, because of `otherwise` (rule 40). */
  | { readonly kind: 'adopt'; readonly record: Listed; readonly otherwise: string }
  /** Records what was found, and continues. */
  | {
      readonly kind: 'side_effect';
      readonly sideEffect: Extract<SideEffect, { kind: 'alert' | 'list' | 'failed_again' }>;
    }
  /** Ends an order that may no longer be sent, without a POST. */
  | { readonly kind: 'give_up' }
  /** Follows the reopened attempt of the cycle, a refused one that is listed again, instead of this attempt. */
  | { readonly kind: 'follow_reopened' }
  /** Polls the reopened attempt once. */
  | { readonly kind: 'poll_reopened' }
  | Answer
  | RetryLater;

/** A refused record of the ledger that the service lists or captures after all. */
export type Again = Revived<KnownRecord>;

/** Ends the activity with a result. */
export interface Answer {
  readonly kind: 'answer';
  /** `stored`: the result is in the row. */
  readonly result:
    | { readonly kind: 'stored' }
    | Exclude<CollectResult, { kind: 'collected' | 'rejected' | 'capture_failed' }>;
  readonly sideEffects: readonly SideEffect[];
}

/** Ends the activity until `wait` has passed. */
export interface RetryLater {
  readonly kind: 'retry_later';
  readonly stop: RetryReason;
  readonly why: string;
  /** Real ms. */
  readonly wait: number;
  /**
   * Real ms to wait within the activity instead of ending it, if enough slots are free; null: the activity ends at
   * once.
   */
  readonly inPlace: number | null;
  readonly sideEffects: readonly SideEffect[];
}

/** Why nothing can be done now; a subset of the reasons in `activities/stops`. */
export type RetryReason =
  | 'pending'
  | 'outcome_unknown'
  | 'not_sent'
  | 'service_unreadable'
  | 'clocks_differ'
  | 'blocked'
  | 'halted';

/**
 * The text shown to operators while sending is `halted`. It omits the reason of the halt, which is an operator's free text and
 * must not be in a history (rule 29).
 */
export const HALTED = 'all sending is halted until the halt is lifted';

/** Whether the service, or the connection to it, prevents sending, rather than a halt or another send. */
export function isServiceFault(stop: string | null | undefined): boolean {
  return stop === 'not_sent' || stop === 'service_unreadable' || stop === 'clocks_differ';
}

/** What was observed about a pending record in addition to its status. Instants are real time; null: no longer observed. */
export interface Observation {
  /** The service has listed the record as successful. */
  readonly authorized?: true;
  /** Since when lists have not shown the record. */
  readonly unlistedSinceReal?: number | null;
  /** Since when a successful capture of the record has been seen although the record is listed as refused. */
  readonly contradictedSinceReal?: number | null;
}

/** The outcome of a send that the service has not confirmed. */
export type Unconfirmed =
  | { readonly state: 'not_sent'; readonly reason: string }
  | {
      readonly state: 'unknown';
      readonly reason: string;
      readonly sinceReal: number;
      readonly accepted?: string | undefined;
    }
  | { readonly state: 'unresolved'; readonly reason: string; readonly accepted?: string | undefined };

export type Settled =
  | Unconfirmed
  /**
   * The service has the record. The send becomes pending, or that of an order successful if the record is. If the
   * ledger has the record for another send, the outcome is unresolved, unless that send is a refused one of the same
   * cycle (rule 38).
   */
  | { readonly state: 'accepted'; readonly made: ServiceRecord }
  | {
      readonly state: 'successful';
      readonly id: string;
      readonly createdAt: Instant;
      /** For a debit. */
      readonly captureId?: CaptureId;
      readonly contradiction?: string;
    }
  | {
      readonly state: 'capture_failed';
      readonly id: string;
      readonly createdAt: Instant;
      readonly captureId: CaptureId;
      readonly detail: string;
      readonly contradiction?: string;
    }
  | {
      readonly state: 'refused';
      readonly detail: string;
      readonly description: string;
      readonly retryable: boolean;
      readonly made?: Pick<ServiceRecord, 'id' | 'createdAt'> | undefined;
    }
  /** The first refusal is in force again, with its time and reason (rule 36). */
  | { readonly state: 'refused_again' };

/** An audit entry, an alert or a change of an attention item. Each is written once, however often its cause is detected. */
export type SideEffect =
  /** An alert, which is also logged each time. */
  | { readonly kind: 'alert'; readonly type: EventType; readonly data: EventData }
  /** Only an audit entry. */
  | { readonly kind: 'entry'; readonly type: EventType }
  /** The order needs an operator. */
  | { readonly kind: 'operator'; readonly reason: string }
  /** The pending order is overdue and needs an operator; null: it is not overdue. */
  | { readonly kind: 'overdue'; readonly reason: string | null }
  /** The list of authorizations has been incomplete for too long, or (null) is complete again (rule 39). */
  | { readonly kind: 'list'; readonly reason: string | null }
  /** Records that were successful are now listed as failed (rule 37). */
  | { readonly kind: 'failed_again'; readonly found: readonly Contradicted<KnownRecord, Listed>[] }
  /** The record being polled was successful and is now listed as failed, before its captures are final. */
  | { readonly kind: 'contradiction'; readonly record: Listed; readonly detail: string };

export function answer(result: Answer['result'], ...sideEffects: SideEffect[]): Answer {
  return { kind: 'answer', result, sideEffects };
}

export function retryLater(stop: RetryReason, why: string, wait: number, ...sideEffects: SideEffect[]): RetryLater {
  return { kind: 'retry_later', stop, why, wait, inPlace: null, sideEffects };
}

export function check(fact: Extract<Action, { kind: 'check' }>['fact']): Action {
  return { kind: 'check', fact };
}

export function alertOf(type: EventType, data: EventData): Extract<SideEffect, { kind: 'alert' }> {
  return { kind: 'alert', type, data };
}
