import { sameMoney } from '../money';
import { whyClocksDiffer } from '../send';
import type { EventType } from '../audit/events';
import {
  type Action,
  alertOf,
  type Answer,
  answer,
  check,
  retryLater,
  type RetryLater,
  HALTED,
  type SideEffect,
} from './action';
import { type Attempt, type Facts, isDebit, isOver, type Unreadable } from './attempt';
import { type Evidence, evidenceBeforeSend } from './evidence-before-send';
import { isAlertDue, untilFreshSend } from './limits';
import { endingBy, later, growingWaitUntil, slowWaitUntil } from './waits';

/** Nothing has been created yet: checks everything that a POST requires, in this order (rules 3, 7, 16, 39). */
export function beforeSend(attempt: Attempt, facts: Facts): Action {
  return (
    outsideTime(attempt, facts) ??
    forbiddenByLedger(attempt, facts) ??
    forbiddenByConsent(attempt, facts) ??
    judgeEvidence(attempt, facts, evidenceBeforeSend(attempt, facts))
  );
}

/** Nothing may be sent before the due date, nor at or after `sendBefore`. */
export function maySendAt({ notBefore, sendBefore }: Pick<Attempt, 'notBefore' | 'sendBefore'>, now: number): boolean {
  return now >= notBefore && (sendBefore === null || now < sendBefore);
}

function outsideTime(attempt: Attempt, facts: Facts): Action | null {
  const { notBefore } = attempt;
  if (maySendAt(attempt, facts.now)) return null;
  if (facts.now >= notBefore) return isDebit(attempt) ? answer({ kind: 'window_closed' }) : { kind: 'give_up' };
  // The clocks of two machines differ, or one was set back. Check again at growing intervals, as the clock may be corrected.
  const why = 'the due date has not been reached by the clock of this machine';
  return retryLater('not_sent', why, growingWaitUntil(facts, notBefore, facts.age));
}

function forbiddenByLedger(attempt: Attempt, facts: Facts): Action | null {
  const { ledger } = facts;
  if (ledger === null) return check('ledger');
  if (ledger.isStopped) return answer({ kind: 'stopped' });
  if (ledger.isHalted) return whileHalted(attempt, facts);
  const wait = untilFreshSend({ ...ledger, sendBefore: attempt.sendBefore }, facts, facts);
  if (wait === 0) return null;
  const why = `sent ${ledger.sends} times without a readable answer, and never executed: waiting until the service answers a POST`;
  // Not after the whole `wait`, but at growing intervals, because any answered POST ends it.
  return later(attempt, facts, 'not_sent', why);
}

/**
 * An attempt still inside its window is sent when the halt is lifted. So its waits grow to at most a minute. Those of a
 * debit shrink towards the end of the window, to a fifth of the time left.
 */
export function whileHalted(attempt: Attempt, facts: Facts): RetryLater {
  const entry: SideEffect = { kind: 'entry', type: typeOf(attempt, 'halted') };
  const age = isDebit(attempt) ? endingBy(facts, attempt.sendBefore, facts.age) : facts.age;
  return later(attempt, { ...facts, age }, 'halted', HALTED, { sideEffects: [entry] });
}

/** Only `successful` permits a POST; an unreadable or unknown answer permits nothing (rule 7). */
function forbiddenByConsent(attempt: Attempt, facts: Facts): Action | null {
  if (!isDebit(attempt)) return null;
  const { consent } = facts;
  switch (consent?.kind) {
    case undefined:
      return check('consent');
    case 'granted':
      return null;
    case 'consent_ended':
      return answer(consent);
    case 'pending':
      return unreadableConsent(attempt, facts, 'pending again', 'the consent is pending');
    case 'unreadable':
      return unreadableConsent(attempt, facts, consent.why, `consent: ${consent.why}`, consent.retryAfter);
  }
}

function unreadableConsent(attempt: Attempt, facts: Facts, reason: string, why: string, atLeast = 0): RetryLater {
  const sideEffects = [alertOf('consent.unreadable', { reason })];
  return later(attempt, facts, 'service_unreadable', why, { atLeast, sideEffects });
}

function judgeEvidence(attempt: Attempt, facts: Facts, evidence: Evidence): Action {
  switch (evidence.kind) {
    case 'missing':
      return evidence.action;
    case 'again':
      return isDebit(attempt)
        ? { kind: 'reopen', again: evidence.again, blocksAttempt: true }
        : stoppedOrder(attempt, facts, evidence.reason);
    case 'stranger':
      return isDebit(attempt) ? madeElsewhere(attempt, facts, evidence) : stoppedOrder(attempt, facts, evidence.reason);
    case 'unreadable':
      return unreadableList(attempt, facts, evidence);
    case 'clear':
      return clearToSend(attempt, facts, evidence);
  }
}

/** An operator decides, because the listed record could be this order. */
function stoppedOrder(attempt: Attempt, facts: Facts, reason: string): RetryLater {
  const sideEffects: SideEffect[] = [{ kind: 'operator', reason }, alertOf(typeOf(attempt, 'stopped'), { reason })];
  return later(attempt, facts, 'outcome_unknown', reason, { sideEffects });
}

/**
 * The ledger lacks what the service lists. Reads the row again first: another worker may have sent this attempt
 * meanwhile, and the authorization is then the attempt's own.
 */
function madeElsewhere(
  { amount }: Attempt,
  { done, ledger }: Facts,
  { reason, records }: Extract<Evidence, { kind: 'stranger' }>,
): Action {
  if (!done.has('reread')) return check('row');
  const [only, ...others] = records;
  const collects = [amount, ledger?.currentAmount ?? amount];
  const isOurs =
    only !== undefined &&
    only.isOther !== true &&
    others.length === 0 &&
    collects.some((each) => sameMoney(each, only.amount));
  return isOurs ? { kind: 'adopt', record: only, otherwise: reason } : answer({ kind: 'unresolved', reason });
}

/**
 * A list that cannot be read raises an alert at once, and an incomplete one after two thirds of the settle time (rule 39). A list
 * that lags by less than the settle time raises none.
 */
function unreadableList(
  attempt: Attempt,
  facts: Facts,
  { why, retryAfter, gap }: Extract<Evidence, { kind: 'unreadable' }>,
): RetryLater {
  const isAlerted = gap === null || isAlertDue(facts.age, gap, facts);
  const item: SideEffect[] =
    gap === null || facts.ledger?.hasIncompleteListItem === true ? [] : [{ kind: 'list', reason: gap.reason }];
  const sideEffects = isAlerted ? [...item, alertOf(typeOf(attempt, 'unreadable'), { reason: why })] : [];
  return later(attempt, facts, 'service_unreadable', `${attempt.recordKind}s: ${why}`, {
    atLeast: retryAfter,
    sideEffects,
  });
}

function clearToSend(
  attempt: Attempt,
  facts: Facts,
  { knownIds, clockLead }: Extract<Evidence, { kind: 'clear' }>,
): Action {
  const whole: Extract<SideEffect, { kind: 'list' }>[] =
    facts.ledger?.hasIncompleteListItem === true ? [{ kind: 'list', reason: null }] : [];
  const clocksDiffer = whyClocksDiffer(clockLead);
  if (clocksDiffer !== null) {
    const sideEffects = [...whole, alertOf(typeOf(attempt, 'clocks_differ'), { reason: clocksDiffer })];
    return later(attempt, facts, 'clocks_differ', clocksDiffer, { sideEffects });
  }
  const [sideEffect] = facts.done.has('list') ? [] : whole;
  return sideEffect === undefined ? { kind: 'send', knownIds } : { kind: 'side_effect', sideEffect };
}

/**
 * No send of ours is open. Usually an authorization or capture that the ledger lacks had stopped the POST: checks
 * whether the service still lists one.
 */
export function checkAgain(attempt: Attempt, facts: Facts): Action {
  if (facts.ledger === null) return check('ledger');
  const evidence = evidenceBeforeSend(attempt, facts);
  switch (evidence.kind) {
    case 'missing':
      return evidence.action;
    case 'again':
      return { kind: 'reopen', again: evidence.again, blocksAttempt: true };
    case 'stranger':
      return unclear(attempt, facts, evidence.reason);
    case 'unreadable':
      return cannotAsk(attempt, facts, evidence, facts.age);
    case 'clear':
      // An operator's resolution is stored as a send of this attempt, perhaps during the calls to the service: read the
      // row again.
      return facts.done.has('reread') ? answer({ kind: 'absent' }) : check('row');
  }
}

/** For a debit, the workflow gets the result `unresolved` once. Polling continues at growing intervals. */
export function unclear(attempt: Attempt, facts: Facts, reason: string): Answer | RetryLater {
  if (!isDebit(attempt)) return later(attempt, facts, 'outcome_unknown', reason);
  if (!attempt.knownUnresolved) return answer({ kind: 'unresolved', reason });
  return retryLater('outcome_unknown', reason, slowWaitUntil(facts, attempt.endsAt, facts.age));
}

/**
 * The service cannot be asked for the outcome. Within the window it is polled again. After the window an operator must decide,
 * but only once the outage has lasted for the settle time: one lost answer is no reason to notify an operator (rule 18).
 * @param age real ms since the send; if there was none, since the attempt was first unable to proceed
 */
export function cannotAsk(
  attempt: Attempt,
  facts: Facts,
  { why, retryAfter }: Unreadable,
  age: number,
): Answer | RetryLater {
  const { settleOnly, knownUnresolved, endsAt } = attempt;
  const reason = `the service cannot be asked: ${why}`;
  if (!isDebit(attempt)) {
    const isLasting = age >= facts.settle;
    const sideEffects: SideEffect[] = [
      { kind: 'operator', reason },
      alertOf(typeOf(attempt, 'unreadable'), { reason }),
    ];
    return retryLater(
      'outcome_unknown',
      reason,
      growingWaitUntil(facts, null, age, retryAfter),
      ...(isLasting ? sideEffects : []),
    );
  }
  if (isOver(attempt, facts) && !settleOnly) return answer({ kind: 'unknown' });
  if (settleOnly && !knownUnresolved && facts.age >= facts.settle) return answer({ kind: 'unresolved', reason });
  const waitUntil = knownUnresolved ? slowWaitUntil : growingWaitUntil;
  return retryLater('outcome_unknown', reason, waitUntil(facts, endsAt, age, retryAfter));
}

type EntryName = 'unreadable' | 'clocks_differ' | 'halted' | 'stopped' | 'not_sent' | 'overdue' | 'unknown_status';

/** The type of the audit entry for what holds up the attempt. */
export function typeOf({ recordKind }: Attempt, name: EntryName): EventType {
  if (name === 'unreadable') return `${recordKind}s.unreadable`;
  if (recordKind === 'authorization') return `attempt.${name}` as EventType;
  return name === 'not_sent' ? `${recordKind}.cannot_be_sent` : `${recordKind}.${name}`;
}
