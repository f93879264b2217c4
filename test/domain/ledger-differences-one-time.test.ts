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
const withUnknownOutcome = (changes: Partial<LedgerCapture> = {}) =>
  captureOf({ state: 'unknown', captureId: null, ...changes });
const listed = authorizationsOf({ amount: AMOUNT, createdAt: AUTHORIZED });
const captured = capturesOf({ amount: PART, createdAt: SENT });

interface Seen {
  readonly ledger?: Partial<LedgerOneTimePayment>;
  readonly service?: Partial<ServicePayment>;
  readonly now?: number;
  /** Real ms since the consent was requested. The default is a minute. */
  readonly age?: number;
}

/** The differences of an authorized Event Dependent payment, which by default is the same in the ledger and at the service. */
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

test('a one-time payment has no difference if ledger and service report the same', () => {
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

test('an authorization that the service does not list is reported as missing, with what the ledger has', () => {
  const [only, ...more] = find({ service: { authorizations: [] } });
  expect(more).toEqual([]);
  expect(only).toMatchObject({ kind: 'authorization_missing', authorizationId: 'aut-1', cycle: null, service: null });
  expect(only?.ledger).toEqual({ state: 'successful', amount: AMOUNT, at: AUTHORIZED });
});

test.each([9_999, 10_001])('an authorization of %d cents instead of 10000 differs in its amount', (cents) => {
  expect(kinds({ service: { authorizations: [listed({ amount: euros(cents) })] } })).toEqual(['authorization_amount']);
});

test.each(['pending', 'failed', 'released', 'expired'])(
  'a successful authorization that the service lists as %s differs in its state',
  (status) => {
    expect(stateOf({}, status)).toEqual(['authorization_state']);
  },
);

test('an authorization that failed in the ledger must be listed as failed', () => {
  expect(stateOf({ state: 'failed', captureBy: null }, 'failed')).toEqual([]);
  expect(stateOf({ state: 'failed', captureBy: null }, 'successful')).toEqual(['authorization_state']);
});

test('an authorization may be listed as released once its release is ordered, and must be listed as released once the service has confirmed', () => {
  expect(stateOf({ isBeingReleased: true }, 'released')).toEqual([]);
  expect(stateOf({ isBeingReleased: true }, 'successful')).toEqual([]);
  expect(stateOf({ state: 'released', isBeingReleased: true }, 'released')).toEqual([]);
  expect(stateOf({ state: 'released', isBeingReleased: true }, 'successful')).toEqual(['authorization_state']);
});

test('an authorization may be listed as expired from its deadline on, less the clock skew, and not a millisecond earlier', () => {
  expect(stateOf({}, 'expired', CAPTURE_BY - CLOCK_SKEW)).toEqual([]);
  expect(stateOf({}, 'expired', CAPTURE_BY - CLOCK_SKEW - 1)).toEqual(['authorization_state']);
  expect(stateOf({ state: 'expired' }, 'expired')).toEqual([]);
  expect(stateOf({ state: 'expired' }, 'successful')).toEqual([]);
  expect(stateOf({ state: 'expired' }, 'failed')).toEqual(['authorization_state']);
});

test('an authorization may be listed as released if a final capture has released its rest', () => {
  const service = { authorizations: [listed({ status: 'released' })], captures: [captured()] };
  expect(kinds({ ledger: { captures: [captureOf({ finalCapture: true })] }, service })).toEqual([]);
  expect(kinds({ ledger: { captures: [captureOf()] }, service })).toEqual(['authorization_state']);
  const failed = [captureOf({ finalCapture: true, state: 'failed' })];
  const none = { ...service, captures: [captured({ status: 'failed' })] };
  expect(kinds({ ledger: { captures: failed }, service: none })).toEqual(['authorization_state']);
});

test('an authorization of a Single Immediate payment must not be listed as released or expired', () => {
  const ofSingle = { captureBy: null };
  expect(stateOf(ofSingle, 'released', CAPTURE_BY + DAY)).toEqual(['authorization_state']);
  expect(stateOf(ofSingle, 'expired', CAPTURE_BY + DAY)).toEqual(['authorization_state']);
});

test('an authorization that is pending in the ledger is not a difference if the service lists it as successful', () => {
  const authorization = authorizationOf({ state: 'pending', captureBy: null });
  expect(kinds({ ledger: { status: 'pending_consent', authorization } })).toEqual([]);
});

const second = listed({ authorizationId: 'aut-2', createdAt: AUTHORIZED + 1 });

test.each(['pending', 'successful'])(
  'an authorization that the ledger does not explain is reported if it is listed as %s',
  (status) => {
    const authorizations = [listed(), { ...second, status }];
    expect(find({ service: { authorizations } })).toMatchObject([
      { kind: 'authorization_unknown', authorizationId: 'aut-2', ledger: null, service: { state: status } },
    ]);
  },
);

test.each(['failed', 'released', 'expired'])(
  'an authorization that the ledger does not explain is not reported if it is listed as %s',
  (status) => {
    expect(kinds({ service: { authorizations: [listed(), { ...second, status }] } })).toEqual([]);
  },
);

test('an authorization that the ledger does not explain is not reported while the ledger waits for its own, but is reported once the consent has failed', () => {
  expect(kinds({ ledger: { status: 'pending_consent', authorization: null } })).toEqual([]);
  expect(kinds({ ledger: { status: 'consent_failed', authorization: null } })).toEqual(['authorization_unknown']);
});

test('an authorization that the ledger does not explain is reported from a day after the consent session on, because the workflow would have read it by then', () => {
  const ledger = { status: 'pending_consent', authorization: null } as const;
  expect(kinds({ ledger, age: CONSENT_SESSION + DAY - 1 })).toEqual([]);
  expect(kinds({ ledger, age: CONSENT_SESSION + DAY })).toEqual(['authorization_unknown']);
});

test('an authorization that the ledger does not explain and that has a debit is reported as that debit', () => {
  const captures = [captured({ captureId: 'cap-2', authorizationId: 'aut-2' })];
  expect(kinds({ service: { authorizations: [listed(), second], captures } })).toEqual(['debit_unknown']);
});

test('an authorization that the ledger does not explain is not reported if it is older than the payment, less the clock skew', () => {
  const at = (createdAt: number) => kinds({ service: { authorizations: [listed(), { ...second, createdAt }] } });
  expect(at(KNOWN - CLOCK_SKEW)).toEqual(['authorization_unknown']);
  expect(at(KNOWN - CLOCK_SKEW - 1)).toEqual([]);
});

test('a capture that the service does not list is reported as missing, with what the ledger has', () => {
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
] as const)('a capture that the ledger has as %s and the service lists as %s differs in its state', (state, status) => {
  const captures = [captured({ status })];
  expect(kinds({ ledger: { captures: [captureOf({ state })] }, service: { captures } })).toEqual(['debit_state']);
});

test('a capture that failed in the ledger and is listed as failed is not a difference, and a failed one without an id is not compared', () => {
  const failed = captured({ status: 'failed' });
  expect(kinds({ ledger: { captures: [captureOf({ state: 'failed' })] }, service: { captures: [failed] } })).toEqual(
    [],
  );
  const unnamed = captureOf({ state: 'failed', captureId: null });
  expect(kinds({ ledger: { captures: [unnamed] }, service: { captures: [failed] } })).toEqual([]);
});

test.each([2_999, 3_001])('a capture of %d cents instead of 3000 differs in its amount', (cents) => {
  const captures = [captured({ amount: euros(cents) })];
  expect(kinds({ ledger: { captures: [captureOf()] }, service: { captures } })).toEqual(['debit_amount']);
});

test.each(['sending', 'pending', 'unknown', 'unresolved'] as const)(
  'a capture that the ledger has as %s is not a difference, whether or not it is listed',
  (state) => {
    const id = state === 'pending' ? ('cap-1' as CaptureId) : null;
    const ledger = { captures: [captureOf({ state, captureId: id })] };
    expect(kinds({ ledger })).toEqual([]);
    expect(kinds({ ledger, service: { captures: [captured()] } })).toEqual([]);
  },
);

test.each(['ordered', 'not_sent'] as const)(
  'a capture that the ledger has as %s is not a difference, but explains no debit that is listed',
  (state) => {
    const ledger = { captures: [captureOf({ state, captureId: null })] };
    expect(kinds({ ledger })).toEqual([]);
    expect(kinds({ ledger, service: { captures: [captured()] } })).toEqual(['debit_unknown']);
  },
);

const ledger = { captures: [captureOf({ state: 'pending' })] };

test.each([
  [DAY - 1, []],
  [DAY, ['debit_missing']],
])('a pending capture that is not listed %i ms after it was sent is reported as %j', (age, expected) => {
  expect(kinds({ ledger, now: SENT + age })).toEqual(expected);
});

test.each(['pending', 'successful', 'failed'])(
  'a capture that has been pending for days is not a difference if listed as %s',
  (status) => {
    expect(kinds({ ledger, service: { captures: [captured({ status })] }, now: SENT + 5 * DAY })).toEqual([]);
  },
);

test('a debit that the ledger does not explain is reported with its ids, amount and date, unless it has failed', () => {
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

test('a send with an unknown outcome explains one debit; a second one is reported', () => {
  const captures = [captured(), captured({ captureId: 'cap-2' })];
  expect(find({ ledger: { captures: [withUnknownOutcome()] }, service: { captures } })).toMatchObject([
    { kind: 'debit_unknown', captureId: 'cap-2' },
  ]);
});

test('a send with an unknown outcome explains no debit of another amount, none that was listed before, and none that is older than the send, less the clock skew', () => {
  const against = (ours: Partial<LedgerCapture>, theirs = {}) =>
    kinds({ ledger: { captures: [withUnknownOutcome(ours)] }, service: { captures: [captured(theirs)] } });
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
      refunds: refunds.map(({ serviceRefundId, amount }) => givenBack({ serviceRefundId, amount })),
    },
  });
const all = refundOf({ amount: PART });

it('an unknown debit that one or several refunds returned in full is not reported, and neither is its authorization', () => {
  expect(against(all)).toEqual([]);
  expect(
    against(refundOf({ amount: euros(2_999) }), refundOf({ amount: euros(1), serviceRefundId: 'back-2' })),
  ).toEqual([]);
  const strange = { authorizations: [listed(), listed({ authorizationId: 'aut-2' })] };
  const captures = [captured({ authorizationId: 'aut-2' })];
  const service = { ...strange, captures, refunds: [givenBack({ amount: PART })] };
  expect(kinds({ ledger: { refunds: [all] }, service })).toEqual([]);
});

it('an unknown debit is still reported if a cent is left, if the refund names another capture, or if the refund is not successful', () => {
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
    /^The service has a debit that matches nothing in the ledger; if it was not owed, refund it by naming its captureId\. Ledger/,
  );
});

const single = { plan: 'SINGLE', authorization: authorizationOf({ captureBy: null }) } as const;
const booked = captured({ amount: AMOUNT });
const booking = captureOf({ amount: AMOUNT, finalCapture: true });

test('the booking of a Single Immediate payment is not a difference, before and after the ledger has its authorization and its capture', () => {
  expect(kinds({ ledger: single, service: { captures: [booked] } })).toEqual([]);
  const asked = { ...single, status: 'pending_consent', authorization: null } as const;
  expect(kinds({ ledger: asked, service: { captures: [booked] } })).toEqual([]);
  const kept = { ...single, status: 'captured', captures: [booking] } as const;
  expect(kinds({ ledger: kept, service: { captures: [booked] } })).toEqual([]);
});

test('the booking of a Single Immediate payment is reported if the ledger lacks it a day after the consent session', () => {
  const service = { captures: [booked] };
  const asked = { ...single, status: 'pending_consent', authorization: null } as const;
  for (const ledger of [single, asked]) {
    expect(kinds({ ledger, service, age: CONSENT_SESSION + DAY - 1 })).toEqual([]);
    expect(kinds({ ledger, service, age: CONSENT_SESSION + DAY })).toEqual(['debit_unknown']);
  }
});

test('a Single Immediate payment has one booking; a second debit is reported', () => {
  const captures = [booked, captured({ captureId: 'cap-2', amount: AMOUNT })];
  expect(find({ ledger: single, service: { captures } })).toMatchObject([
    { kind: 'debit_unknown', captureId: 'cap-2' },
  ]);
  const kept = { ...single, status: 'captured', captures: [booking] } as const;
  expect(kinds({ ledger: kept, service: { captures } })).toEqual(['debit_unknown']);
});

test('a debit of a payment that has failed or has another plan is reported, and does not count as the booking of a Single Immediate payment', () => {
  const refused = authorizationOf({ state: 'failed', captureBy: null });
  const failed = { ...single, status: 'failed', authorization: refused } as const;
  const authorizations = [listed({ status: 'failed' })];
  expect(kinds({ ledger: failed, service: { authorizations, captures: [booked] } })).toEqual(['debit_unknown']);
  expect(kinds({ ledger: {}, service: { captures: [booked] } })).toEqual(['debit_unknown']);
});

const debited = { captures: [captureOf()] };
const there = { captures: [captured()] };

test('a refund that is not listed with its state and amount is reported', () => {
  const ledger = { ...debited, refunds: [refundOf()] };
  expect(kinds({ ledger, service: there })).toEqual(['refund_missing']);
  expect(kinds({ ledger, service: { ...there, refunds: [givenBack({ status: 'failed' })] } })).toEqual([
    'refund_state',
  ]);
  expect(kinds({ ledger, service: { ...there, refunds: [givenBack({ amount: euros(501) })] } })).toEqual([
    'refund_amount',
  ]);
});

test('a refund that was never ordered is reported without a cycle; an ordered one with an unknown outcome explains one refund of its capture', () => {
  const service = { ...there, refunds: [givenBack()] };
  expect(find({ ledger: debited, service })).toMatchObject([
    { kind: 'refund_unknown', cycle: null, captureId: 'cap-1', serviceRefundId: 'back-1' },
  ]);
  const unknown = (captureId: string) =>
    refundOf({ state: 'unknown', serviceRefundId: null, captureId: captureId as CaptureId });
  expect(kinds({ ledger: { ...debited, refunds: [unknown('cap-1')] }, service })).toEqual([]);
  expect(kinds({ ledger: { ...debited, refunds: [unknown('cap-2')] }, service })).toEqual(['refund_unknown']);
});
