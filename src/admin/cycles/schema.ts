import { z } from 'zod';
import { blockersOf } from '../../domain/subscription/forecast';
import { MAX_RETRIES } from '../../domain/subscription/retries';
import { CYCLE_STATUSES } from '../../domain/subscription/state';
import { toIso, HOUR, type Instant } from '../../domain/time';
import type { CycleRecord, NotifiedAttempt, OpenCycleRecord } from '../../ledger';
import type { AttemptState } from '../../domain/send';
import { InstantOut, MoneyOut, isoOrNull, named } from '../http/fields';
import { RefundOut, viewRefund } from '../orders/schema';
import type { DeadlineOut } from '../reports/schema';

export const AttemptOut = z
  .object({
    attempt: z.int().min(0).max(MAX_RETRIES),
    send: z.int().min(0),
    at: InstantOut,
    amount: MoneyOut,
    outcome: z.enum(['pending', 'successful', 'rejected_retryable', 'rejected', 'not_sent', 'unknown']),
    authorizationId: z.string().optional(),
    captureId: z.string().optional(),
    detail: z.string().optional(),
    description: z.string().optional(),
    payerNotifiedAt: InstantOut.optional(),
    resolvedBy: z.string().optional(),
  })
  .meta({ id: 'Attempt' });

export const CycleOut = z
  .object({
    cycle: z.int().min(0),
    dueAt: InstantOut,
    collectBy: InstantOut,
    amount: MoneyOut,
    status: z.enum(CYCLE_STATUSES),
    reason: z.string().optional(),
    collectedAt: InstantOut.optional(),
    nextAttemptAt: InstantOut.optional(),
    retriesLeft: z.int().min(0).max(MAX_RETRIES),
    retryUntil: InstantOut.optional(),
    attempts: z.array(AttemptOut),
    refunds: z.array(RefundOut),
  })
  .meta({ id: 'Cycle' });

export type AttemptOut = z.output<typeof AttemptOut>;
export type CycleOut = z.output<typeof CycleOut>;

export function viewCycle(record: CycleRecord): CycleOut {
  return {
    cycle: record.cycle,
    dueAt: toIso(record.dueAt),
    collectBy: toIso(record.collectBy),
    amount: record.amount,
    status: record.status,
    ...named('reason', record.reason),
    ...named('collectedAt', isoOrNull(record.collectedAt)),
    ...named('nextAttemptAt', isoOrNull(record.nextAttemptAt)),
    retriesLeft: record.retriesLeft,
    ...named('retryUntil', isoOrNull(record.retryUntil)),
    attempts: record.attempts.map(viewAttempt),
    refunds: record.refunds.map(viewRefund),
  };
}

function viewAttempt(record: NotifiedAttempt): AttemptOut {
  return {
    attempt: record.attempt,
    send: record.send,
    at: toIso(record.at),
    amount: record.amount,
    outcome: OUTCOMES[record.state],
    ...named('authorizationId', record.authorizationId),
    ...named('captureId', record.captureId),
    ...named('detail', record.detail),
    ...named('description', record.description),
    ...named('payerNotifiedAt', isoOrNull(record.payerNotifiedAt)),
    ...named('resolvedBy', record.resolvedBy),
  };
}

/** The wire knows fewer words than the ledger. */
const OUTCOMES: Readonly<Record<AttemptState, AttemptOut['outcome']>> = {
  sending: 'pending',
  pending: 'pending',
  unknown: 'unknown',
  unresolved: 'unknown',
  successful: 'successful',
  rejected_retryable: 'rejected_retryable',
  rejected: 'rejected',
  capture_failed: 'rejected',
  not_sent: 'not_sent',
};

/** An open cycle as the board shows it at `now`. */
export function viewDeadline(record: OpenCycleRecord, now: Instant): DeadlineOut {
  const { deadline, collectBy, retryUntil } = record;
  return {
    subscriptionId: record.subscriptionId,
    cycle: record.cycle,
    status: record.status,
    amount: record.amount,
    dueAt: toIso(record.dueAt),
    deadline: toIso(deadline),
    hoursLeft: hoursUntil(deadline, now),
    collectBy: toIso(collectBy),
    collectHoursLeft: hoursUntil(collectBy, now),
    ...named('retryUntil', isoOrNull(retryUntil)),
    ...named('retryHoursLeft', retryUntil === null ? null : hoursUntil(retryUntil, now)),
    ...named('retriesLeft', retryUntil === null ? null : record.retriesLeft),
    ...named('nextAttemptAt', isoOrNull(record.nextAttemptAt)),
    attempts: record.attempts,
    blockedBy: blockersOf(record, now),
  };
}

/** Rounded down: nobody is to be told of time that is not there. */
function hoursUntil(instant: Instant, now: Instant): number {
  return Math.max(0, Math.floor(((instant - now) * 100) / HOUR) / 100);
}
