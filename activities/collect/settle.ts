import { matchSentAttempt, whyClocksDiffer, findUnknownAuthorizations } from '../../src/domain/send';
import { type AttemptRecord, heldAuthorizationIds, recordLook, authorizationIdsOf } from '../../src/ledger';
import type { Authorization, ServiceResult } from '../../src/payment-service';
import { AGREEING_LOOKS, doubtBegins, untilNextLook } from '../send-limits';
import { growingPause, tryAgain, describe, retryAfter } from '../stops';
import { type Collecting, isWindowOver, MOVED, pauseUntil, type Phase, recordAttempt, isBegun } from './attempt';

/** Sent, or perhaps sent, with an outcome that nobody knows: asks what became of it, and never sends. */
export async function settleAttempt(collecting: Collecting, row: AttemptRecord): Promise<Phase> {
  const { deps, input, progress } = collecting;
  if (row.state === 'sending') return markUnknown(collecting, row);
  progress('reconciling', { attempt: row.attempt, send: row.send });
  const listed = await deps.service.listAuthorizations(input.paymentId);
  if (listed.kind !== 'accepted') return cannotAsk(collecting, listed, deps.clock.realNow() - row.sendingRealAt);
  const heldIds = await heldAuthorizationIds(deps.ledger, input.paymentId);
  const match = matchSentAttempt(listed.value, { ...row, heldIds });
  switch (match.kind) {
    case 'found':
      return adopt(collecting, row, match.authorization);
    case 'unclear':
      return unclear(collecting, row, `the service lists ${match.authorizationIds.join(', ')}, which do not fit`);
    case 'absent':
      return absent(collecting, row);
  }
}

/**
 * The row stands without an outcome: a process died, or is frozen, or waits for its answer this moment. The settle time
 * begins when its POST cannot be on the wire any more.
 */
async function markUnknown(collecting: Collecting, row: AttemptRecord): Promise<Phase> {
  const { clock, settings } = collecting.deps;
  const sinceReal = doubtBegins(row.sendingRealAt, clock.realNow(), settings);
  await recordAttempt(collecting, row, { state: 'unknown', reason: 'no outcome was recorded', sinceReal });
  return MOVED;
}

/** It is our debit: the row takes it, and polling goes on from there. */
async function adopt(collecting: Collecting, row: AttemptRecord, authorization: Authorization): Promise<Phase> {
  const { authorizationId, createdAt } = authorization;
  await recordAttempt(collecting, row, { state: 'pending', authorizationId, createdAt });
  return MOVED;
}

async function unclear(collecting: Collecting, row: AttemptRecord, reason: string): Promise<Phase> {
  const { deps, input } = collecting;
  await recordLook(deps.ledger, row, { absent: false });
  if (row.state !== 'unresolved') await recordAttempt(collecting, row, { state: 'unresolved', reason });
  if (!input.knownUnresolved) return { kind: 'unresolved', reason };
  throw tryAgain('outcome_unknown', reason, growingPause(collecting.age()));
}

/** Not there. Only after the settle time, and twice in a row, does that mean that it was never made. */
async function absent(collecting: Collecting, row: AttemptRecord): Promise<Phase> {
  const { deps, input } = collecting;
  const now = deps.clock.realNow();
  const since = row.unknownSinceReal ?? now;
  const settledAt = since + deps.settings.settle;
  const looked = await recordLook(deps.ledger, row, { absent: now >= settledAt });
  if (looked !== null && looked.absentLooks >= AGREEING_LOOKS) {
    const reason = 'absent after the settle time, twice in a row';
    // A person may have resolved it since it was read: their word stands.
    const isSettled = await recordAttempt(collecting, row, { state: 'not_sent', reason });
    return isSettled && input.settleOnly ? { kind: 'absent' } : MOVED;
  }
  if (isWindowOver(collecting) && !input.settleOnly) return { kind: 'unknown' };
  const pause = pauseUntil(collecting, input.collectBy, now - row.sendingRealAt);
  const nextLook = untilNextLook(pause, now, settledAt);
  throw tryAgain('outcome_unknown', 'the service does not list what was sent', nextLook);
}

/**
 * The service cannot be asked: within the window tried again. Past it a matter for a person, but only once it has lasted
 * as long as it takes to settle: one answer lost is no reason to call anybody (rule 18).
 * @param age real ms since it was sent
 */
export function cannotAsk(collecting: Collecting, answer: ServiceResult<unknown>, age = collecting.age()): Phase {
  const { deps, input } = collecting;
  if (isWindowOver(collecting) && !input.settleOnly) return { kind: 'unknown' };
  const why = `the service cannot be asked: ${describe(answer)}`;
  if (input.settleOnly && !input.knownUnresolved && collecting.age() >= deps.settings.settle) {
    return { kind: 'unresolved', reason: why };
  }
  throw tryAgain('outcome_unknown', why, pauseUntil(collecting, input.collectBy, age, retryAfter(answer)));
}

/** What the service lists right now, held against the ledger (rule 16). */
export type Look =
  /** Nothing that is listed stands in the way. Every id that was; why the clocks forbid it all the same. */
  | { readonly kind: 'clear'; readonly knownIds: readonly string[]; readonly clocksDiffer: string | null }
  /** Authorizations of this cycle that the ledger lacks: they stop the POST. */
  | { readonly kind: 'unresolved'; readonly reason: string }
  | {
      readonly kind: 'unreadable';
      readonly answer: Exclude<ServiceResult<readonly Authorization[]>, { kind: 'accepted' }>;
    };

export async function checkBeforeSending({ deps, input, progress }: Collecting): Promise<Look> {
  progress('look before the leap');
  const listed = await deps.service.listAuthorizations(input.paymentId);
  if (listed.kind !== 'accepted') return { kind: 'unreadable', answer: listed };
  const ledgerIds = await authorizationIdsOf(deps.ledger, input.paymentId);
  const unknown = findUnknownAuthorizations(listed.value, ledgerIds, input.dueAt);
  if (unknown.length > 0) {
    return { kind: 'unresolved', reason: `the service lists ${idsOf(unknown).join(', ')}, which the ledger lacks` };
  }
  return { kind: 'clear', knownIds: idsOf(listed.value), clocksDiffer: whyClocksDiffer(listed.clockLead) };
}

function idsOf(authorizations: readonly Authorization[]): readonly string[] {
  return authorizations.map(({ authorizationId }) => authorizationId);
}

/** Nothing of ours is open; an authorization that the ledger lacks had stopped the POST. Is it still there? */
export async function lookAgain(collecting: Collecting): Promise<Phase> {
  const look = await checkBeforeSending(collecting);
  switch (look.kind) {
    case 'clear':
      // A person's word about it is a send of this attempt, entered while the service was asked.
      return (await isBegun(collecting)) ? MOVED : { kind: 'absent' };
    case 'unreadable':
      return cannotAsk(collecting, look.answer);
    case 'unresolved':
      if (!collecting.input.knownUnresolved) return look;
      throw tryAgain('outcome_unknown', look.reason, growingPause(collecting.age()));
  }
}
