import type { Settled } from '../../src/domain/attempt/action';
import type { Attempt, Send, ServiceRecord } from '../../src/domain/attempt/attempt';
import type { AuthorizationId } from '../../src/domain/ids';
import type { Listed } from '../../src/domain/send';
import type { CollectPlan } from '../../src/domain/subscription/state';
import type { Instant } from '../../src/domain/time';
import type { AttemptRecord, Outcome } from '../../src/ledger';
import type { Authorization } from '../../src/payment-service';

/** An authorization in the common form of listed records, with its id as `id`. */
export function listed(authorization: Authorization): ServiceRecord {
  return { ...authorization, id: authorization.authorizationId };
}

/** A debit in the common form of attempts: it may be made from its due date on. */
export function attemptOf(plan: CollectPlan): Attempt {
  const { attempt, amount, dueAt, sendBefore, collectBy, settleOnly, parked, knownUnresolved } = plan;
  return {
    recordKind: 'authorization',
    amount,
    since: dueAt,
    notBefore: dueAt,
    sendBefore,
    endsAt: collectBy,
    isRetry: attempt > 0,
    settleOnly,
    parked,
    knownUnresolved,
  };
}

export function sendOf(row: AttemptRecord): Send {
  const { authorizationId: id, authorizationCreatedAt: createdAt, refusedAs, resolvedBy } = row;
  return { ...row, id, createdAt, wasRefused: refusedAs !== null, isResolved: resolvedBy !== null };
}

/**
 * The outcome of a debit in the form that the ledger stores.
 * @param nextDueAt the subscription's next due date; undefined leaves it unchanged, because later cycles have moved it
 */
export function outcomeOf(
  settled: Exclude<Settled, { state: 'accepted' | 'refused_again' }>,
  nextDueAt: Instant | null | undefined,
): Outcome {
  switch (settled.state) {
    case 'not_sent':
    case 'unknown':
    case 'unresolved':
      return settled;
    case 'refused': {
      const { retryable, detail, description, made } = settled;
      const state = retryable ? 'rejected_retryable' : 'rejected';
      return { state, detail, description, ...(made && named(made)) };
    }
    case 'capture_failed': {
      const { id, ...failed } = settled;
      return { ...failed, authorizationId: id as AuthorizationId };
    }
    case 'successful': {
      const { id, captureId, ...booked } = settled;
      if (captureId === undefined) throw new Error('a debit is successful by its capture');
      const next = nextDueAt === undefined ? {} : { nextDueAt };
      return { ...booked, captureId, authorizationId: id as AuthorizationId, ...next };
    }
  }
}

/** The id and the creation time of what the service has made, under the names of the ledger. */
export function named({ id, createdAt }: Pick<Listed, 'id' | 'createdAt'>) {
  return { authorizationId: id as AuthorizationId, createdAt };
}
