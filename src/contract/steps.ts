import type { SubscriptionId } from '../domain/ids';
import type { ClockSetting, Instant } from '../domain/time';
import { type AttemptNumber as AttemptRef, includesAttempt } from '../domain/subscription/step';
import type { SignedMark } from '../domain/audit/event';

/** An attempt of a subscription. */
export { type AttemptRef, includesAttempt };
/** Business time as workflows map it, by the clock's setting: arithmetic of instants, which decides nothing. */
export { type ClockSetting, HOUR, realDelay, scaledTimeout, SECOND } from '../domain/time';

/**
 * What a subscription or a one-time payment does next. The ledger decides it, in the activity before, and the workflow carries
 * it out. It is recorded in the history, so that a replay depends on no release. Kinds are only ever added: a workflow that does
 * not know one waits, and asks again in a run of its own.
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
  /** Of the row that it was decided by. */
  readonly revision: number;
  /** Of `collect` and `follow`. */
  readonly attempt?: AttemptRef;
  /** Of `wait`, business time; null: until the next change. */
  readonly until?: Instant | null;
  /** Of `wait`: the attempt to make at once when it ends. Without it the ledger is asked. */
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

/** What an activity of a subscription is given: references, no facts. */
export interface StepInput {
  readonly subscriptionId: SubscriptionId;
  /** The newest revision that the workflow was notified of. */
  readonly revision: number;
  /** Attempts that have workflows of their own. */
  readonly followed: readonly AttemptRef[];
  readonly mark?: SignedMark;
}

export interface CollectStepInput extends StepInput, AttemptRef {}

/** What an activity of a one-time payment is given. */
export interface PaymentStepInput {
  /** Our own id, as the service's is not known yet. */
  readonly requestId: string;
  /** The newest revision that the workflow was notified of. */
  readonly revision: number;
}

/** Of a workflow that carries out steps. */
export interface InterpreterInput {
  readonly clock: ClockSetting | null;
  /** Left out if the ledger has to be asked first. */
  readonly step?: Step;
  readonly revision?: number;
  /** Steps that the run before took without waiting between them. */
  readonly stepsAtOnce?: number;
  /** Runs in a row that ended at a step of a kind which this release does not know. */
  readonly unknownSteps?: number;
  /** The task queue of the runs after the consent. Set while operators and payers wait for it on a queue of their own. */
  readonly movesTo?: string;
}

export interface SubscriptionInput extends InterpreterInput {
  readonly subscriptionId: SubscriptionId;
  readonly followed?: readonly AttemptRef[];
  readonly mark?: SignedMark;
}

export interface PaymentInput extends InterpreterInput, Pick<PaymentStepInput, 'requestId'> {}

/** Of the workflow that follows one attempt to its outcome. */
export interface AttemptInput extends AttemptRef {
  readonly subscriptionId: SubscriptionId;
  readonly clock: ClockSetting | null;
  readonly mark?: SignedMark;
}
