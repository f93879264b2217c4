import { ApplicationFailure } from '@temporalio/common';
import { Context } from '@temporalio/activity';
import type { Clock } from '../src/platform/clock';
import type { ServiceResult } from '../src/payment-service';

/**
 * Why an activity stops for now. Each reason ends it with a retryable failure and has its own wait until the next try;
 * neither is written to the history. Operators see type and message on the pending activity in the Web UI.
 *
 * | type | what retries, until when | what is at stake |
 * | --- | --- | --- |
 * | `pending` | this activity, at intervals that grow to an hour, until final | nothing: the service decides |
 * | `outcome_unknown` | this activity, at growing intervals, up to an hour once an operator is notified, until settled (rules 17, 18, 41) | a debit may exist |
 * | `not_sent` | this activity, at growing intervals (a refund's up to an hour) or after Retry-After, inside the window | nothing was sent |
 * | `service_unreadable` | as `not_sent`: without a readable answer nothing is permitted (rule 7); also a cancellation or release that is not confirmed | the due date, if it lasts |
 * | `clocks_differ` | as `not_sent`, until the service's clock and ours agree (rule 16) | the due date, if it lasts |
 * | `blocked` | as `not_sent`: another request of the payment is in flight, pending or has an unknown outcome | the due date, if it lasts |
 * | `halted` | as `not_sent`: all sending is halted | the due date, if it lasts |
 * | `ledger_read_only` | this activity, at growing intervals, before it calls the service | the due date, if it lasts |
 * | `unrecordable` | this activity, at intervals that grow to an hour; an item is open (rule 43) | the data that PostgreSQL refuses |
 *
 * Any other error is a fault of ours or of PostgreSQL: the activity's retry policy decides whether it is repeated.
 */
export type Stop = (typeof STOPS)[number];

const STOPS = [
  'pending',
  'outcome_unknown',
  'not_sent',
  'service_unreadable',
  'clocks_differ',
  'blocked',
  'halted',
  'ledger_read_only',
  'unrecordable',
] as const;

export function isStop(type: string | null | undefined): type is Stop {
  return STOPS.some((stop) => stop === type);
}

/** @param wait real milliseconds until the activity runs again */
export function tryAgain(stop: Stop, message: string, wait: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: stop,
    message,
    nonRetryable: false,
    nextRetryDelay: Math.max(1, Math.round(wait)),
  });
}

/** The message if the worker stopped before a permit was free: another worker continues. */
export const WORKER_STOPPED = 'the worker stopped before it could call the service';

/** Describes a result, without secrets: the client's reasons contain none. */
export function describe(result: ServiceResult<unknown>): string {
  switch (result.kind) {
    case 'accepted':
      return 'accepted';
    case 'rejected':
      return `refused with ${result.failure.detail}`;
    case 'not_sent':
    case 'unknown':
      return result.reason;
  }
}

/** Real ms that the service asked us to wait; 0 if it did not say. */
export function retryAfter(result: ServiceResult<unknown>): number {
  return result.kind === 'not_sent' ? (result.retryAfterMs ?? 0) : 0;
}

/** Real ms since the workflow scheduled the current activity. */
export function activityAge(clock: Pick<Clock, 'realNow'>): number {
  return clock.realNow() - Context.current().info.scheduledTimestampMs;
}

const MAX_INTERVAL = 4_000;

/** Records the current step: the next heartbeat contains it, and operators see it on the pending activity. */
export type Progress = (step: string, details?: Readonly<Record<string, unknown>>) => void;

/**
 * Runs the work with a heartbeat every few seconds, so that a dead worker is noticed long before the time-out. Work that
 * finishes sooner sends none: each is a call that Temporal's server stores.
 */
export async function withHeartbeat<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
  const context = Context.current();
  // The workflow task has its own heartbeat, and operators see nothing pending.
  if (context.info.isLocal) return work(() => undefined);
  let latest: Record<string, unknown> = { step: 'start' };
  const beat = () => context.heartbeat(latest);
  const timer = setInterval(beat, intervalOf(context));
  try {
    return await work((step, details = {}) => {
      latest = { step, ...details };
    });
  } finally {
    clearInterval(timer);
  }
}

/** Several heartbeats fit into the heartbeat time-out. Real ms. */
function intervalOf({ info }: Context): number {
  return Math.min(MAX_INTERVAL, (info.heartbeatTimeoutMs ?? Infinity) / 4);
}
