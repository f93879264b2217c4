import { isHandedOver, whyIncomplete } from '../../src/domain/evidence';
import { HOUR, scaledTimeout } from '../../src/domain/time';
import { type AttemptRecord, knownAuthorizations, recordObservation } from '../../src/ledger';
import type { Authorization, ServiceResult } from '../../src/payment-service';
import { alert } from '../sending';
import { tryAgain, describe, retryAfter } from '../stops';
import { type Collecting, isWindowOver, listed, MOVED, type Phase, recordAttempt } from './attempt';
import { endingBy, pauseUntil } from './pauses';
import { outcomeOfBooking } from './bookings';
import { judgeRefusal, nextDueAtOf, reopenEarlier } from './contradictions';

/**
 * Asks for authorization and capture until both are final. Pending is never cancelled, sent again or counted as failed,
 * however long it takes (rule 10).
 */
export async function pollAttempt(collecting: Collecting, row: AttemptRecord): Promise<Phase> {
  const { deps, input, progress } = collecting;
  progress('authorization', { authorizationId: row.authorizationId });
  const answer = await deps.service.listAuthorizations(input.paymentId);
  if (answer.kind !== 'accepted') return stillPending(collecting, row, describe(answer), retryAfter(answer));
  await reopenEarlier(collecting, answer.value);
  const authorization = answer.value.find((each) => each.authorizationId === row.authorizationId);
  if (authorization === undefined) return notListed(collecting, row, answer);
  if (row.unlistedSinceReal !== null) await recordObservation(deps.ledger, row, { unlistedSinceReal: null });
  switch (authorization.status) {
    case 'pending':
      return pendingAsListed(collecting, row, authorization);
    case 'successful':
      return pollCapture(collecting, row, authorization);
    case 'failed':
    case 'released':
    case 'expired': {
      const refusal = await judgeRefusal(collecting, row, authorization);
      return refusal.kind === 'settled' ? MOVED : stillPending(collecting, row, refusal.why, refusal.until);
    }
  }
}

/** A status that is not known counts as pending, and alerts (rule 41). */
async function pendingAsListed(
  collecting: Collecting,
  row: AttemptRecord,
  { authorizationId, unknownStatus }: Authorization,
): Promise<Phase> {
  if (unknownStatus === undefined) return stillPending(collecting, row, 'the service says pending');
  await alert(collecting, 'attempt.unknown_status', { authorizationId, status: unknownStatus });
  return stillPending(collecting, row, `the service says ${unknownStatus}, which is not known here`);
}

type Accepted<T> = Extract<ServiceResult<T>, { kind: 'accepted' }>;

/**
 * A list may lag, or be cut: then a capture may say more. One that lists lack for the settle time, though they are complete apart
 * from it, is handed to an operator (rule 41).
 */
async function notListed(
  collecting: Collecting,
  row: AttemptRecord,
  answer: Accepted<readonly Authorization[]>,
): Promise<Phase> {
  const { deps, input } = collecting;
  const { ledger, clock, settings, service } = deps;
  const { authorizationId } = row;
  if (authorizationId === null) throw new Error('a pending attempt has an authorization: a constraint of its table');
  const why = 'the service does not list it';
  const captures = await service.listCaptures(input.paymentId, authorizationId);
  if (captures.kind === 'accepted') {
    const createdAt = row.authorizationCreatedAt ?? row.at;
    const outcome = outcomeOfBooking({ authorizationId, createdAt }, captures.value, nextDueAtOf(collecting));
    if (outcome !== null) {
      await recordAttempt(collecting, row, outcome);
      return MOVED;
    }
  }
  const judging = {
    now: clock.now(),
    realNow: clock.realNow(),
    settle: settings.settle,
    listDays: settings.listDays ?? null,
  };
  const others = (await knownAuthorizations(ledger, input.paymentId)).filter(({ id }) => id !== authorizationId);
  const isWhole = whyIncomplete(answer.value.map(listed), answer.incomplete, others, judging) === null;
  if (!isWhole) return stillPending(collecting, row, `${why}, and the list is incomplete`);
  const since = row.unlistedSinceReal ?? judging.realNow;
  if (row.unlistedSinceReal === null) await recordObservation(ledger, row, { unlistedSinceReal: since });
  const isForOperator = isHandedOver({ unlistedSinceReal: since }, judging) && !input.parked;
  return isForOperator ? { kind: 'unlisted', authorizationId } : stillPending(collecting, row, why);
}

/** Booking follows by itself; its capture is the debit. */
async function pollCapture(collecting: Collecting, row: AttemptRecord, authorization: Authorization): Promise<Phase> {
  const { deps, input, progress } = collecting;
  const { authorizationId } = authorization;
  progress('capture', { authorizationId });
  const captures = await deps.service.listCaptures(input.paymentId, authorizationId);
  if (captures.kind !== 'accepted') return stillPending(collecting, row, describe(captures), retryAfter(captures));
  const outcome = outcomeOfBooking(authorization, captures.value, nextDueAtOf(collecting));
  if (outcome === null) {
    const unknown = captures.value.find((each) => each.authorizationId === authorizationId && each.unknownStatus);
    if (unknown !== undefined) {
      const { captureId, unknownStatus: status } = unknown;
      await alert(collecting, 'attempt.unknown_status', { authorizationId, captureId, status });
    }
    if (!row.authorized) await recordObservation(deps.ledger, row, { authorized: true });
    return stillPending(collecting, row, 'authorized; its capture is pending');
  }
  await recordAttempt(collecting, row, outcome);
  return MOVED;
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
