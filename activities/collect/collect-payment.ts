import type { CollectInput, ResolveInput, ResolveResult } from '../../src/contract/activities';
import type { CollectResult, Rejection } from '../../src/domain/subscription/state';
import {
  type AttemptRead,
  type AttemptRecord,
  readAttempt,
  reopenedAttempt,
  resolveAttempt as resolveInLedger,
  type ResolveResult as Resolved,
} from '../../src/ledger';
import { endOfConsent, noteUnreadable, remember, toConsentResult } from '../consent/answer';
import { inSpan } from '../../src/tracing';
import { type Dependencies, reportUnrecorded } from '../dependencies';
import { withHeartbeat, tryAgain, describe, retryAfter } from '../stops';
import { alert } from '../sending';
import { type Collecting, collectingOf, isToBeSent, isWindowOver, MOVED, type Phase, pauseUntil } from './attempt';
import { settleBeside } from './contradictions';
import { pollAttempt } from './poll';
import { sendAttempt } from './send';
import { lookAgain, settleAttempt } from './settle';
import type { TrailMemory } from './trail-memory';

/**
 * One attempt whole, safe to run any number of times: the ledger's row says how far it came, and a row without an
 * outcome is asked about, never sent again (rule 16).
 * @param memory of the worker
 */
export function collectPayment(deps: Dependencies, input: CollectInput, memory: TrailMemory): Promise<CollectResult> {
  return withHeartbeat((progress) => collect(collectingOf(deps, input, memory, progress)));
}

/** Once it is collected, its workflow hears how far the trail had come by then. */
async function collect(collecting: Collecting): Promise<CollectResult> {
  for (;;) {
    const phase = await nextPhase(collecting);
    if (phase.kind === 'collected') return { ...phase, trailMark: await collecting.memory.signed(collecting.deps) };
    if (phase.kind !== 'moved') return phase;
  }
}

/** Takes the attempt on from where its row stands. */
async function nextPhase(collecting: Collecting): Promise<Phase> {
  const { send: row, beside } = await readRow(collecting);
  if (row === null || isToBeSent(row)) return beside === null ? beginAttempt(collecting) : followBeside(collecting);
  switch (row.state) {
    case 'sending':
    case 'unknown':
    case 'unresolved':
      return inSpan('settle attempt', () => settleAttempt(collecting, row));
    case 'pending':
      return inSpan('poll attempt', () => pollAttempt(collecting, row));
    case 'rejected':
    case 'rejected_retryable':
      return beside === null ? storedOutcome(collecting, row) : followBeside(collecting);
    case 'successful':
      if (beside === 'reopened') await settleReopened(collecting);
      return storedOutcome(collecting, row);
    case 'capture_failed':
    case 'not_sent':
      return storedOutcome(collecting, row);
  }
}

function beginAttempt(collecting: Collecting): Promise<Phase> {
  return collecting.input.settleOnly
    ? inSpan('look again', () => lookAgain(collecting))
    : inSpan('send attempt', () => sendAttempt(collecting));
}

type Read = Pick<AttemptRead, 'send' | 'beside'>;

async function readRow(collecting: Collecting): Promise<Read> {
  const { deps, input, memory, written } = collecting;
  collecting.written = null;
  // Before a first attempt none of its cycle can have been refused.
  if (written !== null && input.attempt === 0) return { send: written, beside: null };
  const { subscriptionId, cycle, attempt, trailMark } = input;
  return memory.watch(deps, trailMark, () => readAttempt(deps.ledger, subscriptionId, cycle, attempt));
}

/** A refused attempt of the cycle that the service lists again goes before any further one (rule 36). */
async function followBeside(collecting: Collecting): Promise<Phase> {
  const row = await reopenedAttempt(collecting.deps.ledger, collecting.input);
  if (row === null) return MOVED;
  return row.state === 'pending' ? inSpan('poll attempt', () => pollAttempt(collecting, row)) : outcomeOf(row);
}

/** The cycle is collected: what was listed again beside it holds nothing up. */
async function settleReopened(collecting: Collecting): Promise<void> {
  const row = await reopenedAttempt(collecting.deps.ledger, collecting.input);
  if (row?.state === 'pending') await settleBeside(collecting, row);
}

/** The outcome that the ledger holds, as the workflow hears it, however often it asks. */
export async function storedOutcome(collecting: Collecting, row: AttemptRecord): Promise<CollectResult> {
  const outcome = outcomeOf(row);
  if (outcome.kind !== 'rejected' || row.resolvedBy !== null) return outcome;
  const { kind, ...refusal } = outcome;
  // It was acted upon when it was refused first.
  if (row.refusedAs !== null) return { kind, ...refusal, again: true };
  if (!refusal.retryable) await alert(collecting, 'attempt.rejected_finally', { detail: refusal.detail });
  if (refusal.detail === 'CONSENT_NOT_VALID') {
    const ended = await consentAfterRefusal(collecting, refusal);
    if (ended !== null) return ended;
  }
  return { kind, ...refusal };
}

/**
 * What the row says, from the service's answer or from a person's resolution. A person need not have named ids (rule
 * 33). The evidence is for the merchant alone, while a refusal's description is sent to the payer.
 * @throws where the row has no outcome yet, or the send never arrived.
 */
export function outcomeOf(row: AttemptRecord): Outcome {
  const at = row.authorizationCreatedAt ?? row.outcomeAt ?? row.at;
  const { authorizationId, captureId, state } = row;
  if (state === 'successful') return { kind: 'collected', authorizationId, captureId, at };
  if (state === 'capture_failed' && authorizationId !== null) {
    return { kind: 'capture_failed', authorizationId, captureId, detail: row.detail ?? 'CAPTURE_FAILED', at };
  }
  if (state !== 'rejected' && state !== 'rejected_retryable') {
    throw new Error(`the send ${row.cycle}/${row.attempt}/${row.send} is ${state}, which is no outcome to answer`);
  }
  const description = row.resolvedBy === null ? (row.description ?? '') : '';
  const retryable = state === 'rejected_retryable';
  return { kind: 'rejected', at, sentAt: row.at, detail: row.detail ?? 'UNKNOWN', description, retryable };
}

type Outcome = Extract<CollectResult, { kind: 'collected' | 'capture_failed' | 'rejected' }>;

/** After CONSENT_NOT_VALID the consent is asked first; its end is the subscription's (rules 12 and 7). */
async function consentAfterRefusal(
  collecting: Collecting,
  refusal: Omit<Rejection, 'attempt'>,
): Promise<CollectResult | null> {
  const { deps, input } = collecting;
  const consent = await deps.service.getConsent(input.paymentId);
  if (consent.kind !== 'accepted') {
    await noteUnreadable(deps, input, consent);
    // The refusal is final either way; the next cycle reads the consent before it sends anything.
    if (isWindowOver(collecting)) return null;
    const pause = pauseUntil(collecting, input.collectBy, collecting.age(), retryAfter(consent));
    throw tryAgain('service_unreadable', `the consent cannot be read: ${describe(consent)}`, pause);
  }
  await remember(deps, input, consent.value);
  const result = await toConsentResult(deps, input, consent.value);
  return result === null || result.kind === 'granted' ? null : { ...endOfConsent(result), refusal };
}

/**
 * Writes a person's resolution of an unresolved attempt; an outcome that the service has answered by then counts for more.
 * It is repeated within the subscription's turn, so what the ledger refuses fails at once: nothing waits behind it (rule 32).
 */
export async function resolveAttempt(deps: Dependencies, input: ResolveInput): Promise<ResolveResult> {
  const result = await write(deps, input);
  switch (result.kind) {
    case 'unrecorded':
      reportUnrecorded(deps, input, result.why);
      return result;
    case 'stands':
      return { kind: 'stands' };
    case 'taken':
      return { kind: 'stands', taken: result.taken };
    case 'resolved': {
      const outcome = outcomeOf(result.attempt);
      if (outcome.kind === 'capture_failed')
        throw new Error('a person resolves an attempt as collected or failed only');
      return outcome;
    }
  }
}

function write({ ledger, clock }: Dependencies, input: ResolveInput): Promise<Resolved> {
  const { request, key, ...resolution } = input;
  const asked = request === undefined || key === undefined ? null : { request, key };
  return resolveInLedger(ledger, { ...resolution, asked, at: clock.now(), realAt: clock.realNow() });
}
