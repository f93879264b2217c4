import { faultIn, type MessageShape } from '../src/contract/arguments';
import { ActivityFailure, ApplicationFailure, type SearchAttributePair, TemporalFailure } from '@temporalio/common';
import { condition, isCancellation, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { ConsentRequestResult, DiscardResult, Surroundings } from '../src/contract/activities';
import { type Instant, realDelay, toBusiness } from '../src/domain/time';

/** @throws ApplicationFailure, which fails the message and not the workflow, where the argument is none of this shape. */
export function requireArgument<T>(shape: MessageShape<T>, argument: T): void {
  const fault = faultIn(shape, argument);
  if (fault !== null) throw ApplicationFailure.nonRetryable(fault, 'invalid_request');
}

/** Of an update that takes no argument: with a validator, an unreadable one that is sent anyway is refused before it. */
export const TAKES_NOTHING = { validator: () => undefined };

/** Work in turns: each begins when the one before has ended, however it ended. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  get idle(): boolean {
    return this.waiting === 0;
  }

  take<T>(work: () => Promise<T>): Promise<T> {
    this.waiting += 1;
    const done = () => {
      this.waiting -= 1;
    };
    const turn = this.last.then(work, work);
    this.last = turn.then(done, done);
    return turn;
  }
}

/** The state of one workflow, its time, and the turns in which its state changes. */
export abstract class WorkflowContext<State> {
  /** What changes the state, one after the other, in the order of its arrival (rule 25). */
  readonly turns = new Mutex();
  private changes = 0;

  constructor(
    private current: State,
    private readonly surroundings: Surroundings,
  ) {}

  get state(): State {
    return this.current;
  }

  /** Business time, from the workflow's own deterministic time. */
  now(): Instant {
    return toBusiness(this.surroundings.clock, realNow());
  }

  /** Takes a new state, shows it, and wakes what waits for a change. */
  update(state: State): void {
    this.current = state;
    this.changes += 1;
    this.mark();
  }

  /** Waits until the instant, or until the state changes or `wakes` says so; null: only for those. */
  async sleepUntil(until: Instant | null, summary: string): Promise<void> {
    const seen = this.changes;
    const changed = () => this.changes !== seen || this.wakes();
    if (until === null) return condition(changed);
    const delay = realDelay(this.surroundings.clock, realNow(), until);
    if (delay > 0) await condition(changed, delay, { summary });
  }

  /** What else ends a sleep. */
  protected wakes(): boolean {
    return false;
  }

  /** A link in Markdown to a page of the console, as a line of its own; none where the console's address is not set. */
  protected consoleLink(path: string): readonly string[] {
    const { console } = this.surroundings;
    return console === undefined ? [] : [`[In the console](${console}${path})`];
  }

  /** Shows a new state to people. */
  protected abstract mark(): void;
}

/** Real time, the workflow's own. Epoch ms. */
export function realNow(): number {
  // oxlint-disable-next-line eslint-js/no-restricted-syntax -- inside a workflow Date is the workflow's own time
  return Date.now();
}

/** A failure of what a workflow has asked of Temporal. A cancellation is none, and a fault of ours neither. */
export function isFailure(error: unknown): error is TemporalFailure {
  return error instanceof TemporalFailure && !isCancellation(error);
}

/** Search attributes, each only where it changes: an upsert is an event. */
export function showAttributes(wanted: SearchAttributePair[]): void {
  const shown = workflowInfo().typedSearchAttributes;
  const changed = wanted.filter(({ key, value }) => shown.get(key) !== value);
  if (changed.length > 0) upsertSearchAttributes(changed);
}

/** The worker died with the request under way, or the time was up: only discarding shows what is on record. */
export function unavailable(error: unknown): ConsentRequestResult {
  if (!(error instanceof ActivityFailure)) throw error;
  return { kind: 'unavailable', reason: error.cause?.message ?? error.message };
}

/** The result of a request that its worker could not report: the ledger decides (rule 18). */
export function afterDiscarding(answer: ConsentRequestResult, discarded: DiscardResult): ConsentRequestResult {
  return discarded.kind === 'on_record' ? { ...discarded, kind: 'requested' } : answer;
}
