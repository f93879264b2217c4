import type { PaymentId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import { UNKNOWN_OUTCOME, isFinal, type SendState } from '../../domain/send';
import { type Instant, toIso } from '../../domain/time';
import type { EventData } from '../../domain/audit/event';
import { instantToColumn, jsonToColumn, textToColumn, sqlListOf } from '../sql/statements';
import { IS_UNANSWERED } from './posts';
import { IS_HALTED } from '../sql/installation';

/** One POST that moves money, of a debit or an order: what was sent, and its outcome. */
export interface SendRecord<State extends SendState = SendState> {
  /** 0, and one more after each send that never arrived. */
  readonly send: number;
  readonly paymentId: PaymentId;
  readonly amount: Money;
  readonly state: State;
  /** Business time of sending. */
  readonly at: Instant;
  /** Real time of sending. */
  readonly sendingRealAt: number;
  /** Real time since which the outcome has been unknown; null if it never was. */
  readonly unknownSinceReal: number | null;
  /** Consecutive checks that found nothing. */
  readonly absentChecks: number;
  /**
   * Ids that the service showed right before sending, except those that earlier sends of the payment and kind had seen or
   * created.
   */
  readonly knownIds: readonly string[];
  readonly detail: string | null;
  readonly description: string | null;
  readonly reason: string | null;
  /** An accepted answer that could not be stored as received: the debit or order was made, whatever lists show (rule 38). */
  readonly acceptedAnswer: string | null;
  /** The process that sent it. */
  readonly owner: string;
  /** When it became final. */
  readonly outcomeAt: Instant | null;
}

/** The sender, the time, and what the service has just shown. */
export interface SendStart {
  /** Business time of sending. */
  readonly at: Instant;
  /** Real time of sending. */
  readonly realAt: number;
  /** Ids of all records of this kind that the service has just shown. */
  readonly knownIds: readonly string[];
  /** The process that sends. */
  readonly owner: string;
  /** Set if the service has not answered lately: one POST goes out per interval as a probe, real ms (rule 39). */
  readonly probeInterval?: number | undefined;
}

export type BeginSendResult<Row> =
  | StartedSend<Row>
  | BlockedSend<Row>
  /** All sending of the installation is halted. */
  | { readonly kind: 'halted' }
  /** The service has not answered lately, and another probe was sent less than the interval ago; real ms until the next. */
  | { readonly kind: 'probing'; readonly wait: number };

/** The row is committed: only the process that received this result may POST, once. */
export interface StartedSend<Row> {
  readonly kind: 'started';
  readonly send: Row;
}

/**
 * Another send blocks it: one of the same payment with an unknown outcome, or one of the same debit or order that did reach the
 * service.
 */
export interface BlockedSend<Row> {
  readonly kind: 'blocked';
  readonly by: Row;
}

export type RecordOutcomeResult<Row> =
  | { readonly kind: 'recorded'; readonly send: Row }
  /** Nothing was written: the send is final already, or further along than this outcome. With its current row. */
  | { readonly kind: 'unchanged'; readonly send: Row };

/** SQL to follow the state column of a send: its outcome is unknown. */
export const HAS_UNKNOWN_OUTCOME = `in (${sqlListOf(UNKNOWN_OUTCOME)})`;

/** SQL to follow the state column: the send is not final. */
export const IS_NOT_FINAL = `in (${sqlListOf([...UNKNOWN_OUTCOME, 'pending'])})`;

/** SQL to follow the state column: the amount is being collected (on the wire, or pending at the service), or was collected. */
export const IS_COLLECTING = `in ('sending', 'pending', 'successful')`;

/** SQL to follow the state column: the bank or the service has refused the debit, or its capture failed. */
export const IS_REFUSED = `in ('rejected_retryable', 'rejected', 'capture_failed')`;

/** Counts consecutive checks that found nothing if $1 is true, or restarts the count; for a send with an unknown outcome. */
export const COUNT_ABSENCES = 'absent_checks = case when $1 then absent_checks + 1 else 0 end';

/**
 * The columns of a send that an outcome writes. The first eight parameters are {@link outcomeValues}. A success that the service
 * has not reported was found by an operator: the time of an earlier report by the service is then removed.
 */
export const SET_OUTCOME = `state = $1, detail = $2, description = $3, reason = $4,
       unknown_since_real = coalesce(unknown_since_real, $5), outcome_at = $6,
       accepted_answer = coalesce($7, accepted_answer),
       reported_real_at = case when $1 = 'successful' then $8 else coalesce($8, reported_real_at) end`;

/** The fields that {@link SET_OUTCOME} writes, for any outcome. */
interface OutcomeFields {
  readonly state: SendState;
  readonly detail?: string;
  readonly description?: string;
  readonly reason?: string;
  readonly sinceReal?: number;
  readonly accepted?: string | undefined;
  readonly reportedReal?: number | undefined;
}

export function outcomeValues(outcome: OutcomeFields, at: Instant): unknown[] {
  const { state, detail = null, description = null, reason = null, sinceReal = null } = outcome;
  const { accepted = null, reportedReal = null } = outcome;
  return [
    state,
    textToColumn(detail),
    textToColumn(description),
    textToColumn(reason),
    instantToColumn(sinceReal),
    isFinal(state) ? instantToColumn(at) : null,
    textToColumn(accepted),
    instantToColumn(reportedReal),
  ];
}

/** The columns of an outcome by name, for JSON; texts are made storable. */
export function outcomeColumns(outcome: OutcomeFields, at: Instant): Readonly<Record<string, unknown>> {
  const { state, detail = null, description = null, reason = null, sinceReal = null } = outcome;
  const { accepted: accepted_answer = null, reportedReal = null } = outcome;
  const texts = JSON.parse(jsonToColumn({ detail, description, reason, accepted_answer }) ?? '{}') as object;
  return {
    state,
    ...texts,
    unknown_since_real: instantToColumn(sinceReal),
    outcome_at: isFinal(state) ? instantToColumn(at) : null,
    reported_real_at: instantToColumn(reportedReal),
  };
}

/** Fields of an outcome that hold instants, business or real. */
const INSTANTS: readonly string[] = ['createdAt', 'nextDueAt', 'sinceReal'];

/** The time of the report is used only to evaluate lists, and is not part of what happened. */
const NOT_LOGGED = 'reportedReal';

/** An outcome as audit data: every instant as ISO text. */
export function outcomeData(outcome: object): EventData {
  return Object.fromEntries(
    Object.entries(outcome)
      .filter(([name]) => name !== NOT_LOGGED)
      .map(([name, value]: [string, unknown]) => [
        name,
        INSTANTS.includes(name) && typeof value === 'number' ? toIso(value) : value,
      ]),
  );
}

/** The texts of an outcome, which may name the payer. */
const TEXTS = ['description', 'reason'];

/** The outcome that contradicts a final one, as audit data. Its texts are at the top level: only there can they be erased or redacted. */
export function contradictionData(found: EventData): EventData {
  const [texts, facts] = [true, false].map((areTexts) =>
    Object.fromEntries(Object.entries(found).filter(([name]) => TEXTS.includes(name) === areTexts)),
  );
  return { found: facts, ...texts };
}

/** What the ledger shows before the service is queried. */
export interface Precheck {
  /** Whether all sending is halted. */
  readonly isHalted: boolean;
  /** How many sends were settled as absent after their outcome had been unknown. */
  readonly sends: number;
  /** Real time since which the last of them had an unknown outcome; null if there is none. */
  readonly lastUnknownReal: number | null;
  /** Whether the last five POSTs of the whole installation all ended with an unknown outcome (rule 39). */
  readonly isUnanswered: boolean;
}

/** The query for a {@link Precheck}. @param which a fixed table and condition, never text from a caller */
export function precheckOf(which: string): string {
  return `select count(*) as sends, max(unknown_since_real) as last_unknown_real, ${IS_HALTED} as is_halted,
       ${IS_UNANSWERED} as is_unanswered
     from ${which} and state = 'not_sent' and unknown_since_real is not null`;
}
