import { isHandedOver, revived, whyIncomplete } from '../evidence';
import type { AuthorizationId, CaptureId } from '../ids';
import { HOUR, scaledTimeout } from '../time';
import { type Action, alertOf, answer, check, type SideEffect, type Observation, type Settled } from './action';
import {
  type ListResult,
  type Attempt,
  type Facts,
  isOver,
  type Send,
  type ServiceRecord,
  type ServiceCapture,
} from './attempt';
import { type WaitOptions, endingBy, growingWaitUntil } from './waits';
import { ageOf } from './unknown-outcome';

/** A pending debit, with its row and the facts of the current pass. */
interface Polled {
  readonly attempt: Attempt;
  readonly facts: Facts;
  readonly send: Send & { readonly id: string };
}

/**
 * Polls authorization and capture until both are final. A pending debit is never cancelled, sent again or counted as failed,
 * however long it takes (rule 10).
 */
export function pollDebit(attempt: Attempt, facts: Facts, send: Send): Action {
  const { id } = send;
  if (id === null) throw new Error('a pending attempt has an authorization: a constraint of its table');
  const polled: Polled = { attempt, facts, send: { ...send, id } };
  const { list, answered } = facts;
  if (list === null)
    return isAnsweredSuccessful(attempt, answered, id) ? pollCapture(polled, answered) : { kind: 'poll' };
  if (list.kind === 'unreadable') return stillPending(polled, list.why, { atLeast: list.retryAfter });
  const earlier = attempt.isRetry ? reopenEarlier(facts, list.records) : null;
  if (earlier !== null) return earlier;
  const made = list.records.find((each) => each.id === id);
  if (made === undefined) return notListed(polled, list);
  if (send.unlistedSinceReal !== null) return observe({ unlistedSinceReal: null });
  return asListed(polled, made);
}

/**
 * The POST was answered as successful, so only its capture must be polled. In a retry the list is also needed for earlier
 * attempts of the cycle (rule 36).
 */
function isAnsweredSuccessful(
  { isRetry }: Attempt,
  answered: Facts['answered'],
  id: string,
): answered is ServiceRecord {
  return !isRetry && answered?.id === id && answered.status === 'successful';
}

function asListed(polled: Polled, made: ServiceRecord): Action {
  switch (made.status) {
    case 'pending':
      return pendingAsListed(polled, made);
    case 'successful':
      return pollCapture(polled, made);
    default:
      return judgeRefusal(polled, made);
  }
}

function observe(seen: Observation): Action {
  return { kind: 'observe', seen };
}

function settle(outcome: Settled): Action {
  return { kind: 'settle', outcome };
}

/**
 * Reopens an earlier attempt of the cycle that is listed again while a later one is polled. It is followed after the
 * later one.
 */
function reopenEarlier({ own }: Facts, listed: readonly ServiceRecord[]): Action | null {
  if (own === null) return check('own');
  const [again] = revived(listed, [], own.ofCycle);
  return again === undefined ? null : { kind: 'reopen', again, blocksAttempt: false };
}

/** An unknown status counts as pending and raises an alert (rule 41). */
function pendingAsListed(polled: Polled, { id, unknownStatus }: ServiceRecord): Action {
  if (unknownStatus === undefined) return stillPending(polled, 'the service says pending');
  const sideEffects = [alertOf('attempt.unknown_status', { authorizationId: id, status: unknownStatus })];
  return stillPending(polled, `the service says ${unknownStatus}, which is an unknown status`, { sideEffects });
}

/**
 * A list may lag or be truncated; a capture may then show more. An authorization that otherwise complete lists have lacked for
 * the settle time is handed to an operator (rule 41).
 */
function notListed(polled: Polled, list: Extract<ListResult<ServiceRecord>, { kind: 'listed' }>): Action {
  const { attempt, facts, send } = polled;
  const { captures, own, realNow } = facts;
  const why = 'the service does not list it';
  if (captures === null) return checkCaptures(send.id);
  const createdAt = send.createdAt ?? send.at;
  const outcome = captures.kind === 'listed' ? outcomeOfBooking({ id: send.id, createdAt }, captures.records) : null;
  const atLeast = captures.kind === 'listed' ? 0 : captures.retryAfter;
  if (outcome !== null) return settle(outcome);
  if (own === null) return check('own');
  const others = own.known.filter(({ id }) => id !== send.id);
  const isWhole = whyIncomplete(list.records, list.incomplete, others, facts) === null;
  if (!isWhole) return stillPending(polled, `${why}, and the list is incomplete`, { atLeast });
  if (send.unlistedSinceReal === null) return observe({ unlistedSinceReal: realNow });
  const isForOperator = isHandedOver(send, facts) && !attempt.parked;
  return isForOperator
    ? answer({ kind: 'unlisted', authorizationId: send.id as AuthorizationId })
    : stillPending(polled, why, { atLeast });
}

function checkCaptures(id: string): Action {
  return { kind: 'check_captures', authorizationId: id as AuthorizationId };
}

/** Polls the capture, which is the debit: the service books an authorization without a further request. */
function pollCapture(polled: Polled, made: ServiceRecord): Action {
  const { facts, send } = polled;
  const { captures } = facts;
  if (captures === null) return checkCaptures(made.id);
  if (captures.kind === 'unreadable') return stillPending(polled, captures.why, { atLeast: captures.retryAfter });
  const outcome = outcomeOfBooking(made, captures.records);
  if (outcome !== null) return settle(outcome);
  if (!send.authorized) return observe({ authorized: true });
  return stillPending(polled, 'authorized; its capture is pending', {
    sideEffects: unknownCaptures(made, captures.records),
  });
}

function unknownCaptures({ id }: ServiceRecord, captures: readonly ServiceCapture[]): readonly SideEffect[] {
  const unknown = captures.find((each) => each.authorizationId === id && each.unknownStatus !== undefined);
  if (unknown === undefined) return [];
  const { captureId, unknownStatus: status } = unknown;
  return [alertOf('attempt.unknown_status', { authorizationId: id, captureId, status })];
}

/** A refusal shown by a list counts only if no capture of the authorization is pending or successful (rule 37). */
function judgeRefusal(polled: Polled, made: ServiceRecord): Action {
  const { captures: answered } = polled.facts;
  if (answered === null) return checkCaptures(made.id);
  if (answered.kind === 'unreadable') {
    return stillPending(polled, `its refusal is not confirmed: ${answered.why}`, { atLeast: answered.retryAfter });
  }
  const captures = answered.records.filter((each) => each.authorizationId === made.id);
  if (polled.send.authorized) return failedAgain(polled, made, captures);
  if (captures.some(({ status }) => status === 'successful')) return capturedThoughRefused(polled, made, captures);
  const isUnderWay = captures.some(({ status }) => status === 'pending');
  if (isUnderWay || answered.incomplete !== undefined) {
    return stillPending(polled, `the service says ${made.status}, and its captures are not final`);
  }
  return settle(polled.send.wasRefused ? { state: 'refused_again' } : outcomeOfRefusal(made));
}

/** A successful debit never becomes failed: its captures decide its outcome, and an operator is notified at once. */
function failedAgain(polled: Polled, made: ServiceRecord, captures: readonly ServiceCapture[]): Action {
  const { id, status } = made;
  const contradiction = `${id} was successful, and the service lists it as ${status} now: its captures decide.`;
  const outcome = outcomeOfBooking(made, captures);
  if (outcome !== null) return settle({ ...outcome, contradiction });
  const sideEffects: readonly SideEffect[] = [{ kind: 'contradiction', record: made, detail: contradiction }];
  return stillPending(polled, `the service said successful and now ${status}; its capture is not final`, {
    sideEffects,
  });
}

/** If the refusal and the successful capture are both still shown after the settle time, the debit counts as collected. */
function capturedThoughRefused(polled: Polled, made: ServiceRecord, captures: readonly ServiceCapture[]): Action {
  const { send, facts } = polled;
  const { realNow, settle: settleTime } = facts;
  const since = send.contradictedSinceReal;
  if (since === null) return observe({ contradictedSinceReal: realNow });
  const { id, status } = made;
  const why = `the service says ${status}, and has a successful capture of it`;
  if (realNow - since < settleTime) return stillPending(polled, why, { atLeast: since + settleTime - realNow });
  const outcome = outcomeOfBooking(made, captures);
  if (outcome === null) return stillPending(polled, why);
  const contradiction = `${id} is ${status}, and the service has a successful capture of it: it was collected.`;
  return settle({ ...outcome, contradiction });
}

/** Real ms since the send during which the activity polls without leaving its slot: most banks have decided by then. */
const ASKED_IN_PLACE = 30_000;
/** A slow bank is polled at growing intervals, up to this long. Real ms; less on a fast test clock. */
const MAX_WAIT = HOUR;

/** After the window the workflow gets a result and continues; polling also continues. */
function stillPending(
  { attempt, facts, send }: Polled,
  why: string,
  { atLeast = 0, sideEffects = [] }: WaitOptions = {},
): Action {
  if (isOver(attempt, facts) && !attempt.parked) {
    return answer({ kind: 'pending', authorizationId: send.id as AuthorizationId }, ...sideEffects);
  }
  const age = ageOf(facts, send);
  const soon = growingWaitUntil(facts, attempt.endsAt, age, atLeast);
  const left = ASKED_IN_PLACE - age;
  // Each run costs a dispatch, so wait for half the time for which the debit has been pending.
  const between = endingBy(facts, attempt.endsAt, Math.min(age / 2, scaledTimeout(facts.clock, MAX_WAIT)));
  return {
    kind: 'retry_later',
    stop: 'pending',
    why: `authorization ${send.id}: ${why}`,
    wait: Math.max(between, soon),
    // The last check without leaving the slot is made when the time for it ends.
    inPlace: left > atLeast ? Math.min(soon, left) : null,
    sideEffects,
  };
}

/** The final outcome of a successful authorization. */
type Booked = Extract<Settled, { state: 'successful' | 'capture_failed' }>;

/**
 * The outcome of a successful authorization; null until a capture of it is successful or all listed ones have failed.
 */
export function outcomeOfBooking(
  { id, createdAt }: Pick<ServiceRecord, 'id' | 'createdAt'>,
  listed: readonly ServiceCapture[],
): Booked | null {
  const captures = listed.filter((each) => each.authorizationId === id);
  const booked = captures.find((each) => each.status === 'successful');
  if (booked !== undefined) return { state: 'successful', id, createdAt, captureId: booked.captureId as CaptureId };
  const failed = captures.find((each) => each.status === 'failed');
  if (failed === undefined || captures.some((each) => each.status !== 'failed')) return null;
  const { captureId, detail = 'CAPTURE_FAILED' } = failed;
  return { state: 'capture_failed', id, createdAt, captureId: captureId as CaptureId, detail };
}

/** The outcome of an authorization that was not successful. */
export function outcomeOfRefusal(made: ServiceRecord): Extract<Settled, { state: 'refused' }> {
  const { status, detail = `AUTHORIZATION_${status.toUpperCase()}`, description = '' } = made;
  const retryable = detail === 'AUTHORIZATION_REJECTION_RETRYABLE';
  return { state: 'refused', detail, description, retryable, made };
}
