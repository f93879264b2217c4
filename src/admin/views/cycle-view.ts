import { toIso } from '../../domain/time';
import type { AttemptState, CycleRecord, NotifiedAttempt } from '../../ledger';
import type { AttemptOut, CycleOut } from '../schemas/cycle';
import { viewRefund } from './refund-view';
import { isoOrNull, named } from './fields';

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
