import type { AttemptRecord } from '../../src/ledger';
import type { Authorization } from '../../src/payment-service';
import { tryAgain, describe, retryAfter } from '../stops';
import { type Collecting, isWindowOver, MOVED, pauseUntil, type Phase, recordAttempt } from './attempt';

/**
 * Asks for authorization and capture until both are final. Pending is never cancelled, sent again or counted as failed,
 * however long it takes (rule 10).
 */
export async function pollAttempt(collecting: Collecting, row: AttemptRecord): Promise<Phase> {
  const { deps, input, progress } = collecting;
  progress('authorization', { authorizationId: row.authorizationId });
  const listed = await deps.service.listAuthorizations(input.paymentId);
  if (listed.kind !== 'accepted') return stillPending(collecting, row, describe(listed), retryAfter(listed));
  const authorization = listed.value.find((each) => each.authorizationId === row.authorizationId);
  switch (authorization?.status) {
    case undefined:
      return stillPending(collecting, row, 'the service does not list it');
    case 'pending':
      return stillPending(collecting, row, 'the service says pending');
    case 'successful':
      return pollCapture(collecting, row, authorization);
    case 'failed':
    case 'released':
    case 'expired':
      await recordRejection(collecting, row, authorization);
      return MOVED;
  }
}

/** Booking follows by itself; its capture is the debit. */
async function pollCapture(collecting: Collecting, row: AttemptRecord, authorization: Authorization): Promise<Phase> {
  const { deps, input, progress } = collecting;
  const { authorizationId, createdAt } = authorization;
  progress('capture', { authorizationId });
  const listed = await deps.service.listCaptures(input.paymentId, authorizationId);
  if (listed.kind !== 'accepted') return stillPending(collecting, row, describe(listed), retryAfter(listed));
  const captures = listed.value.filter((each) => each.authorizationId === authorizationId);
  const booked = captures.find((each) => each.status === 'successful');
  const failed = captures.find((each) => each.status === 'failed');
  if (booked !== undefined) {
    const { captureId } = booked;
    await recordAttempt(collecting, row, {
      state: 'successful',
      authorizationId,
      captureId,
      createdAt,
      nextDueAt: input.nextDueAt,
    });
  } else if (failed !== undefined && captures.every((each) => each.status === 'failed')) {
    const detail = failed.detail ?? 'CAPTURE_FAILED';
    const { captureId } = failed;
    await recordAttempt(collecting, row, { state: 'capture_failed', authorizationId, captureId, detail, createdAt });
  } else {
    return stillPending(collecting, row, 'authorized; its capture is pending');
  }
  return MOVED;
}

async function recordRejection(
  collecting: Collecting,
  row: AttemptRecord,
  authorization: Authorization,
): Promise<void> {
  const {
    authorizationId,
    createdAt,
    status,
    detail = `AUTHORIZATION_${status.toUpperCase()}`,
    description = '',
  } = authorization;
  const state = detail === 'AUTHORIZATION_REJECTION_RETRYABLE' ? 'rejected_retryable' : 'rejected';
  await recordAttempt(collecting, row, { state, authorizationId, createdAt, detail, description });
}

/** Past the window the workflow is told, and goes on; the asking goes on too. */
function stillPending(collecting: Collecting, row: AttemptRecord, why: string, atLeast = 0): Phase {
  const { deps, input } = collecting;
  if (isWindowOver(collecting) && !input.parked && row.authorizationId !== null) {
    return { kind: 'pending', authorizationId: row.authorizationId };
  }
  const age = deps.clock.realNow() - row.sendingRealAt;
  throw tryAgain(
    'pending',
    `authorization ${row.authorizationId ?? ''}: ${why}`,
    pauseUntil(collecting, input.collectBy, age, atLeast),
  );
}
