import { type KnownRecord, revived } from '../evidence';
import { matchSent } from '../send';
import { type Action, answer, check, retryLater } from './action';
import {
  type ListResult,
  type Attempt,
  type Facts,
  isDebit,
  isOver,
  type Send,
  type ServiceRecord,
  type Unreadable,
} from './attempt';
import { cannotAsk, unclear } from './before-send';
import { evidenceOfCaptures, gapIn, idsOf, OTHER_UNKNOWN } from './evidence-before-send';
import { AGREEING_CHECKS, MAX_UNANSWERED_SENDS, unknownSince, untilNextCheck } from './limits';
import { later, growingWaitUntil } from './waits';

/** Polls for the outcome of a send that was made or may have been made. Never sends (rules 17, 18). */
export function settleUnknown(attempt: Attempt, facts: Facts, send: Send): Action {
  if (send.state === 'sending') return markUnknown(facts, send);
  const { list, takenIds } = facts;
  if (list === null) return { kind: 'poll' };
  if (list.kind === 'unreadable') return cannotAsk(attempt, facts, list, ageOf(facts, send));
  if (takenIds === null) return check('takenIds');
  const match = matchSent(list.records, { ...send, takenIds });
  switch (match.kind) {
    case 'found':
      return { kind: 'settle', outcome: { state: 'accepted', made: match.record } };
    case 'unclear':
      return leaveUnresolved(
        attempt,
        facts,
        send,
        `the service lists ${idsOf(match.records).join(', ')}, which do not fit`,
      );
    case 'absent':
      return notListed(attempt, facts, send, list);
  }
}

/** Real ms since the send. */
export function ageOf({ realNow }: Pick<Facts, 'realNow'>, { sendingRealAt }: Pick<Send, 'sendingRealAt'>): number {
  return realNow - sendingRealAt;
}

/** The row has no outcome: the process that wrote it has died, is frozen, or is still waiting for the answer. */
function markUnknown(facts: Facts, { sendingRealAt }: Send): Action {
  const sinceReal = unknownSince(sendingRealAt, facts.realNow, facts);
  return { kind: 'settle', outcome: { state: 'unknown', reason: 'no outcome was recorded', sinceReal } };
}

/** The outcome cannot be determined from what the service shows: an operator is notified, and checking continues. */
function leaveUnresolved(attempt: Attempt, facts: Facts, send: Send, reason: string): Action {
  const then = unclear(attempt, facts, reason);
  const outcome = { state: 'unresolved', reason } as const;
  return startAgain(send.state === 'unresolved' ? then : { kind: 'settle', outcome, then });
}

/** An incomplete list, or captures that cannot be read, prove nothing: the count of agreeing checks restarts. */
function provesNothing(attempt: Attempt, facts: Facts, send: Send, answered: Unreadable): Action {
  return startAgain(cannotAsk(attempt, facts, answered, ageOf(facts, send)));
}

/** The next check is the first of the checks that must agree. */
function startAgain(then: Extract<Action, { kind: 'count_absence' }>['then']): Action {
  return { kind: 'count_absence', absent: false, then };
}

function notListed(
  attempt: Attempt,
  facts: Facts,
  send: Send,
  list: Extract<ListResult<ServiceRecord>, { kind: 'listed' }>,
): Action {
  const { own } = facts;
  if (own === null) return check('own');
  if (own.isOtherUnknown) return later(attempt, facts, 'blocked', OTHER_UNKNOWN);
  const [again] = isDebit(attempt) ? revived(list.records, [], own.known) : [];
  if (again !== undefined) return { kind: 'reopen', again, blocksAttempt: false };
  const gap = gapIn(list, own.known, facts);
  if (gap !== null) return provesNothing(attempt, facts, send, gap);
  return send.acceptedAnswer === null
    ? absent(attempt, facts, send, own.known)
    : acceptedAndAbsent(attempt, facts, send, send.acceptedAnswer);
}

/** A send that the service accepted was made, whatever its lists show (rule 38). */
function acceptedAndAbsent(attempt: Attempt, facts: Facts, send: Send, accepted: string): Action {
  if (send.state !== 'unresolved' && facts.realNow < settledAt(facts, send)) return checkLater(attempt, facts, send);
  const reason = `the service accepted it as ${accepted}, and does not list it`;
  return leaveUnresolved(attempt, facts, send, send.state === 'unresolved' ? (send.reason ?? reason) : reason);
}

/** Real time from which a check that does not find the send counts. */
function settledAt({ realNow, settle }: Facts, { unknownSinceReal }: Send): number {
  return (unknownSinceReal ?? realNow) + settle;
}

/**
 * A send counts as never made only if, after the settle time, two checks in a row do not find it and no capture shows
 * it.
 */
function absent(attempt: Attempt, facts: Facts, send: Send, known: readonly KnownRecord[]): Action {
  if (!facts.done.has('counted')) return { kind: 'count_absence', absent: facts.realNow >= settledAt(facts, send) };
  if (send.absentChecks < AGREEING_CHECKS) return checkLater(attempt, facts, send);
  // If no fresh send may follow, a missing send counts as never made, no matter how many earlier sends did.
  if (maySendAgain(attempt, facts)) {
    if (facts.ledger === null) return check('ledger');
    if (facts.ledger.sends >= MAX_UNANSWERED_SENDS) return sentWithoutAnswer(attempt, facts, send);
  }
  const evidence = evidenceOfCaptures(attempt, facts, known);
  switch (evidence?.kind) {
    case undefined:
      return neverMade(attempt);
    case 'missing':
      return evidence.action;
    case 'again':
      return { kind: 'reopen', again: evidence.again, blocksAttempt: false };
    case 'stranger':
      return leaveUnresolved(attempt, facts, send, evidence.reason);
    case 'unreadable':
      return provesNothing(attempt, facts, send, evidence);
  }
}

function maySendAgain(attempt: Attempt, { now }: Facts): boolean {
  if (isDebit(attempt)) return !attempt.settleOnly;
  return attempt.sendBefore === null || now < attempt.sendBefore;
}

/**
 * If the attempt may be sent only until some instant, checks continue until then; otherwise an operator decides (rule
 * 39).
 */
function sentWithoutAnswer(attempt: Attempt, facts: Facts, send: Send): Action {
  if (attempt.sendBefore !== null) return checkLater(attempt, facts, send);
  return leaveUnresolved(attempt, facts, send, 'sent three times; the service neither answered readably nor lists it');
}

function checkLater(attempt: Attempt, facts: Facts, send: Send): Action {
  if (isDebit(attempt) && isOver(attempt, facts) && !attempt.settleOnly) return answer({ kind: 'unknown' });
  const limit = isDebit(attempt) ? attempt.endsAt : null;
  const wait = untilNextCheck(
    growingWaitUntil(facts, limit, ageOf(facts, send)),
    facts.realNow,
    settledAt(facts, send),
  );
  return retryLater('outcome_unknown', 'the service does not list what was sent', wait);
}

function neverMade({ settleOnly }: Attempt): Action {
  const outcome = { state: 'not_sent', reason: 'absent after the settle time, twice in a row' } as const;
  return settleOnly ? { kind: 'settle', outcome, then: answer({ kind: 'absent' }) } : { kind: 'settle', outcome };
}
