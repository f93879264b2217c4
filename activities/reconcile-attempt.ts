import { matchSentAttempt } from '../src/domain/reconciliation';
import { type AttemptRecord, authorizationIdsOf, recordLook } from '../src/ledger';
import type { Authorization } from '../src/payment-service';
import { type Collecting, isWindowOver, MOVED, pauseUntil, type Phase, recordAttempt } from './collecting';
import { describe } from './consent';
import { growingPause, tryAgain } from './failures';
import { lookBeforeTheLeap } from './send-attempt';

/** Looks that must agree, one after the other, once the settle time has passed (decisions 17). */
const AGREEING_LOOKS = 2;

/** Sent, or perhaps sent, with an outcome that nobody knows: asks what became of it, and never sends. */
export async function reconcileAttempt(collecting: Collecting, row: AttemptRecord): Promise<Phase> {
  const { deps, input, progress } = collecting;
  if (row.state === 'sending') return markUnknown(collecting, row);
  progress('reconciling', { attempt: row.attempt, send: row.send });
  const listed = await deps.service.listAuthorizations(input.paymentId);
  if (listed.kind !== 'accepted') return cannotAsk(collecting, row, describe(listed));
  const otherIds = await authorizationIdsOf(deps.ledger, input.paymentId);
  const match = matchSentAttempt(listed.value, { ...row, otherIds });
  switch (match.kind) {
    case 'found':
      return adopt(collecting, row, match.authorization);
    case 'unclear':
      return unclear(collecting, row, `the service lists ${match.authorizationIds.join(', ')}, which do not fit`);
    case 'absent':
      return absent(collecting, row);
  }
}

/** The row stands without an outcome: a process died, or the answer was never stored. */
async function markUnknown(collecting: Collecting, row: AttemptRecord): Promise<Phase> {
  const outcome = {
    state: 'unknown',
    reason: 'no outcome was recorded',
    sinceReal: collecting.deps.clock.realNow(),
  } as const;
  await recordAttempt(collecting, row, outcome);
  return MOVED;
}

/** It is our debit: the row takes it, and polling goes on from there. */
async function adopt(collecting: Collecting, row: AttemptRecord, authorization: Authorization): Promise<Phase> {
  const { authorizationId, createdAt } = authorization;
  await recordAttempt(collecting, row, { state: 'pending', authorizationId, createdAt });
  return MOVED;
}

async function unclear(collecting: Collecting, row: AttemptRecord, reason: string): Promise<Phase> {
  const { input } = collecting;
  if (row.state !== 'unresolved') {
    await recordAttempt(collecting, row, { state: 'unresolved', reason });
  }
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
    await recordAttempt(collecting, row, { state: 'not_sent', reason });
    return input.settleOnly ? { kind: 'absent' } : MOVED;
  }
  if (isWindowOver(collecting) && !input.settleOnly) return { kind: 'unknown' };
  const pause = pauseUntil(collecting, input.collectBy, now - since);
  const untilSettled = now < settledAt ? Math.max(settledAt - now, 1) : pause;
  throw tryAgain('outcome_unknown', 'the service does not list what was sent', Math.min(pause, untilSettled));
}

/** The service cannot be asked: within the window tried again, past it a matter for a person (decisions 18). */
function cannotAsk(collecting: Collecting, row: AttemptRecord, why: string): Phase {
  const { input } = collecting;
  if (isWindowOver(collecting) && !input.settleOnly) return { kind: 'unknown' };
  if (input.settleOnly && !input.knownUnresolved)
    return { kind: 'unresolved', reason: `the service cannot be asked: ${why}` };
  const age = collecting.deps.clock.realNow() - (row.unknownSinceReal ?? row.sendingRealAt);
  throw tryAgain(
    'outcome_unknown',
    `the service cannot be asked: ${why}`,
    pauseUntil(collecting, input.collectBy, age),
  );
}

/** Nothing of ours is open; an authorization that the ledger lacks had stopped the POST. Is it still there? */
export async function lookAgain(collecting: Collecting): Promise<Phase> {
  const looked = await lookBeforeTheLeap(collecting);
  if (!('kind' in looked)) return { kind: 'absent' };
  if (looked.kind !== 'unresolved' || !collecting.input.knownUnresolved) return looked;
  throw tryAgain('outcome_unknown', looked.reason, growingPause(collecting.age()));
}
