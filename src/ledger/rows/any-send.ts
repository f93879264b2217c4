import type { PaymentId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import { IN_DOUBT, isFinal, type SendState } from '../../domain/send';
import { type Instant, toIso } from '../../domain/time';
import type { EventData } from '../../domain/audit/event';
import { instantToColumn, jsonToColumn, textToColumn, wordsOf } from '../sql/statements';
import { IS_UNANSWERED } from './posts';
import { IS_HALTED } from '../sql/installation';

/** One POST that moves money, a debit's or an order's: what was sent, and what became of it. */
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
  /** Real time since when the outcome is not known; null where it never was unknown. */
  readonly unknownSinceReal: number | null;
  /** Looks in a row that found nothing. */
  readonly absentLooks: number;
  /** What the service showed right before sending, and no earlier send of the payment and kind had seen or made. */
  readonly knownIds: readonly string[];
  readonly detail: string | null;
  readonly description: string | null;
  readonly reason: string | null;
  /** An accepted answer that could not be stored as it came: it was made, whatever lists say (rule 38). */
  readonly acceptedAnswer: string | null;
  /** The process that sent it. */
  readonly owner: string;
  /** When it became final. */
  readonly outcomeAt: Instant | null;
}

/** Who sends, when, and what the service has just shown. */
export interface SendStart {
  /** Business time of sending. */
  readonly at: Instant;
  /** Real time of sending. */
  readonly realAt: number;
  /** Ids of all records of its kind that the service has just shown. */
  readonly knownIds: readonly string[];
  /** The process that sends. */
  readonly owner: string;
  /** The service has answered nothing lately: one POST goes out in so many real ms, as a probe (rule 39). */
  readonly probeInterval?: number | undefined;
}

export type BeginSendResult<Row> =
  | StartedSend<Row>
  | BlockedSend<Row>
  /** All sending of the installation is halted. */
  | { readonly kind: 'halted' }
  /** The service has answered nothing lately, and another probe left less than the interval ago; real ms until the next. */
  | { readonly kind: 'probing'; readonly wait: number };

/** The row is committed: the process that got this, and no other, may POST once. */
export interface StartedSend<Row> {
  readonly kind: 'started';
  readonly send: Row;
}

/** Another send stands in the way: one in doubt of the payment, or one of the same debit or order, this one or a later. */
export interface BlockedSend<Row> {
  readonly kind: 'blocked';
  readonly by: Row;
}

export type RecordOutcomeResult<Row> =
  | { readonly kind: 'recorded'; readonly send: Row }
  /** Nothing was written: the send is final already, or further than this outcome. With its current row. */
  | { readonly kind: 'stands'; readonly send: Row };

/** As part of a query, after the column of a state. */
export const IS_IN_DOUBT = `in (${wordsOf(IN_DOUBT)})`;

/** As {@link IS_IN_DOUBT}: no last word on it. */
export const IS_UNDER_WAY = `in (${wordsOf([...IN_DOUBT, 'pending'])})`;

/** As {@link IS_IN_DOUBT}: it is on the wire, pending at the service, or successful. */
export const IS_ON_ITS_WAY = `in ('sending', 'pending', 'successful')`;

/** As {@link IS_IN_DOUBT}: the bank or the service has refused the debit. */
export const IS_REFUSED = `in ('rejected_retryable', 'rejected', 'capture_failed')`;

/** Counts looks in a row that found nothing as $1 says, or begins anew; of a send whose outcome is not known. */
export const SET_LOOKS = 'absent_looks = case when $1 then absent_looks + 1 else 0 end';

/** What an outcome writes to the row of a send. The first eight parameters are {@link outcomeValues}. */
export const SET_OUTCOME = `state = $1, detail = $2, description = $3, reason = $4,
       unknown_since_real = coalesce(unknown_since_real, $5), outcome_at = $6,
       accepted_answer = coalesce($7, accepted_answer), reported_real_at = coalesce($8, reported_real_at)`;

/** The fields that {@link SET_OUTCOME} writes, of any outcome. */
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
    ...[state, textToColumn(detail), textToColumn(description), textToColumn(reason)],
    ...[instantToColumn(sinceReal), isFinal(state) ? instantToColumn(at) : null],
    ...[textToColumn(accepted), instantToColumn(reportedReal)],
  ];
}

/** The same fields by the names of their columns, as JSON takes them; what is text can be stored. */
export function outcomeColumns(outcome: OutcomeFields, at: Instant): Readonly<Record<string, unknown>> {
  const { state, detail = null, description = null, reason = null, sinceReal = null } = outcome;
  const { accepted: accepted_answer = null, reportedReal = null } = outcome;
  const texts = JSON.parse(jsonToColumn({ detail, description, reason, accepted_answer }) ?? '{}') as object;
  return {
    ...{ state, ...texts, unknown_since_real: instantToColumn(sinceReal) },
    outcome_at: isFinal(state) ? instantToColumn(at) : null,
    reported_real_at: instantToColumn(reportedReal),
  };
}

/** Fields of an outcome that are instants, business or real. */
const INSTANTS: readonly string[] = ['createdAt', 'nextDueAt', 'sinceReal'];

/** When the program heard of it is for judging lists, and no part of what happened. */
const NOT_LOGGED = 'reportedReal';

/** An outcome as the trail has it: every instant as ISO text. */
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

/** What the ledger says before the service is asked anything. */
export interface Precheck {
  /** Whether all sending is halted. */
  readonly isHalted: boolean;
  /** How many sends were in vain: their outcome was not known until they were settled as never made. */
  readonly sends: number;
  /** Real time since when the last of them was in doubt; null where there is none. */
  readonly lastInDoubtReal: number | null;
  /** The last five POSTs of the whole installation all ended with an unknown outcome (rule 39). */
  readonly isUnanswered: boolean;
}

/** Selects it. @param which table and condition of ours, never a caller's text */
export function precheckOf(which: string): string {
  return `select count(*) as sends, max(unknown_since_real) as last_in_doubt_real, ${IS_HALTED} as is_halted,
       ${IS_UNANSWERED} as is_unanswered
     from ${which} and state = 'not_sent' and unknown_since_real is not null`;
}
