import type { ApplicationFailure } from '@temporalio/common';
import type { CollectResult } from '../../src/domain/subscription/state';
import { toIso } from '../../src/domain/time';
import {
  type AdoptionTerms,
  beginSend,
  type ConsentAnswer,
  precheckAttempt,
  recordConsentAnswer,
} from '../../src/ledger';
import type { Turn } from '../../src/payment-service';
import { consentAnswer, endOfConsent, noteUnreadable, toConsentResult } from '../consent/answer';
import { probeInterval, PROBING, startStopwatch } from '../send-limits';
import { type Check, checkBeforeSending, idsListed } from '../pre-send-check';
import { alert, checkLedger, inTurn, sendOnce } from '../sending';
import { adopt, adoptionStart } from './adopt';
import { comesAgain, followList } from './contradictions';
import { describe, retryAfter, tryAgain } from '../stops';
import { type Collecting, isBegun, isEarly, maySend, MOVED, type Phase } from './attempt';
import { pauseUntil } from './pauses';

/** The consent, the list, the POST. */
const CALLS = 3;

export function sendAttempt(collecting: Collecting): Promise<Phase> {
  return inTurn(collecting.deps, isRetry(collecting) ? CALLS + 1 : CALLS, (turn) => checkAndSend(collecting, turn));
}

/** Checks everything that must hold before a POST, commits the "sending" row, and sends (rules 3, 7, 16). */
async function checkAndSend(collecting: Collecting, turn: Pick<Turn, 'ready'>): Promise<Phase> {
  const { deps, input } = collecting;
  if (isEarly(collecting)) throw waitForDueDate(collecting);
  if (!maySend(collecting)) return { kind: 'window_closed' };
  const before = await precheckAttempt(deps.ledger, input);
  if (before.isHeld) return { kind: 'held' };
  collecting.since = adoptionStart(before.calendar, input.cycle);
  await checkLedger(collecting, before);
  const sinceChecks = startStopwatch(deps.clock);
  const consent = await readConsent(collecting);
  if (consent.kind !== 'granted') return consent;
  if (before.wasUnreadable) await recordConsentAnswer(deps.ledger, consent.answer);
  const seen = await checkBeforeSending(collecting, isRetry(collecting));
  const isClear = seen.kind === 'clear' && seen.clocksDiffer === null;
  // A clear look goes on to the row, with which it is kept.
  if (!isClear) await recordConsentAnswer(deps.ledger, consent.answer);
  if (seen.kind === 'again') return comesAgain(collecting, seen.again);
  if (seen.kind === 'unresolved') return madeElsewhere(collecting, seen, before);
  await followList(collecting, seen, before);
  const knownIds = await idsListed(collecting, seen);
  await turn.ready();
  const { isUnanswered } = before;
  return send(collecting, { knownIds, isUnanswered, consent: consent.answer }, sinceChecks);
}

/** Before every retry the captures are asked for too (rule 39). */
export function isRetry({ input }: Collecting): boolean {
  return input.attempt > 0;
}

/** Another worker may have sent this very attempt by now: then its row says so, and the authorization is its own. */
async function madeElsewhere(
  collecting: Collecting,
  { reason, strangers }: Extract<Check, { kind: 'unresolved' }>,
  terms: AdoptionTerms,
): Promise<Phase> {
  if (await isBegun(collecting)) return MOVED;
  const [only, ...others] = strangers;
  const isAdopted = only !== undefined && others.length === 0 && (await adopt(collecting, only, terms));
  return isAdopted ? MOVED : { kind: 'unresolved', reason };
}

/** Two machines' clocks differ, or one was set back: asked again in growing pauses, as the clock may be set right. */
function waitForDueDate(collecting: Collecting): ApplicationFailure {
  const pause = pauseUntil(collecting, collecting.input.dueAt);
  return tryAgain('not_sent', 'by the clock of this machine the due date has not come', pause);
}

/** Only `successful` permits a POST; an unreadable or unknown answer permits nothing (rule 7). */
async function readConsent(
  collecting: Collecting,
): Promise<CollectResult | { readonly kind: 'granted'; readonly answer: ConsentAnswer }> {
  const { deps, input, progress } = collecting;
  progress('consent');
  const consent = await deps.service.getConsent(input.paymentId);
  if (consent.kind !== 'accepted') {
    await noteUnreadable(deps, input, consent);
    await alert(collecting, 'consent.unreadable', { reason: describe(consent) });
    throw collecting.later('service_unreadable', `consent: ${describe(consent)}`, retryAfter(consent));
  }
  const answer = consentAnswer(deps, input, consent.value);
  if (answer.status !== 'successful') await recordConsentAnswer(deps.ledger, answer);
  const result = await toConsentResult(deps, input, consent.value);
  if (result?.kind === 'granted') return { kind: 'granted', answer };
  if (result !== null) return endOfConsent(result);
  await noteUnreadable(deps, input, consent);
  await alert(collecting, 'consent.unreadable', { reason: 'pending again' });
  throw collecting.later('service_unreadable', 'the consent reads pending');
}

/** What permits the POST: every id that the service listed, and the answer that the consent is successful. */
interface Checks {
  readonly knownIds: readonly string[];
  readonly consent: ConsentAnswer;
  /** The service has answered none of the last POSTs of the installation readably. */
  readonly isUnanswered: boolean;
}

async function send(
  collecting: Collecting,
  { knownIds, consent, isUnanswered }: Checks,
  sinceChecks: () => number,
): Promise<Phase> {
  const { deps, input, later, afterHalt } = collecting;
  const { subscriptionId, paymentId, cycle, attempt, amount, dueAt, collectBy, sendBefore, revision, why } = input;
  const begin = () =>
    beginSend(deps.ledger, {
      subscriptionId,
      paymentId,
      cycle,
      attempt,
      amount,
      dueAt,
      collectBy,
      revision,
      knownIds,
      consent,
      // This machine's clock may be behind the one that woke the workflow: nothing is sent before its planned time (rule 14).
      at: Math.max(deps.clock.now(), input.plannedAt ?? 0),
      realAt: deps.clock.realNow(),
      owner: deps.settings.owner,
      probeInterval: isUnanswered ? probeInterval(deps.settings) : undefined,
      grounds: { sendBefore: toIso(sendBefore), consentReadAt: toIso(consent.at), ...(why && { why }) },
    });
  let leavesAt = deps.clock.now();
  const leaves = () => {
    leavesAt = deps.clock.now();
    return maySend(collecting);
  };
  const sent = await sendOnce(collecting, begin, sinceChecks, leaves);
  if (sent.kind !== 'sent') await recordConsentAnswer(deps.ledger, consent);
  switch (sent.kind) {
    case 'sent':
      if (input.plannedAt !== undefined) deps.counting.recordLateness(leavesAt - input.plannedAt);
      return MOVED;
    case 'held':
      return { kind: 'held' };
    case 'no_notice':
      deps.log.warn({ subscriptionId, cycle, attempt }, 'a retry without a delivered notice was not sent');
      return { kind: 'held', why: 'no_notice' };
    case 'halted':
      throw await afterHalt();
    case 'probing':
      throw later('not_sent', PROBING, sent.wait);
    case 'blocked':
      throw later('blocked', 'another attempt of this payment is open');
    case 'closed':
      throw later('blocked', `the ledger shows it ${sent.status} already`);
  }
}
