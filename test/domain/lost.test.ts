import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { findLostAttempt } from '../../src/domain/reconciliation/lost';
import type { LedgerAttempt, LedgerPayment } from '../../src/domain/reconciliation/records';
import { CLOCK_SKEW } from '../../src/domain/send';
import type { OpenCycle, SubscriptionState } from '../../src/domain/subscription/state';
import { DAY, HOUR } from '../../src/domain/time';
import { newSubscription } from './steps-of-a-life';

/** Which authorizations that a restored ledger lacks must be dueday's own, and which an operator decides about. */

const FIRST = Date.UTC(2027, 0, 31, 9);
/** The due date of cycle 1, because February has no 31st. */
const DUE = Date.UTC(2027, 1, 28, 9);
const COLLECT_BY = DUE + 120 * HOUR;
const AMOUNT = euros(1999);
const policy = { offsets: [24 * HOUR, 48 * HOUR, 71 * HOUR], transit: 60_000, gap: 6 * HOUR };

const terms = {
  subscriptionId: 'sub-1' as SubscriptionId,
  consentAmount: AMOUNT,
  startAt: FIRST,
  firstPaymentAt: FIRST,
  repetition: 'MONTHLY',
  endAt: null,
  onExhausted: 'continue',
} as const;

/** Cycle 0 is collected, and the ledger knows nothing of cycle 1. */
function state(changes: Partial<SubscriptionState> = {}): SubscriptionState {
  const made = newSubscription({ terms, policy, spread: 0, replaces: null });
  return { ...made, status: 'active', paymentId: 'pay-1' as PaymentId, cycle: 1, collectedOnce: true, ...changes };
}

function attempt(changes: Partial<LedgerAttempt> = {}): LedgerAttempt {
  return {
    cycle: 0,
    state: 'successful',
    amount: AMOUNT,
    at: FIRST,
    dueAt: FIRST,
    knownIds: [],
    authorizationId: 'aut-0',
    captureId: 'cap-0',
    ...changes,
  };
}

function payment(attempts: readonly LedgerAttempt[] = [attempt()]): LedgerPayment {
  return {
    subscriptionId: terms.subscriptionId,
    paymentId: 'pay-1' as PaymentId,
    knownSince: FIRST - DAY,
    attempts,
    refunds: [],
  };
}

const shown = (changes = {}) => ({
  authorizationId: 'aut-1',
  amount: AMOUNT,
  createdAt: DUE + 1000,
  status: 'successful',
  ...changes,
});
const OLD = shown({ authorizationId: 'aut-0', createdAt: FIRST });

const find = (authorizations: ReturnType<typeof shown>[], given = state(), ledger = payment()) =>
  findLostAttempt(given, ledger, { authorizations: [OLD, ...authorizations] });

test('an authorization in the window of a cycle without an attempt is the first attempt of this cycle', () => {
  expect(find([shown()])).toEqual({
    cycle: 1,
    attempt: 0,
    dueAt: DUE,
    collectBy: COLLECT_BY,
    nextDueAt: Date.UTC(2027, 2, 31, 9),
    authorizationId: 'aut-1',
  });
});

test.each(['pending', 'successful'])('a lost authorization that is %s moves money', (status) => {
  expect(find([shown({ status })])?.authorizationId).toBe('aut-1');
});

test.each(['failed', 'released', 'expired'])('a lost authorization that is %s moves no money', (status) => {
  expect(find([shown({ status })])).toBeNull();
});

test('an attempt that was not sent leaves its cycle open', () => {
  const unsent = attempt({ cycle: 1, state: 'not_sent', authorizationId: null });
  expect(find([shown()], state(), payment([attempt(), unsent]))?.cycle).toBe(1);
});

test('a lost attempt of the first cycle is found like one of a later cycle', () => {
  const first = shown({ createdAt: FIRST + 1000 });
  const found = findLostAttempt(state({ cycle: 0 }), payment([]), { authorizations: [first] });
  expect(found).toMatchObject({ cycle: 0, attempt: 0, dueAt: FIRST });
});

test.each([
  ['a minute before the due date, by a clock that is behind, is found', DUE - CLOCK_SKEW, 1],
  ['a millisecond earlier than that is not found', DUE - CLOCK_SKEW - 1, undefined],
  ['less than a minute after the end of the window is found', COLLECT_BY + CLOCK_SKEW - 1, 1],
  ['a minute after the end of the window is not found', COLLECT_BY + CLOCK_SKEW, undefined],
])('a lost authorization created %s', (_what, createdAt, cycle) => {
  expect(find([shown({ createdAt })])?.cycle).toBe(cycle);
});

test('lost attempts of several cycles are found one after the other', () => {
  const march = shown({ authorizationId: 'aut-2', createdAt: Date.UTC(2027, 2, 31, 10) });
  expect(find([march, shown()])).toMatchObject({ cycle: 1, authorizationId: 'aut-1' });
  const entered = [attempt(), attempt({ cycle: 1, authorizationId: 'aut-1' })];
  expect(find([march, shown()], state({ cycle: 2 }), payment(entered))).toMatchObject({ cycle: 2 });
  expect(find([march], state())).toMatchObject({ cycle: 2 });
});

test.each([[1998], [2000]])(
  'an authorization of %i cents, which is not the amount of the cycle, is handed to an operator',
  (cents) => {
    expect(find([shown({ amount: euros(cents) })])).toBeNull();
  },
);

test('two authorizations that fit one cycle are handed to an operator', () => {
  expect(find([shown(), shown({ authorizationId: 'aut-2', createdAt: DUE + HOUR })])).toBeNull();
});

test('an authorization within an ended cycle is handed to an operator', () => {
  expect(find([shown()], state({ cycle: 2 }))).toBeNull();
});

test.each(['pending', 'successful', 'rejected', 'capture_failed'] as const)(
  'an authorization within a cycle whose attempt is %s is handed to an operator',
  (made) => {
    const other = attempt({ cycle: 1, state: made, authorizationId: 'aut-7' });
    expect(find([shown()], state(), payment([attempt(), other]))).toBeNull();
  },
);

test.each(['sending', 'unknown', 'unresolved'] as const)(
  'an authorization is handed to an operator while a send of its cycle is %s',
  (made) => {
    const other = attempt({ cycle: 1, state: made, authorizationId: null });
    expect(find([shown()], state(), payment([attempt(), other]))).toBeNull();
  },
);

test('every authorization is handed to an operator while the outcome of a send of another cycle is unknown', () => {
  const unknownSend = attempt({ state: 'unknown', authorizationId: null });
  const known = attempt({ cycle: 5, authorizationId: 'aut-0' });
  expect(find([shown()], state(), payment([unknownSend, known]))).toBeNull();
});

test('an authorization from before the first cycle is handed to an operator', () => {
  const early = shown({ createdAt: FIRST - 2 * CLOCK_SKEW });
  expect(find([early], state({ cycle: 0 }))).toBeNull();
});

test('an authorization from before the ledger had the payment is handed to an operator', () => {
  expect(find([shown()], state(), { ...payment(), knownSince: DUE + DAY })).toBeNull();
});

const open: OpenCycle = {
  cycle: 1,
  amount: AMOUNT,
  policy,
  attempt: 1,
  firstFailureAt: DUE,
  rejection: null,
  notice: { kind: 'due' },
  retryFrom: null,
  captureFailed: false,
  unsettled: 'none',
};

test('the number of a lost attempt follows the refusals that the ledger has', () => {
  const refused = attempt({ cycle: 1, state: 'rejected_retryable', authorizationId: 'aut-r' });
  expect(find([shown()], state({ open }), payment([attempt(), refused]))?.attempt).toBe(1);
});

test('the number of a lost attempt does not count a refusal twice that both ledger and service have', () => {
  const refused = attempt({ cycle: 1, state: 'rejected_retryable', authorizationId: 'aut-r' });
  const listed = shown({ authorizationId: 'aut-r', createdAt: DUE, status: 'failed' });
  expect(find([listed, shown()], state({ open }), payment([attempt(), refused]))?.attempt).toBe(1);
});

test('the number of a lost attempt counts neither refusals of another cycle nor attempts that moved money', () => {
  const earlier = shown({ authorizationId: 'aut-r', createdAt: FIRST + HOUR, status: 'failed' });
  const known = attempt({ authorizationId: 'aut-k' });
  const moved = ['pending', 'successful'].map((status) => shown({ authorizationId: 'aut-k', createdAt: DUE, status }));
  for (const each of moved) {
    expect(find([earlier, each, shown()], state(), payment([attempt(), known]))?.attempt).toBe(0);
  }
});

test('the number of a lost attempt counts earlier refusals that were lost, too', () => {
  const lost = [1, 2].map((hours) =>
    shown({ authorizationId: `aut-r${hours}`, createdAt: DUE + hours * HOUR, status: 'failed' }),
  );
  const later = shown({ authorizationId: 'aut-9', createdAt: DUE + 4 * HOUR, status: 'failed' });
  expect(find([...lost, shown({ createdAt: DUE + 3 * HOUR }), later])?.attempt).toBe(2);
});

test('the amount of lost attempts is the one that the open cycle has frozen', () => {
  const frozen = { ...open, amount: euros(1500) };
  expect(find([shown({ amount: euros(1500) })], state({ open: frozen }))?.attempt).toBe(1);
  expect(find([shown()], state({ open: frozen }))).toBeNull();
});
