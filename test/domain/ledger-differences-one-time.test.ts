import type { AuthorizationId, CaptureId, PaymentId } from '../../src/domain/ids';
import { DAY, HOUR, MINUTE } from '../../src/domain/time';
import {
  type Difference,
  findOneTimeDifferences,
  type LedgerAuthorization,
  type LedgerCapture,
  type LedgerOneTimePayment,
  type LedgerRefund,
  type ServicePayment,
} from '../../src/domain/reconciliation/subscription';
import { describeDifference } from '../../src/domain/reconciliation/records';
import { CONSENT_SESSION } from '../../src/domain/subscription/state';
import { CLOCK_SKEW } from '../../src/domain/send';
import { euros } from '../../src/domain/money';
import { authorizationsOf, capturesOf, givenBack, KNOWN, ledgerRefund, SENT } from './records-compared';

/** Real time. */
const REQUESTED = Date.UTC(2026, 5, 1);
const AUTHORIZED = SENT - HOUR;
const CAPTURE_BY = AUTHORIZED + 7 * DAY;
const AMOUNT = euros(10_000);
const PART = euros(3_000);

function authorizationOf(changes: Partial<LedgerAuthorization> = {}): LedgerAuthorization {
  return {
    authorizationId: 'aut-1' as AuthorizationId,
    state: 'successful',
    at: AUTHORIZED,
    captureBy: CAPTURE_BY,
    isBeingReleased: false,
    ...changes,
  };
}

function captureOf(changes: Partial<LedgerCapture> = {}): LedgerCapture {
  return {
    cycle: null,
    state: 'successful',
    amount: PART,
    at: SENT,
    knownIds: [],
    finalCapture: false,
    captureId: 'cap-1' as CaptureId,
    ...changes,
  };
}

const refundOf = (changes: Partial<LedgerRefund> = {}) => ledgerRefund({ cycle: null, ...changes });
const unknownOutcomes = (changes: Partial<LedgerCapture> = {}) =>
  captureOf({ state: 'unknown', captureId: null, ...changes });
const listed = authorizationsOf({ amount: AMOUNT, createdAt: AUTHORIZED });
const captured = capturesOf({ amount: PART, createdAt: SENT });

interface Seen {
  readonly ledger?: Partial<LedgerOneTimePayment>;
  readonly service?: Partial<ServicePayment>;
  readonly now?: number;
  /** Real ms since the consent was requested; a minute unless set otherwise. */
  readonly age?: number;
}

/** An authorized Event Dependent payment, the same on both sides, unless set otherwise. */
function find({ ledger, service, now = SENT + HOUR, age = MINUTE }: Seen): Difference[] {
  return findOneTimeDifferences(
    {
      subscriptionId: null,
      paymentId: 'pay-a' as PaymentId,
      plan: 'EVENT_DEPENDENT',
      status: 'authorized',
      amount: AMOUNT,
      knownSince: KNOWN,
      requestedRealAt: REQUESTED,
      authorization: authorizationOf(),
      captures: [],
      refunds: [],
      ...ledger,
    },
    { authorizations: [listed()], captures: [], refunds: [], ...service },
    { business: now, real: REQUESTED + age },
  );
}

const kinds = (seen: Seen) => find(seen).map(({ kind }) => kind);

test('there is no difference if both sides report the same', () => {
  expect(find({})).toEqual([]);
  expect(
    find({
      ledger: { captures: [captureOf()], refunds: [refundOf()] },
      service: { captures: [captured()], refunds: [givenBack()] },
    }),
  ).toEqual([]);
});

const stateOf = (changes: Partial<LedgerAuthorization>, status: string, now?: number) =>
  kinds({
    ledger: { authorization: authorizationOf(changes) },
    service: { authorizations: [listed({ status })] },
    ...(now === undefined ? {} : { now }),
  });

test('an authorization of ours that the service does not list is missing, with both sides', () => {
  const [only, ...more] = find({ service: { authorizations: [] } });
  expect(more).toEqual([]);
  expect(only).toMatchObject({ kind: 'authorization_missing', authorizationId: 'aut-1', cycle: null, service: null });
  expect(only?.ledger).toEqual({ state: 'successful', amount: AMOUNT, at: AUTHORIZED });
});

test.each([9_999, 10_001])('an authorization of %d cents instead of 10000 differs in its amount', (cents) => {
  expect(kinds({ service: { authorizations: [listed({ amount: euros(cents) })] } })).toEqual(['authorization_amount']);
});

test.each(['pending', 'failed', 'released', 'expired'])(
  'a successful authorization that the service reports as %s differs',
  (status) => {
    expect(stateOf({}, status)).toEqual(['authorization_state']);
  },
);

test('an authorization of ours that failed reads failed, nothing else', () => {
  expect(stateOf({ state: 'failed', captureBy: null }, 'failed')).toEqual([]);
  expect(stateOf({ state: 'failed', captureBy: null }, 'successful')).toEqual(['authorization_state']);
});

test('an authorization of ours may read released as soon as its release is ordered, and must once the service has confirmed it', () => {
  expect(stateOf({ isBeingReleased: true }, 'released')).toEqual([]);
  expect(stateOf({ isBeingReleased: true }, 'successful')).toEqual([]);
  expect(stateOf({ state: 'released', isBeingReleased: true }, 'released')).toEqual([]);
  expect(stateOf({ state: 'released', isBeingReleased: true }, 'successful')).toEqual(['authorization_state']);
});

test('an authorization of ours may read expired from its deadline on, less the skew, and not a millisecond before', () => {
  expect(stateOf({}, 'expired', CAPTURE_BY - CLOCK_SKEW)).toEqual([]);
  expect(stateOf({}, 'expired', CAPTURE_BY - CLOCK_SKEW - 1)).toEqual(['authorization_state']);
  expect(stateOf({ state: 'expired' }, 'expired')).toEqual([]);
  expect(stateOf({ state: 'expired' }, 'successful')).toEqual([]);
  expect(stateOf({ state: 'expired' }, 'failed')).toEqual(['authorization_state']);
});

test('an authorization of ours whose rest a final capture has released may read released', () => {
  const service = { authorizations: [listed({ status: 'released' })], captures: [captured()] };
  expect(kinds({ ledger: { captures: [captureOf({ finalCapture: true })] }, service })).toEqual([]);
  expect(kinds({ ledger: { captures: [captureOf()] }, service })).toEqual(['authorization_state']);
  const failed = [captureOf({ finalCapture: true, state: 'failed' })];
  const none = { ...service, captures: [captured({ status: 'failed' })] };
  expect(kinds({ ledger: { captures: failed }, service: none })).toEqual(['authorization_state']);
});

test('an authorization of Single Immediate neither is released nor expires', () => {
  const ofSingle = { captureBy: null };
  expect(stateOf(ofSingle, 'released', CAPTURE_BY + DAY)).toEqual(['authorization_state']);
  expect(stateOf(ofSingle, 'expired', CAPTURE_BY + DAY)).toEqual(['authorization_state']);
});

test('an authorization of ours that is pending is under way', () => {
  const authorization = authorizationOf({ state: 'pending', captureBy: null });
  expect(kinds({ ledger: { status: 'pending_consent', authorization } })).toEqual([]);
});

const second = listed({ authorizationId: 'aut-2', createdAt: AUTHORIZED + 1 });

test.each(['pending', 'successful'])('an unexplained authorization shows while it is %s', (status) => {
  const authorizations = [listed(), { ...second, status }];
  expect(find({ service: { authorizations } })).toMatchObject([
    { kind: 'authorization_unknown', authorizationId: 'aut-2', ledger: null, service: { state: status } },
  ]);
});

test.each(['failed', 'released', 'expired'])('an unexplained authorization moves nothing once %s', (status) => {
  expect(kinds({ service: { authorizations: [listed(), { ...second, status }] } })).toEqual([]);
});

test('an authorization that nothing of ours explains is under way until ours is known, and no longer where the consent has failed', () => {
  expect(kinds({ ledger: { status: 'pending_consent', authorization: null } })).toEqual([]);
  expect(kinds({ ledger: { status: 'consent_failed', authorization: null } })).toEqual(['authorization_unknown']);
});

test('an authorization that nothing of ours explains is no longer under way a day after the consent session: a workflow would have asked by then', () => {
  const ledger = { status: 'pending_consent', authorization: null } as const;
  expect(kinds({ ledger, age: CONSENT_SESSION + DAY - 1 })).toEqual([]);
  expect(kinds({ ledger, age: CONSENT_SESSION + DAY })).toEqual(['authorization_unknown']);
});

test('an authorization that nothing of ours explains shows as its debit where it has one', () => {
  const captures = [captured({ captureId: 'cap-2', authorizationId: 'aut-2' })];
  expect(kinds({ service: { authorizations: [listed(), second], captures } })).toEqual(['debit_unknown']);
});

test('an authorization that nothing of ours explains was made by others where it is older than the payment, less the skew', () => {
  const at = (createdAt: number) => kinds({ service: { authorizations: [listed(), { ...second, createdAt }] } });
  expect(at(KNOWN - CLOCK_SKEW)).toEqual(['authorization_unknown']);
  expect(at(KNOWN - CLOCK_SKEW - 1)).toEqual([]);
});

test('a capture of ours that the service does not list is missing, with the ledger’s own word', () => {
  const [only, ...more] = find({ ledger: { captures: [captureOf()] } });
  expect(more).toEqual([]);
  expect(only).toMatchObject({ kind: 'debit_missing', captureId: 'cap-1', authorizationId: 'aut-1', service: null });
  expect(only?.ledger).toEqual({ state: 'successful', amount: PART, at: SENT });
});

test.each([
  ['successful', 'failed'],
  ['successful', 'pending'],
  ['failed', 'successful'],
  ['failed', 'pending'],
] as const)('a capture of ours that is %s and reads %s differs', (state, status) => {
  const captures = [captured({ status })];
  expect(kinds({ ledger: { captures: [captureOf({ state })] }, service: { captures } })).toEqual(['debit_state']);
});

test('a capture of ours that failed reads failed, and leaves nothing to compare where the refusal named none', () => {
  const failed = captured({ status: 'failed' });
  expect(kinds({ ledger: { captures: [captureOf({ state: 'failed' })] }, service: { captures: [failed] } })).toEqual(
    [],
  );
  const unnamed = captureOf({ state: 'failed', captureId: null });
  expect(kinds({ ledger: { captures: [unnamed] }, service: { captures: [failed] } })).toEqual([]);
});

test.each([2_999, 3_001])('a capture of %d cents where the ledger has 3000 differs in its amount', (cents) => {
  const captures = [captured({ amount: euros(cents) })];
  expect(kinds({ ledger: { captures: [captureOf()] }, service: { captures } })).toEqual(['debit_amount']);
});

test.each(['ordered', 'sending', 'pending', 'unknown', 'unresolved', 'not_sent'] as const)(
  'a capture of ours that is %s is no difference, be it listed or not',
  (state) => {
    const id = state === 'pending' ? ('cap-1' as CaptureId) : null;
    const ledger = { captures: [captureOf({ state, captureId: id })] };
    expect(kinds({ ledger })).toEqual([]);
    const isExplained = state !== 'ordered' && state !== 'not_sent';
    expect(kinds({ ledger, service: { captures: [captured()] } })).toEqual(isExplained ? [] : ['debit_unknown']);
  },
);

const ledger = { captures: [captureOf({ state: 'pending' })] };

test.each([
  [DAY - 1, []],
  [DAY, ['debit_missing']],
])('a capture that is pending and not listed %i ms after it was sent: %j', (age, expected) => {
  expect(kinds({ ledger, now: SENT + age })).toEqual(expected);
});

test.each(['pending', 'successful', 'failed'])('a long pending capture is no difference if listed %s', (status) => {
  expect(kinds({ ledger, service: { captures: [captured({ status })] }, now: SENT + 5 * DAY })).toEqual([]);
});

test('a debit that nothing of ours explains shows with its ids, amount and date, while it moves money', () => {
  expect(find({ service: { captures: [captured()] } })).toEqual([
    {
      kind: 'debit_unknown',
      cycle: null,
      authorizationId: 'aut-1',
      captureId: 'cap-1',
      refundId: null,
      serviceRefundId: null,
      ledger: null,
      reason: null,
      service: { state: 'successful', amount: PART, at: SENT },
    },
  ]);
  expect(kinds({ service: { captures: [captured({ status: 'pending' })] } })).toEqual(['debit_unknown']);
  expect(kinds({ service: { captures: [captured({ status: 'failed' })] } })).toEqual([]);
});

test('a debit that nothing of ours explains is a second one beside one with an unknown outcome: a send makes at most one', () => {
  const captures = [captured(), captured({ captureId: 'cap-2' })];
  expect(find({ ledger: { captures: [unknownOutcomes()] }, service: { captures } })).toMatchObject([
    { kind: 'debit_unknown', captureId: 'cap-2' },
  ]);
});

test('a debit that nothing of ours explains is not the one with an unknown outcome if the amount, the time or what was seen before speaks against it', () => {
  const against = (ours: Partial<LedgerCapture>, theirs = {}) =>
    kinds({ ledger: { captures: [unknownOutcomes(ours)] }, service: { captures: [captured(theirs)] } });
  expect(against({ amount: euros(2_999) })).toEqual(['debit_unknown']);
  expect(against({ knownIds: ['cap-1'] })).toEqual(['debit_unknown']);
  expect(against({}, { createdAt: SENT - CLOCK_SKEW })).toEqual([]);
  expect(against({}, { createdAt: SENT - CLOCK_SKEW - 1 })).toEqual(['debit_unknown']);
});

const against = (...refunds: LedgerRefund[]) =>
  kinds({
    ledger: { refunds },
    service: {
      captures: [captured()],
      refunds: refunds.map(({ serviceRefundId: refundId, amount }) => givenBack({ refundId, amount })),
    },
  });
const all = refundOf({ amount: PART });

it('an unknown debit that refunds of ours have given back in full is settled, by one or by several, and brings up no authorization', () => {
  expect(against(all)).toEqual([]);
  expect(
    against(refundOf({ amount: euros(2_999) }), refundOf({ amount: euros(1), serviceRefundId: 'back-2' })),
  ).toEqual([]);
  const strange = { authorizations: [listed(), listed({ authorizationId: 'aut-2' })] };
  const captures = [captured({ authorizationId: 'aut-2' })];
  const service = { ...strange, captures, refunds: [givenBack({ amount: PART })] };
  expect(kinds({ ledger: { refunds: [all] }, service })).toEqual([]);
});

it('an unknown debit that refunds of ours have given back but for a cent, by another capture’s, or not for sure yet is one still', () => {
  expect(against(refundOf({ amount: euros(2_999) }))).toEqual(['debit_unknown']);
  const service = { captures: [captured()] };
  const other = refundOf({ amount: PART, captureId: 'cap-2' as CaptureId, serviceRefundId: null });
  expect(kinds({ ledger: { refunds: [other] }, service })).toEqual(['debit_unknown']);
  for (const state of ['ordered', 'unknown', 'pending', 'failed'] as const) {
    const refund = refundOf({ amount: PART, state, serviceRefundId: null });
    expect(kinds({ ledger: { refunds: [refund] }, service })).toEqual(['debit_unknown']);
  }
});

test('the description of an unknown debit says how to refund it', () => {
  const [found] = find({ service: { captures: [captured()] } });
  expect(describeDifference(found!)).toMatch(
    /^The service has a debit that matches nothing in the ledger; refund it by naming its captureId\. Ledger/,
  );
});

const single = { plan: 'SINGLE', authorization: authorizationOf({ captureBy: null }) } as const;
const booked = captured({ amount: AMOUNT });
const booking = captureOf({ amount: AMOUNT, finalCapture: true });

test('the booking of Single Immediate is under way until the ledger has it, whichever comes first', () => {
  expect(kinds({ ledger: single, service: { captures: [booked] } })).toEqual([]);
  const asked = { ...single, status: 'pending_consent', authorization: null } as const;
  expect(kinds({ ledger: asked, service: { captures: [booked] } })).toEqual([]);
  const kept = { ...single, status: 'captured', captures: [booking] } as const;
  expect(kinds({ ledger: kept, service: { captures: [booked] } })).toEqual([]);
});

test('the booking of Single Immediate is no longer under way a day after the consent session', () => {
  const service = { captures: [booked] };
  const asked = { ...single, status: 'pending_consent', authorization: null } as const;
  for (const ledger of [single, asked]) {
    expect(kinds({ ledger, service, age: CONSENT_SESSION + DAY - 1 })).toEqual([]);
    expect(kinds({ ledger, service, age: CONSENT_SESSION + DAY })).toEqual(['debit_unknown']);
  }
});

test('the booking of Single Immediate is one: a second is explained by nothing', () => {
  const captures = [booked, captured({ captureId: 'cap-2', amount: AMOUNT })];
  expect(find({ ledger: single, service: { captures } })).toMatchObject([
    { kind: 'debit_unknown', captureId: 'cap-2' },
  ]);
  const kept = { ...single, status: 'captured', captures: [booking] } as const;
  expect(kinds({ ledger: kept, service: { captures } })).toEqual(['debit_unknown']);
});

test('the booking of Single Immediate is nothing to wait for if the payment has failed, or is of another plan', () => {
  const refused = authorizationOf({ state: 'failed', captureBy: null });
  const failed = { ...single, status: 'failed', authorization: refused } as const;
  const authorizations = [listed({ status: 'failed' })];
  expect(kinds({ ledger: failed, service: { authorizations, captures: [booked] } })).toEqual(['debit_unknown']);
  expect(kinds({ ledger: {}, service: { captures: [booked] } })).toEqual(['debit_unknown']);
});

const debited = { captures: [captureOf()] };
const there = { captures: [captured()] };

test('a refund of ours must be listed, in its state and of its amount', () => {
  const ledger = { ...debited, refunds: [refundOf()] };
  expect(kinds({ ledger, service: there })).toEqual(['refund_missing']);
  expect(kinds({ ledger, service: { ...there, refunds: [givenBack({ status: 'failed' })] } })).toEqual([
    'refund_state',
  ]);
  expect(kinds({ ledger, service: { ...there, refunds: [givenBack({ amount: euros(501) })] } })).toEqual([
    'refund_amount',
  ]);
});

test('a refund that was never ordered is reported, of no cycle; one with an unknown outcome explains one of its capture', () => {
  const service = { ...there, refunds: [givenBack()] };
  expect(find({ ledger: debited, service })).toMatchObject([
    { kind: 'refund_unknown', cycle: null, captureId: 'cap-1', serviceRefundId: 'back-1' },
  ]);
  const unknown = (captureId: string) =>
    refundOf({ state: 'unknown', serviceRefundId: null, captureId: captureId as CaptureId });
  expect(kinds({ ledger: { ...debited, refunds: [unknown('cap-1')] }, service })).toEqual([]);
  expect(kinds({ ledger: { ...debited, refunds: [unknown('cap-2')] }, service })).toEqual(['refund_unknown']);
});
