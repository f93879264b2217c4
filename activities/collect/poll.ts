import { HOUR, type Instant, scaledTimeout } from '../../src/domain/time';
import type { AttemptRecord, Outcome } from '../../src/ledger';
import type { Authorization, Capture } from '../../src/payment-service';
import { tryAgain, describe, retryAfter } from '../stops';
import { type Collecting, endingBy, isWindowOver, MOVED, pauseUntil, type Phase, recordAttempt } from './attempt';

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
      await recordAttempt(collecting, row, outcomeOfRefusal(authorization));
      return MOVED;
  }
}

/** Booking follows by itself; its capture is the debit. */
async function pollCapture(collecting: Collecting, row: AttemptRecord, authorization: Authorization): Promise<Phase> {
  const { deps, input, progress } = collecting;
  const { authorizationId } = authorization;
  progress('capture', { authorizationId });
  const listed = await deps.service.listCaptures(input.paymentId, authorizationId);
  if (listed.kind !== 'accepted') return stillPending(collecting, row, describe(listed), retryAfter(listed));
  const outcome = outcomeOfBooking(authorization, listed.value, input.parked ? undefined : input.nextDueAt);
  if (outcome === null) return stillPending(collecting, row, 'authorized; its capture is pending');
  await recordAttempt(collecting, row, outcome);
  return MOVED;
}

/**
 * What an authorization that went through has come to; null while its capture is pending.
 * @param nextDueAt of the subscription; absent where that stays as it is, because later cycles have moved it
 */
export function outcomeOfBooking(
  { authorizationId, createdAt }: Authorization,
  listed: readonly Capture[],
  nextDueAt: Instant | null | undefined,
): Outcome | null {
  const captures = listed.filter((each) => each.authorizationId === authorizationId);
  const booked = captures.find((each) => each.status === 'successful');
  if (booked !== undefined) {
    const { captureId } = booked;
    return {
      state: 'successful',
      authorizationId,
      captureId,
      createdAt,
      ...(nextDueAt === undefined ? {} : { nextDueAt }),
    };
  }
  const failed = captures.find((each) => each.status === 'failed');
  if (failed === undefined || captures.some((each) => each.status !== 'failed')) return null;
  const { captureId, detail = 'CAPTURE_FAILED' } = failed;
  return { state: 'capture_failed', authorizationId, captureId, detail, createdAt };
}

/** What an authorization that did not go through has come to. */
export function outcomeOfRefusal(authorization: Authorization): Outcome {
  const {
    authorizationId,
    createdAt,
    status,
    detail = `AUTHORIZATION_${status.toUpperCase()}`,
    description = '',
  } = authorization;
  const state = detail === 'AUTHORIZATION_REJECTION_RETRYABLE' ? 'rejected_retryable' : 'rejected';
  return { state, authorizationId, createdAt, detail, description };
}

/** Real ms since the send in which it is asked without leaving the slot: most banks have answered by then. */
const ASKED_IN_PLACE = 30_000;
/** A bank that takes its time is asked ever more rarely. Real ms; on a fast test clock it is shorter. */
const LONGEST_PAUSE = HOUR;

/** Past the window the workflow is notified and continues; the polling continues too. */
async function stillPending(collecting: Collecting, row: AttemptRecord, why: string, atLeast = 0): Promise<Phase> {
  const { deps, input } = collecting;
  if (isWindowOver(collecting) && !input.parked && row.authorizationId !== null) {
    return { kind: 'pending', authorizationId: row.authorizationId };
  }
  const age = deps.clock.realNow() - row.sendingRealAt;
  const soon = pauseUntil(collecting, input.collectBy, age, atLeast);
  const left = ASKED_IN_PLACE - age;
  // The last look in place is at its end: each run after that is a dispatch.
  if (left > atLeast && (await deps.polling.wait(Math.min(soon, left)))) return MOVED;
  const pause = Math.max(endingBy(collecting, input.collectBy, pauseBetweenRuns(collecting, age)), soon);
  throw tryAgain('pending', `authorization ${row.authorizationId ?? ''}: ${why}`, pause);
}

/** Each run costs a dispatch: half as long as it has been pending already. Real ms. */
function pauseBetweenRuns({ deps }: Collecting, age: number): number {
  return Math.min(age / 2, scaledTimeout(deps.clock.setting, LONGEST_PAUSE));
}
