import type { Contradicted, KnownRecord, Revived } from '../evidence';
import type { AuthorizationId, CaptureId } from '../ids';
import type { Listed } from '../send';
import type { CollectResult } from '../subscription/state';
import type { EventData } from '../audit/event';
import type { EventType } from '../audit/events';
import type { Instant } from '../time';
import type { Shown } from './attempt';

/**
 * What an attempt does next. One interpreter carries it out (`activities/collect`) and asks again: only it waits, and only it
 * ends an activity with a failure that is retried.
 */
export type Action =
  /** Asks for a fact that is missing. `row`: whether another worker has gone on meanwhile. */
  | { readonly kind: 'check'; readonly fact: 'ledger' | 'consent' | 'list' | 'own' | 'heldIds' | 'row' }
  /** Asks for the list of a row that has an outcome to come. */
  | { readonly kind: 'poll' }
  /** Reads the captures of one authorization, or of the payment. */
  | { readonly kind: 'check_captures'; readonly authorizationId: AuthorizationId | null }
  /** Commits the row and sends, if its transaction permits it. */
  | { readonly kind: 'send'; readonly knownIds: readonly string[] }
  /** Counts a check of a send whose outcome is unknown, or starts the count again. `then` follows at once. */
  | {
      readonly kind: 'count';
      readonly absent: boolean;
      readonly then?: Extract<Action, { kind: 'settle' }> | Answer | ComeBack;
    }
  /** Stores what was seen of a pending record. */
  | { readonly kind: 'observe'; readonly seen: Seen }
  /** Writes the outcome of the send. `then` follows at once: if it was written, or `always`. */
  | { readonly kind: 'settle'; readonly outcome: Settled; readonly then?: Answer | ComeBack; readonly always?: true }
  /** Follows a refused record again (rule 36). `stops`: it keeps this attempt from being sent. */
  | { readonly kind: 'reopen'; readonly again: Again; readonly stops: boolean }
  /** Adopts what another system has created as the cycle's debit, or answers why not (rule 40). */
  | { readonly kind: 'adopt'; readonly record: Listed; readonly otherwise: string }
  | { readonly kind: 'notify'; readonly notice: Extract<Notice, { kind: 'alert' | 'list' | 'failed_again' }> }
  /** Ends an order that may not be sent any more, without a POST. */
  | { readonly kind: 'give_up' }
  /** Follows the refused attempt of the cycle that is listed again, instead of this one. */
  | { readonly kind: 'follow_beside' }
  /** Polls that attempt once. */
  | { readonly kind: 'poll_beside' }
  | Answer
  | ComeBack;

/** A refused record of the ledger that the service lists, or captures, after all. */
export type Again = Revived<KnownRecord>;

/** Ends the activity with a result. */
export interface Answer {
  readonly kind: 'answer';
  /** `stored`: the row has it. */
  readonly result:
    | { readonly kind: 'stored' }
    | Exclude<CollectResult, { kind: 'collected' | 'rejected' | 'capture_failed' }>;
  readonly notify: readonly Notice[];
}

/** Ends the activity until `pause` has passed. */
export interface ComeBack {
  readonly kind: 'come_back';
  readonly stop: Wait;
  readonly why: string;
  /** Real ms. */
  readonly pause: number;
  /** Real ms to wait within the activity first, if its slot is free; null: not at all. */
  readonly inPlace: number | null;
  readonly notify: readonly Notice[];
}

/** Why nothing can be done now: some of the reasons in `activities/stops`. */
export type Wait =
  | 'pending'
  | 'outcome_unknown'
  | 'not_sent'
  | 'service_unreadable'
  | 'clocks_differ'
  | 'blocked'
  | 'halted';

/** The text for operators when sending is `halted`. The halt's reason is an operator's words, which no history may hold (rule 29). */
export const HALTED = 'all sending is halted until the halt is lifted';

/** Whether the service, or the connection to it, prevents sending, rather than a halt or another send. */
export function isServiceFault(stop: string | null | undefined): boolean {
  return stop === 'not_sent' || stop === 'service_unreadable' || stop === 'clocks_differ';
}

/** What is seen of a pending record beside its status. Real times; null: no longer. */
export interface Seen {
  readonly authorized?: true;
  readonly unlistedSinceReal?: number | null;
  readonly contradictedSinceReal?: number | null;
}

/** What became of a send that the service has not confirmed. */
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
  /** The service has it: pending, unless the ledger has the record as another send's (rule 38). */
  | { readonly state: 'accepted'; readonly made: Shown }
  | {
      readonly state: 'successful';
      readonly id: string;
      readonly createdAt: Instant;
      /** Of a debit. */
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
      readonly made?: Pick<Shown, 'id' | 'createdAt'> | undefined;
    }
  /** The first refusal counts again, with its time and reason (rule 36). */
  | { readonly state: 'refused_again' };

/** What is reported. Each is written once, however often it is noticed. */
export type Notice =
  /** An alert: logged each time. */
  | { readonly kind: 'alert'; readonly type: EventType; readonly data: EventData }
  /** An entry of the audit log alone. */
  | { readonly kind: 'entry'; readonly type: EventType }
  /** The order waits for an operator. */
  | { readonly kind: 'operator'; readonly reason: string }
  /** The pending order is overdue, and waits for an operator; null: it is not. */
  | { readonly kind: 'overdue'; readonly reason: string | null }
  /** The list of authorizations has been incomplete for long, or (null) is complete again (rule 39). */
  | { readonly kind: 'list'; readonly reason: string | null }
  /** Records that went through are listed as failed (rule 37). */
  | { readonly kind: 'failed_again'; readonly found: readonly Contradicted<KnownRecord, Listed>[] }
  /** The same of the record that is polled, before its captures are final. */
  | { readonly kind: 'contradiction'; readonly record: Listed; readonly detail: string };

export function answer(result: Answer['result'], ...notify: Notice[]): Answer {
  return { kind: 'answer', result, notify };
}

export function comeBack(stop: Wait, why: string, pause: number, ...notify: Notice[]): ComeBack {
  return { kind: 'come_back', stop, why, pause, inPlace: null, notify };
}

export function check(fact: Extract<Action, { kind: 'check' }>['fact']): Action {
  return { kind: 'check', fact };
}

export function alertOf(type: EventType, data: EventData): Extract<Notice, { kind: 'alert' }> {
  return { kind: 'alert', type, data };
}
