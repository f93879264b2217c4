import type { SubscriptionId } from '../domain/ids';
import type { ClockSetting, Instant } from '../domain/time';
import { type AttemptNumber as AttemptRef, includesAttempt } from '../domain/subscription/step';
import type { SignedMark } from '../domain/audit/event';

/** The number of an attempt of a subscription. */
export { type AttemptRef, includesAttempt };
/** With these, workflows convert between business time and real time: arithmetic of instants, which decides nothing. */
export { type ClockSetting, HOUR, realDelay, scaledTimeout, SECOND } from '../domain/time';

/**
 * The next step of a subscription or a one-time payment. The ledger decides it in the previous activity, and the workflow
 * carries it out. It is recorded in the history, so that a replay does not depend on the release. Kinds are only ever added: a
 * workflow that does not know one waits, and asks again in a separate run.
 */
export interface Step {
  readonly kind:
    | 'request_consent'
    | 'await_consent'
    | 'collect'
    | 'cancel_consent'
    | 'follow'
    | 'follow_payment'
    | 'release'
    | 'wait'
    | 'finish';
  /** The revision of the row on which the step was decided. */
  readonly revision: number;
  /** For `collect` and `follow`. */
  readonly attempt?: AttemptRef;
  /** For `wait`, business time; null: until the next change. */
  readonly until?: Instant | null;
  /** For `wait`: the attempt to make as soon as the wait ends; if absent, the ledger is asked then. */
  readonly then?: AttemptRef;
  /**
   * Where the attempt of `collect` or `then` is made: `here` is within the workflow task, where the activity may still hand it over
   * to the `queue`. Absent: on the queue.
   */
  readonly on?: 'here' | 'queue';
  /** One line for operators. */
  readonly summary: string;
  /** For the current details in the Web UI, in Markdown, below the summary. */
  readonly details: string;
  /** Search attributes; absent if unchanged. */
  readonly show?: { readonly status: string; readonly standing?: string; readonly repetition?: string };
  /** Attempts that have, or need, a workflow of their own. */
  readonly beside?: readonly AttemptRef[];
  /** The end of the audit log when a cycle was collected; a ledger whose log ends earlier has been restored since (rule 4). */
  readonly mark?: SignedMark;
}

/** The input of an activity of a subscription: references, no facts. */
export interface StepInput {
  readonly subscriptionId: SubscriptionId;
  /** The newest revision that the workflow was notified of. */
  readonly revision: number;
  /** Attempts that have their own workflows. */
  readonly followed: readonly AttemptRef[];
  readonly mark?: SignedMark;
}

export interface CollectStepInput extends StepInput, AttemptRef {}

/** The input of an activity of a one-time payment. */
export interface PaymentStepInput {
  /** Our own id, because the service's is not known yet. */
  readonly requestId: string;
  /** The newest revision that the workflow was notified of. */
  readonly revision: number;
}

/** The input of a workflow that carries out steps. */
export interface InterpreterInput {
  readonly clock: ClockSetting | null;
  /** Omitted if the ledger must be asked first. */
  readonly step?: Step;
  readonly revision?: number;
  /** Steps that the previous run took without waiting between them. */
  readonly stepsAtOnce?: number;
  /** Consecutive runs that ended at a step of a kind unknown to this release. */
  readonly unknownSteps?: number;
  /** The task queue of the runs after the consent. Set while operators and payers wait for the workflow on a separate queue. */
  readonly movesTo?: string;
}

export interface SubscriptionInput extends InterpreterInput {
  readonly subscriptionId: SubscriptionId;
  readonly followed?: readonly AttemptRef[];
  readonly mark?: SignedMark;
}

export interface PaymentInput extends InterpreterInput, Pick<PaymentStepInput, 'requestId'> {}

/** The input of the workflow that follows one attempt to its outcome. */
export interface AttemptInput extends AttemptRef {
  readonly subscriptionId: SubscriptionId;
  readonly clock: ClockSetting | null;
  readonly mark?: SignedMark;
}
