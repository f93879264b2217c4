import { Context } from '@temporalio/activity';
import type { ApplicationFailure } from '@temporalio/common';
import type { CollectResult } from '../../src/domain/subscription/state';
import { realDelay, type Instant, toIso } from '../../src/domain/time';
import { beginSend, readHalt, readIsHeld, type SendRef, sendsInVain } from '../../src/ledger';
import type { Authorization, ServiceResult, Turn } from '../../src/payment-service';
import { endOfConsent, remember, toConsentResult } from '../consent/consent';
import { describeInVain, untilFreshSend, checksHoldFor, sendDeadline, startStopwatch } from '../send-limits';
import { HALTED, tryAgain, WORKER_STOPS, describe, retryAfter } from '../stops';
import {
  alert,
  type Collecting,
  isBegun,
  isEarly,
  maySend,
  MOVED,
  pauseUntil,
  type Phase,
  recordAttempt,
  sendLater,
  tell,
} from './attempt';
import { checkBeforeSending } from './settle';

/** The consent, the list, the POST. */
const CALLS = 3;

/**
 * Makes its calls in one turn, where calls are capped: what was read is not old, and no "sending" row waits in a queue
 * (rule 31).
 */
export async function sendAttempt(collecting: Collecting): Promise<Phase> {
  const { deps } = collecting;
  const { cancellationSignal } = Context.current();
  const phase = await deps.service.inTurn(CALLS, (turn) => checkAndSend(collecting, turn), cancellationSignal);
  if (phase === null) throw tryAgain('not_sent', WORKER_STOPS, 1);
  return phase;
}

/** Checks everything that must hold before a POST, commits the "sending" row, and sends (rules 3, 7, 16). */
async function checkAndSend(collecting: Collecting, turn: Pick<Turn, 'ready'>): Promise<Phase> {
  const { deps, input } = collecting;
  if (isEarly(collecting)) throw waitForDueDate(collecting);
  if (!maySend(collecting)) return { kind: 'window_closed' };
  if (await readIsHeld(deps.ledger, input.subscriptionId, input.revision)) return { kind: 'held' };
  if ((await readHalt(deps.ledger)) !== null) throw await waitForLift(collecting);
  await pauseAfterSendsInVain(collecting);
  const sinceChecks = startStopwatch(deps.clock);
  const ended = await checkConsent(collecting);
  if (ended !== null) return ended;
  const consentReadAt = deps.clock.now();
  const look = await checkBeforeSending(collecting);
  // Another worker may have sent this very attempt meanwhile: then its row says so, and the authorization is its own.
  if (look.kind === 'unresolved') return (await isBegun(collecting)) ? MOVED : look;
  if (look.kind === 'unreadable') {
    const why = describe(look.answer);
    await alert(collecting, 'authorizations.unreadable', { reason: why });
    throw sendLater(collecting, 'service_unreadable', `authorizations: ${why}`, retryAfter(look.answer));
  }
  if (look.clocksDiffer !== null) {
    await alert(collecting, 'attempt.clocks_differ', { reason: look.clocksDiffer });
    throw sendLater(collecting, 'clocks_differ', look.clocksDiffer);
  }
  await turn.ready();
  return send(
    collecting,
    { knownIds: look.knownIds, consentReadAt },
    () => sinceChecks() < checksHoldFor(deps.settings),
  );
}

/** Two machines' clocks differ, or one was set back: asked again in growing pauses, as the clock may be set right. */
function waitForDueDate(collecting: Collecting): ApplicationFailure {
  const pause = pauseUntil(collecting, collecting.input.dueAt);
  return tryAgain('not_sent', 'by the clock of this machine the due date has not come', pause);
}

/**
 * What is inside its window when the halt is lifted is sent: so the pauses grow to a minute at most, and shorten again
 * towards the end, to a fifth of what is left.
 */
async function waitForLift(collecting: Collecting): Promise<ApplicationFailure> {
  await tell(collecting, 'attempt.halted');
  const { deps, input } = collecting;
  const left = realDelay(deps.clock.setting, deps.clock.realNow(), input.sendBefore);
  return tryAgain('halted', HALTED, pauseUntil(collecting, input.sendBefore, Math.min(collecting.age(), left)));
}

/** @throws ApplicationFailure where it was sent in vain too lately: the pause ends with the time in which it may be sent. */
async function pauseAfterSendsInVain(collecting: Collecting): Promise<void> {
  const { deps, input } = collecting;
  const inVain = await sendsInVain(deps.ledger, input.subscriptionId, input.cycle, input.attempt);
  const pause = untilFreshSend(inVain, deps.clock, deps.settings);
  if (pause > 0) throw sendLater(collecting, 'not_sent', describeInVain(inVain), pause);
}

/** Only `successful` permits a POST; an unreadable or unknown answer permits nothing (rule 7). */
async function checkConsent(collecting: Collecting): Promise<CollectResult | null> {
  const { deps, input, progress } = collecting;
  progress('consent');
  const consent = await deps.service.getConsent(input.paymentId);
  if (consent.kind !== 'accepted') {
    await alert(collecting, 'consent.unreadable', { reason: describe(consent) });
    throw sendLater(collecting, 'service_unreadable', `consent: ${describe(consent)}`, retryAfter(consent));
  }
  await remember(deps, input, consent.value);
  const result = await toConsentResult(deps, input, consent.value);
  if (result === null) {
    await alert(collecting, 'consent.unreadable', { reason: 'pending again' });
    throw sendLater(collecting, 'service_unreadable', 'the consent reads pending');
  }
  return result.kind === 'granted' ? null : endOfConsent(result);
}

/** What permits the POST: every id that the service listed, and when it said that the consent is successful. */
interface Checks {
  readonly knownIds: readonly string[];
  readonly consentReadAt: Instant;
}

/**
 * Commits the row and sends. A process frozen since before its row was committed must not send once it wakes: by then
 * others may have settled the row as never sent. What is left is the stretch between the last check and the first byte,
 * microseconds.
 */
async function send(collecting: Collecting, checks: Checks, checksHold: () => boolean): Promise<Phase> {
  const { deps, input, progress } = collecting;
  const { subscriptionId, paymentId, cycle, attempt, amount, dueAt, collectBy, sendBefore, revision, why } = input;
  const { knownIds, consentReadAt } = checks;
  // Begun before the row: the answer to its commit may be what a frozen process wakes to.
  const sinceRow = startStopwatch(deps.clock);
  const begun = await beginSend(deps.ledger, {
    ...{ subscriptionId, paymentId, cycle, attempt, amount, dueAt, collectBy, revision, knownIds },
    at: deps.clock.now(),
    realAt: deps.clock.realNow(),
    owner: deps.settings.owner,
    grounds: { sendBefore: toIso(sendBefore), consentReadAt: toIso(consentReadAt), ...(why && { why }) },
  });
  if (begun.kind === 'held') return { kind: 'held' };
  if (begun.kind === 'halted') throw await waitForLift(collecting);
  if (begun.kind === 'blocked') throw sendLater(collecting, 'blocked', 'another attempt of this payment is open');
  if (begun.kind === 'closed') throw sendLater(collecting, 'blocked', `the ledger shows it ${begun.status} already`);
  progress('authorization', { attempt, send: begun.send.send });
  const isFresh = () => sinceRow() < sendDeadline(deps.settings) && checksHold();
  const beforeSend = () => isFresh() && maySend(collecting);
  const answer = await deps.service.initiate(paymentId, amount, { beforeSend });
  return recordAnswer(collecting, begun.send, answer);
}

async function recordAnswer(
  collecting: Collecting,
  ref: SendRef,
  answer: ServiceResult<Authorization>,
): Promise<Phase> {
  switch (answer.kind) {
    case 'accepted': {
      const { authorizationId, createdAt } = answer.value;
      await recordAttempt(collecting, ref, { state: 'pending', authorizationId, createdAt });
      return MOVED;
    }
    case 'rejected': {
      const { retryable, detail, description } = answer.failure;
      const state = retryable ? 'rejected_retryable' : 'rejected';
      const seen =
        answer.value === undefined
          ? {}
          : { authorizationId: answer.value.authorizationId, createdAt: answer.value.createdAt };
      await recordAttempt(collecting, ref, { state, detail, description, ...seen });
      return MOVED;
    }
    case 'not_sent':
      await recordAttempt(collecting, ref, { state: 'not_sent', reason: answer.reason });
      await alert(collecting, 'attempt.not_sent', { reason: answer.reason });
      throw sendLater(collecting, 'not_sent', answer.reason, retryAfter(answer));
    case 'unknown':
      await recordAttempt(collecting, ref, {
        state: 'unknown',
        reason: answer.reason,
        sinceReal: collecting.deps.clock.realNow(),
      });
      return MOVED;
  }
}
