import type { Action } from '../../../src/domain/attempt/action';
import type { Attempt, Facts, LedgerFacts, OwnRecords, Send, ServiceRecord } from '../../../src/domain/attempt/attempt';
import { nextAction } from '../../../src/domain/attempt/next-action';
import type { KnownRecord } from '../../../src/domain/evidence';
import type { Listed } from '../../../src/domain/send';
import { euros } from '../../../src/domain/money';
import { DAY, HOUR, MINUTE } from '../../../src/domain/time';

/** Attempts and facts for tests: a debit that is due, and whose POST everything permits unless a test changes something. */

export const AMOUNT = euros(1999);
export const DUE = Date.parse('2027-02-01T10:00:00.000Z');
export const NOW = DUE + HOUR;
export const END = DUE + 5 * DAY;
export const TRANSIT = MINUTE;
export const SETTLE = 900_000;

export const debit = (changes: Partial<Attempt> = {}): Attempt => ({
  recordKind: 'authorization',
  amount: AMOUNT,
  since: DUE,
  notBefore: DUE,
  sendBefore: END - TRANSIT,
  endsAt: END,
  isRetry: false,
  settleOnly: false,
  parked: false,
  knownUnresolved: false,
  ...changes,
});

export const capture = (changes: Partial<Attempt> = {}): Attempt =>
  debit({ recordKind: 'capture', notBefore: -Infinity, ...changes });

export const refund = (changes: Partial<Attempt> = {}): Attempt =>
  debit({ recordKind: 'refund', notBefore: -Infinity, sendBefore: null, endsAt: null, ...changes });

export const LEDGER: LedgerFacts = {
  since: DUE - 5 * DAY,
  isStopped: false,
  isHalted: false,
  sends: 0,
  lastUnknownReal: null,
  isAnswered: false,
  currentAmount: AMOUNT,
  hasIncompleteListItem: false,
};

export const ownRecords = (...known: KnownRecord[]): OwnRecords => ({ known, ofCycle: known, isOtherUnknown: false });

export const own = (id: string, changes: Partial<KnownRecord> = {}): KnownRecord => ({
  id,
  state: 'rejected_retryable',
  createdAt: DUE,
  reportedRealAt: null,
  isFoundByOperator: false,
  unlistedSinceReal: null,
  ...changes,
});

export const shown = (id: string, changes: Partial<ServiceRecord> = {}): ServiceRecord => ({
  id,
  amount: AMOUNT,
  createdAt: NOW,
  status: 'pending',
  ...changes,
});

export const captured = (changes: object = {}) => ({
  captureId: 'cap_1',
  authorizationId: 'aut_1',
  status: 'successful',
  createdAt: NOW,
  ...changes,
});

export function listing<T extends object = Listed>(...records: T[]) {
  return { kind: 'listed', records } as const;
}

export const UNREADABLE = { kind: 'unreadable', why: 'no complete answer', retryAfter: 0 } as const;

/** A send whose outcome is unknown since it was sent, an hour after the due date. */
export const sent = (changes: Partial<Send> = {}): Send => ({
  send: 0,
  state: 'unknown',
  amount: AMOUNT,
  at: NOW,
  sendingRealAt: NOW,
  unknownSinceReal: NOW,
  absentChecks: 0,
  acceptedAnswer: null,
  reason: null,
  detail: null,
  id: null,
  createdAt: null,
  adopted: false,
  wasRefused: false,
  authorized: false,
  unlistedSinceReal: null,
  contradictedSinceReal: null,
  isResolved: false,
  ...changes,
});

export const pending = (changes: Partial<Send> = {}): Send =>
  sent({ state: 'pending', unknownSinceReal: null, id: 'aut_1', createdAt: NOW, ...changes });

/** Facts of which nothing has been read yet. */
export const unasked = (changes: Partial<Facts> = {}): Facts => {
  const { now = NOW } = changes;
  return {
    ...{ now, realNow: now, clock: null, age: 0, settle: SETTLE, requestTimeout: 30_000, listDays: null },
    ...{
      send: null,
      reopened: null,
      ledger: null,
      consent: null,
      list: null,
      own: null,
      takenIds: null,
      captures: null,
    },
    ...{ sent: null, answered: null, done: new Set(), ...changes },
  };
};

/** Facts that were all read, and permit the POST. */
export const permitting = (changes: Partial<Facts> = {}): Facts =>
  unasked({
    ...{ ledger: LEDGER, consent: { kind: 'granted' }, list: listing(), own: ownRecords(), captures: listing() },
    ...changes,
  });

/** The kind of the next action, with its stop, result, fact or new state. */
export function kindOf(attempt: Attempt, facts: Facts): string {
  const action: Action = nextAction(attempt, facts);
  if (action.kind === 'retry_later') return `retry_later ${action.stop}`;
  if (action.kind === 'answer') return `answer ${action.result.kind}`;
  if (action.kind === 'check') return `check ${action.fact}`;
  return action.kind === 'settle' ? `settle ${action.outcome.state}` : action.kind;
}
