import type { AttemptState } from '../../src/domain/send';
import { COLLECTION_WINDOW } from '../../src/domain/subscription/schedule';
import type { AttemptFacts, CycleFacts, LedgerFacts } from '../../src/domain/subscription/state-from-ledger';
import { HOUR } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { active, at, FIRST } from './subscription-under-test';

export const SECOND_DUE = at('2027-02-28T10:00:00.000');
export const THIRD_DUE = at('2027-03-31T10:00:00.000');
export const CLOSED = FIRST + COLLECTION_WINDOW;
export const LIMIT = FIRST + 72 * HOUR;
/** An hour into the first window. */
export const NOW = FIRST + HOUR;

export function facts(wanted: Partial<LedgerFacts> = {}): LedgerFacts {
  const nothing = {
    endSeenAt: null,
    stoppedBy: null,
    collectFrom: null,
    lastOver: null,
    announced: null,
    startedCycles: [],
    postponements: null,
    heldUntil: null,
  };
  return { ...active(), ...nothing, ...wanted };
}

export function startedCycle(wanted: Partial<CycleFacts> = {}): CycleFacts {
  return {
    cycle: 0,
    collectBy: CLOSED,
    amount: euros(1500),
    previousAmount: null,
    status: 'collecting',
    retryFrom: null,
    attempts: [],
    notices: [],
    ...wanted,
  };
}

export function attempt(state: AttemptState, wanted: Partial<AttemptFacts> = {}): AttemptFacts {
  const nothing = { authorizationId: null, captureId: null, detail: null, description: null };
  return { attempt: 0, state, reopened: false, at: FIRST, ...nothing, ...wanted };
}

export const REFUSED = attempt('rejected_retryable', { detail: 'NO_MONEY', description: 'ask again' });
