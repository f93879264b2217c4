import type { ApplicationFailure } from '@temporalio/common';
import type { CollectInput } from '../../src/contract/activities';
import type { CollectResult } from '../../src/domain/subscription/state';
import { realDelay, type Instant } from '../../src/domain/time';
import type { EventData } from '../../src/domain/trail/event';
import type { EventType } from '../../src/domain/trail/events';
import { applyChange, latestSend, type Outcome, outcomeData, recordOutcome, type SendRef } from '../../src/ledger';
import type { Dependencies } from '../dependencies';
import { growingPause, type Stop, tryAgain, type Progress } from '../stops';

/** One attempt under way: what it works with, what was asked, how it reports. */
export interface Collecting {
  readonly deps: Dependencies;
  readonly input: CollectInput;
  readonly progress: Progress;
  /** Real time since the workflow asked for this attempt, ms. */
  readonly age: () => number;
}

/** A phase ends with a result, or has moved the attempt's row, which says what comes next. */
export type Phase = CollectResult | { readonly kind: 'moved' };

export const MOVED: Phase = { kind: 'moved' };

/** Whether the cycle's collection window is over. */
export function isWindowOver({ deps, input }: Collecting): boolean {
  return deps.clock.now() >= input.collectBy;
}

/** Whether the due date has not come by this machine's clock, whatever the one said that woke the workflow (rule 3). */
export function isEarly({ deps, input }: Collecting): boolean {
  return deps.clock.now() < input.dueAt;
}

/** Whether a send of this attempt stands that has not come to nothing: another's, or a person's word. */
export async function isBegun({ deps, input }: Collecting): Promise<boolean> {
  const row = await latestSend(deps.ledger, input.subscriptionId, input.cycle, input.attempt);
  return row !== null && row.state !== 'not_sent';
}

/** Nothing may be sent before the due date, nor at or after `sendBefore`. */
export function maySend(collecting: Collecting): boolean {
  return !isEarly(collecting) && collecting.deps.clock.now() < collecting.input.sendBefore;
}

/**
 * A growing pause, as long as the service asked for where it did, that ends no later than the limit, so that its passing
 * is noticed at once.
 */
export function pauseUntil(collecting: Collecting, limit: Instant, age = collecting.age(), atLeast = 0): number {
  const { clock } = collecting.deps;
  const pause = Math.max(growingPause(age), atLeast);
  const left = realDelay(clock.setting, clock.realNow(), limit);
  return left > 0 ? Math.min(pause, left) : pause;
}

/** Nothing could be sent; tried again inside the window (rules 7, 12, 17). */
export function sendLater(collecting: Collecting, stop: Stop, message: string, atLeast = 0): ApplicationFailure {
  return tryAgain(stop, message, pauseUntil(collecting, collecting.input.sendBefore, collecting.age(), atLeast));
}

/**
 * Writes what became of a send; a final outcome that stands is never overwritten.
 * @returns whether it was written: where not, the row says what counts.
 */
export async function recordAttempt({ deps }: Collecting, ref: SendRef, outcome: Outcome): Promise<boolean> {
  const { cycle, attempt, send } = ref;
  const event = { type: `attempt.${outcome.state}`, data: { cycle, attempt, send, ...outcomeData(outcome) } } as const;
  return (await recordOutcome(deps.ledger, ref, outcome, deps.clock.now(), event)).kind === 'recorded';
}

/** Something a person should hear of: written to the trail once for each attempt and type, and logged each time. */
export async function alert(collecting: Collecting, type: EventType, data: EventData): Promise<void> {
  const { subscriptionId, cycle, attempt } = collecting.input;
  collecting.deps.log.warn({ subscriptionId, cycle, attempt, ...data }, type);
  await tell(collecting, type, data);
}

/** Written to the trail once for each attempt and type. */
export async function tell({ deps, input }: Collecting, type: EventType, data: EventData = {}): Promise<void> {
  const { subscriptionId, cycle, attempt } = input;
  await applyChange(deps.ledger, {
    subscriptionId,
    key: `${type}/${subscriptionId}/${cycle}/${attempt}`,
    at: deps.clock.now(),
    actor: 'dueday',
    events: [{ type, data: { cycle, attempt, ...data } }],
  });
}
