import type { ServiceResult } from '../../src/payment-service';
import type { AttemptRecord } from '../../src/ledger';
import { precheckAttempt } from '../../src/ledger';
import { checkBeforeSending } from '../pre-send-check';
import { settle } from '../settling';
import { tryAgain, describe, retryAfter } from '../stops';
import { adoptionStart } from './adopt';
import { type Collecting, isBegun, isWindowOver, MOVED, type Phase } from './attempt';
import { patientPauseUntil, pauseUntil } from './pauses';
import { comesAgain } from './contradictions';
import { isRetry } from './send';

/** Sent, or perhaps sent, with an outcome that is not known: asks what became of it, and never sends. */
export async function settleAttempt(collecting: Collecting, row: AttemptRecord): Promise<Phase> {
  const { deps, input } = collecting;
  const age = () => deps.clock.realNow() - row.sendingRealAt;
  const settled = await settle(collecting, row);
  switch (settled.kind) {
    case 'moved':
      return MOVED;
    case 'never_made':
      return settled.isRecorded && input.settleOnly ? { kind: 'absent' } : MOVED;
    case 'unreadable':
      return cannotAsk(collecting, settled.answer, age());
    case 'unclear':
      return unclear(collecting, settled.reason);
    case 'absent': {
      if (isWindowOver(collecting) && !input.settleOnly) return { kind: 'unknown' };
      const nextLook = settled.untilNextLook(pauseUntil(collecting, input.collectBy, age()));
      throw tryAgain('outcome_unknown', 'the service does not list what was sent', nextLook);
    }
  }
}

/** The workflow is notified once; the service is asked further on, ever more rarely. */
function unclear(collecting: Collecting, reason: string): Phase {
  const { input, age } = collecting;
  if (!input.knownUnresolved) return { kind: 'unresolved', reason };
  throw tryAgain('outcome_unknown', reason, patientPauseUntil(collecting, input.collectBy, age()));
}

/**
 * The service cannot be asked. Within the window it is asked again. Past the window an operator has to decide, but only
 * once the outage has lasted for the settle time: one lost answer is no reason to call an operator (rule 18).
 * @param age real ms since it was sent
 */
export function cannotAsk(collecting: Collecting, answer: ServiceResult<unknown>, age = collecting.age()): Phase {
  const { deps, input } = collecting;
  if (isWindowOver(collecting) && !input.settleOnly) return { kind: 'unknown' };
  const why = `the service cannot be asked: ${describe(answer)}`;
  if (input.settleOnly && !input.knownUnresolved && collecting.age() >= deps.settings.settle) {
    return { kind: 'unresolved', reason: why };
  }
  const pause = input.knownUnresolved ? patientPauseUntil : pauseUntil;
  throw tryAgain('outcome_unknown', why, pause(collecting, input.collectBy, age, retryAfter(answer)));
}

/** Nothing of ours is open; an authorization that the ledger lacks had stopped the POST. Is it still there? */
export async function lookAgain(collecting: Collecting): Promise<Phase> {
  const { deps, input } = collecting;
  collecting.since = adoptionStart((await precheckAttempt(deps.ledger, input)).calendar, input.cycle);
  const seen = await checkBeforeSending(collecting, isRetry(collecting));
  switch (seen.kind) {
    case 'clear':
      // A person's resolution is a send of this attempt, entered while the service was asked.
      return (await isBegun(collecting)) ? MOVED : { kind: 'absent' };
    case 'unreadable':
      return cannotAsk(collecting, seen.answer);
    case 'again':
      return comesAgain(collecting, seen.again);
    case 'unresolved':
      return unclear(collecting, seen.reason);
  }
}
