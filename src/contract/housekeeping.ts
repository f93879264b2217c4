import type { DailyState, DailyStep } from '../domain/daily-work';
import type { ClockSetting, Instant, Span } from '../domain/time';
import type { Actor } from '../domain/audit/event';

/** The types of the workflow that does the daily work, and of the one that holds the ledger against the service. */
export const HOUSEKEEPING_WORKFLOW = 'housekeeping';
export const RECONCILIATION_WORKFLOW = 'reconciliation';

/** The task queue of a stack that names none. */
const USUAL_TASK_QUEUE = 'billing';

/** One for each task queue: several stacks, each with its own ledger and clock, may share a namespace. */
export function housekeepingWorkflowId(taskQueue: string): string {
  return taskQueue === USUAL_TASK_QUEUE ? HOUSEKEEPING_WORKFLOW : `${HOUSEKEEPING_WORKFLOW}/${taskQueue}`;
}

/** Of runs that people order, one at a time; the daily one has an id of its own. */
export function reconciliationWorkflowId(taskQueue: string): string {
  return `${RECONCILIATION_WORKFLOW}/${taskQueue}`;
}

export interface HousekeepingInput {
  readonly clock: ClockSetting | null;
  /** Null at the very beginning. */
  readonly state: DailyState | null;
}

/** What the workflow asks after each step: how far it has come, and what the step came to; null after a wait. */
export interface DailyQuestion {
  readonly state: DailyState | null;
  readonly came:
    | { readonly kind: 'result'; readonly result: ConsentPage | Leftovers | OrphanPage | ReconciliationResult }
    | { readonly kind: 'failed'; readonly reason: string }
    | null;
}

/** What comes next, which the workflow carries out and keeps. */
export interface DailyDecision {
  readonly state: DailyState;
  readonly step: DailyStep;
  /** For people, in one line. */
  readonly summary: string;
  /** For the current details in the Web UI, in Markdown. */
  readonly details: string;
}

/** What the worker does for these workflows. Inputs and results hold ids, counts and times only (rules 28, 29). */
export interface HousekeepingActivities {
  /** Decides what of the daily work comes next. */
  decideDaily(input: DailyQuestion): Promise<DailyDecision>;
  /** Asks once a due cycle for each consent, until it has found enough that have ended, or none is left (rule 8). */
  lookAtConsentsDue(input: ConsentPageInput): Promise<ConsentPage>;
  /** Holds the ledger against the service's records, payment by payment, from wherever the run stands. */
  reconcileLedger(input: ReconcileInput): Promise<ReconciliationResult>;
  /** Looks whether every subscription and payment that is not over has its workflow (rule 30). */
  lookForOrphans(input: OrphanPageInput): Promise<OrphanPage>;
  /** Removes expired drafts and old reconciliations, and erases payers of whom nothing is in force any more. */
  removeLeftovers(): Promise<Leftovers>;
}

export interface OrphanPageInput {
  /** The place behind which to look; null at the beginning. */
  readonly after: string | null;
}

export interface OrphanPage {
  readonly looked: number;
  /** Those without a workflow, which open an attention item. */
  readonly orphaned: number;
  /** What lies behind it is still to be looked at; null where nothing is left. */
  readonly after: string | null;
}

export interface ConsentPageInput {
  /** Subscriptions due then or before are checked. */
  readonly dueBy: Instant;
  /** The position behind which to check; null at the beginning. */
  readonly after: string | null;
}

export interface ConsentPage {
  /** Whose consent is cancelled or failed. */
  readonly ended: number;
  readonly asked: number;
  /** Those of which no answer could be read; tried again the next day. */
  readonly unreadable: number;
  /** Those behind this place are still to be looked at; null where none is left. */
  readonly after: string | null;
}

/** By the actor who asks for the comparison. */
export interface ReconciliationInput extends Actor {
  readonly span: Span;
  /** Real ms for which a service that cannot be asked is asked again. */
  readonly patience: number;
  /** Whether each difference that is not in the trail yet is written there. */
  readonly announce: boolean;
  /**
   * Of the work of a day: what has changed is compared, then what has waited longest, until this instant of business time;
   * the next day goes on from there. Left out where everything in the span is compared.
   */
  readonly until?: Instant;
}

export interface ReconcileInput extends ReconciliationInput {
  /** Under it the ledger keeps what is found. */
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
  /** Erased as all of theirs had ended long ago, by reference; left out where they are kept, and by releases that kept them. */
  readonly payers?: number;
}
