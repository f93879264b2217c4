import type { DailyState, DailyStep } from '../domain/daily-work';
import type { ClockSetting, Instant, Period } from '../domain/time';
import type { Actor } from '../domain/audit/event';

/** The types of the workflow that does the daily work, and of the one that compares the ledger with the service. */
export const HOUSEKEEPING_WORKFLOW = 'housekeeping';
export const RECONCILIATION_WORKFLOW = 'reconciliation';

/** The default task queue. */
const DEFAULT_TASK_QUEUE = 'billing';

/** One for each task queue: several stacks, each with its own ledger and clock, may share a namespace. */
export function housekeepingWorkflowId(taskQueue: string): string {
  return taskQueue === DEFAULT_TASK_QUEUE ? HOUSEKEEPING_WORKFLOW : `${HOUSEKEEPING_WORKFLOW}/${taskQueue}`;
}

/** For runs that an operator orders, one at a time; the daily run has its own id. */
export function reconciliationWorkflowId(taskQueue: string): string {
  return `${RECONCILIATION_WORKFLOW}/${taskQueue}`;
}

export interface HousekeepingInput {
  readonly clock: ClockSetting | null;
  /** Null at the first start. */
  readonly state: DailyState | null;
}

/** What the workflow reports after each step: its state and the result of the step; null after a wait. */
export interface DailyQuestion {
  readonly state: DailyState | null;
  readonly came:
    | { readonly kind: 'result'; readonly result: ConsentPage | Leftovers | OrphanPage | ReconciliationResult }
    | { readonly kind: 'failed'; readonly reason: string }
    | null;
}

/** The next step for the workflow to carry out, and the state for it to keep. */
export interface DailyDecision {
  readonly state: DailyState;
  readonly step: DailyStep;
  /** One line for operators. */
  readonly summary: string;
  /** For the current details in the Web UI, in Markdown. */
  readonly details: string;
}

/** What the worker does for these workflows. Inputs and results hold ids, counts and times only (rules 28, 29). */
export interface HousekeepingActivities {
  /** Decides the next step of the daily work. */
  decideDaily(input: DailyQuestion): Promise<DailyDecision>;
  /** Checks each consent once per due cycle, until it has found enough that have ended, or none is left (rule 8). */
  checkDueConsents(input: ConsentPageInput): Promise<ConsentPage>;
  /** Compares the ledger with the service's records, payment by payment, from the run's current position. */
  reconcileLedger(input: ReconcileInput): Promise<ReconciliationResult>;
  /** Checks whether every subscription and payment that has not ended has its workflow (rule 30). */
  findOrphans(input: OrphanPageInput): Promise<OrphanPage>;
  /** Removes expired drafts and old reconciliations, and erases payers without any active subscription or payment. */
  removeLeftovers(): Promise<Leftovers>;
}

export interface OrphanPageInput {
  /** The position after which to check; null at the beginning. */
  readonly after: string | null;
}

export interface OrphanPage {
  readonly checked: number;
  /** Those without a workflow, which open an attention item. */
  readonly orphaned: number;
  /** What follows this position is still to be checked; null if nothing is left. */
  readonly after: string | null;
}

export interface ConsentPageInput {
  /** Subscriptions due then or before are checked. */
  readonly dueBy: Instant;
  /** The position after which to check; null at the beginning. */
  readonly after: string | null;
}

export interface ConsentPage {
  /** How many consents turned out cancelled or failed. */
  readonly ended: number;
  readonly asked: number;
  /** How many answers could not be read; tried again the next day. */
  readonly unreadable: number;
  /** Those after this position are still to be checked; null if none is left. */
  readonly after: string | null;
}

/** The actor is the one who requests the comparison. */
export interface ReconciliationInput extends Actor {
  readonly period: Period;
  /** Real ms for which calls to an unavailable service are retried. */
  readonly timeout: number;
  /** Whether each difference that is not in the audit log yet is written to it. */
  readonly announce: boolean;
  /**
   * For the daily run: what has changed is compared first, then what has waited longest, until this instant of business time;
   * the next day continues from there. Absent if everything in the period is compared.
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
  /** An operator has stopped it between two payments. */
  | { readonly kind: 'stopped'; readonly runId: string; readonly payments: number; readonly differences: number };

export interface Leftovers {
  readonly drafts: number;
  readonly reconciliations: number;
  /** Payers erased because everything of theirs ended long ago; absent if no retention period is configured. */
  readonly payers?: number;
}
