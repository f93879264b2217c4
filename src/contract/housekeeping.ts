import type { DailyOutcome, DailyState, DailyStep } from '../domain/daily-work';
import type { ClockSetting, Instant, Period } from '../domain/time';
import type { Actor } from '../domain/audit/event';

/** The types of the workflows for the daily work, and for comparing the ledger with the service. */
export const HOUSEKEEPING_WORKFLOW = 'housekeeping';
export const RECONCILIATION_WORKFLOW = 'reconciliation';

export interface HousekeepingInput {
  readonly clock: ClockSetting | null;
  /** Null at the first start. */
  readonly state: DailyState | null;
}

/** What the workflow asks at its start and after each step. */
export interface DailyQuestion {
  /** Null at the first start. */
  readonly state: DailyState | null;
  /** The result of the step; null at the start and after a wait. */
  readonly came: DailyOutcome | ReconciliationResult | null;
}

/** The next step for the workflow, and its new state. */
export interface DailyDecision {
  readonly state: DailyState;
  readonly step: DailyStep;
  /** One line for operators. */
  readonly summary: string;
  /** For the current details in the Web UI, in Markdown. */
  readonly details: string;
}

/** The fields of a step that its activity needs. */
export type DailyInput<Kind extends DailyStep['kind']> = Omit<Extract<DailyStep, { readonly kind: Kind }>, 'kind'>;

/** The activities that the worker provides to these workflows. Inputs and results contain only ids, counts and times (rules 28, 29). */
export interface HousekeepingActivities {
  /** Decides the next step of the daily work. */
  decideDaily(input: DailyQuestion): Promise<DailyDecision>;
  /** Checks one page of the consents of subscriptions that fall due, each once for its due date (rule 8). */
  checkDueConsents(input: DailyInput<'consents'>): Promise<DailyOutcome>;
  /** Checks one page of the subscriptions and payments that have not ended: whether each has its workflow (rule 30). */
  findOrphans(input: DailyInput<'workflows'>): Promise<DailyOutcome>;
  /**
   * Removes expired drafts and list snapshots, old reconciliations and approvals, and erases payers after their
   * retention period.
   */
  removeLeftovers(): Promise<DailyOutcome>;
  /** Compares the ledger with the service's records, payment by payment, from the run's current position. */
  reconcileLedger(input: ReconcileInput): Promise<ReconciliationResult>;
}

/** The actor is the one who requested the comparison. */
export interface ReconciliationInput extends Actor {
  readonly period: Period;
  /** Real ms for which calls to an unavailable service are retried. */
  readonly timeout: number;
  /** Whether each difference that is not in the audit log yet is written to it. */
  readonly announce: boolean;
  /**
   * For the daily run: payments that have changed are compared first, then those that have waited longest, until this instant
   * of business time; the next day continues from there. Absent if everything in the period is compared.
   */
  readonly until?: Instant;
}

export interface ReconcileInput extends ReconciliationInput {
  /** The ledger stores the findings under this id. */
  readonly runId: string;
}

export type ReconciliationResult =
  | { readonly kind: 'compared'; readonly runId: string; readonly payments: number; readonly differences: number }
  | { readonly kind: 'service_unavailable'; readonly runId: string; readonly reason: string }
  /** An operator has stopped the comparison between two payments. */
  | { readonly kind: 'stopped'; readonly runId: string; readonly payments: number; readonly differences: number };
