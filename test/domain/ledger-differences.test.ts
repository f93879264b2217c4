import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR, MINUTE } from '../../src/domain/time';
import {
  DIFFERENCE_KINDS,
  type Difference,
  findDifferences,
  isWithin,
  keyOfDifference,
  type LedgerAttempt,
  type LedgerPayment,
  notCompared,
  type ServicePayment,
} from '../../src/domain/reconciliation/subscription';
import { describeDifference } from '../../src/domain/reconciliation/records';
import { CLOCK_SKEW } from '../../src/domain/send';
import { euros } from '../../src/domain/money';
import { authorizationsOf, capturesOf, givenBack, KNOWN, ledgerRefund, SENT } from './records-compared';

const MADE = SENT + 40;
const AMOUNT = euros(1999);

function attempt(changes: Partial<LedgerAttempt> = {}): LedgerAttempt {
  return {
    cycle: 3,
    state: 'successful',
    amount: AMOUNT,
    at: SENT,
    dueAt: SENT - MINUTE,
    knownIds: [],
    authorizationId: 'aut-1',
    captureId: 'cap-1',
    ...changes,
  };
}

const authorization = authorizationsOf({ amount: AMOUNT, createdAt: MADE });
const capture = capturesOf({ amount: AMOUNT, createdAt: MADE });

/** The differences between ledger and service. @param now by default an hour after the refund was sent */
function find(
  ledger: Partial<LedgerPayment>,
  service: Partial<ServicePayment> = {},
  now = SENT + DAY + HOUR,
): Difference[] {
  return findDifferences(
    {
      subscriptionId: 'sub_a' as SubscriptionId,
      paymentId: 'pay-a' as PaymentId,
      knownSince: KNOWN,
      attempts: [],
      refunds: [],
      ...ledger,
    },
    { authorizations: [], captures: [], refunds: [], ...service },
    now,
  );
}

const kinds = (differences: readonly Difference[]) => differences.map(({ kind }) => kind);
const collectedAtService = { authorizations: [authorization()], captures: [capture()] };

test('a subscription has no difference if ledger and service report the same', () => {
  expect(find({})).toEqual([]);
  expect(
    find({ attempts: [attempt()], refunds: [ledgerRefund()] }, { ...collectedAtService, refunds: [givenBack()] }),
  ).toEqual([]);
});

test('a debit that no attempt explains is reported with its ids, amount and date', () => {
  expect(find({}, collectedAtService)).toEqual([
    {
      kind: 'debit_unknown',
      cycle: null,
      authorizationId: 'aut-1',
      captureId: 'cap-1',
      refundId: null,
      serviceRefundId: null,
      ledger: null,
      reason: null,
      service: { state: 'successful', amount: AMOUNT, at: MADE },
    },
  ]);
});

test('a second debit under the same authorization is reported once, with the cycle', () => {
  const captures = [capture(), capture({ captureId: 'cap-2' })];
  const [only, ...more] = find({ attempts: [attempt()] }, { authorizations: [authorization()], captures });
  expect(more).toEqual([]);
  expect(only).toMatchObject({ kind: 'debit_unknown', cycle: 3, captureId: 'cap-2' });
});

test('a debit whose attempt is refused in the ledger is a difference, and so is its authorization', () => {
  const rejected = attempt({ state: 'rejected', captureId: null });
  expect(kinds(find({ attempts: [rejected] }, collectedAtService))).toEqual(['authorization_state', 'debit_unknown']);
});

test('a debit that the service does not list is reported as missing, with the record of the ledger', () => {
  for (const authorizations of [[authorization()], []]) {
    const [only, ...more] = find({ attempts: [attempt()] }, { authorizations });
    expect(more).toEqual([]);
    expect(only).toMatchObject({ kind: 'debit_missing', cycle: 3, captureId: 'cap-1', service: null });
    expect(only?.ledger).toEqual({ state: 'successful', amount: AMOUNT, at: SENT });
  }
});

test.each(['failed', 'pending'])('a debit successful in the ledger and %s at the service is reported', (status) => {
  const found = find({ attempts: [attempt()] }, { authorizations: [authorization()], captures: [capture({ status })] });
  expect(found).toMatchObject([{ kind: 'debit_state', service: { state: status }, ledger: { state: 'successful' } }]);
});

test('a debit that failed in the ledger and was made by the service is reported', () => {
  const found = find({ attempts: [attempt({ state: 'capture_failed' })] }, collectedAtService);
  expect(found).toMatchObject([{ kind: 'debit_state', ledger: { state: 'capture_failed' } }]);
});

test.each([1998, 2000])('a debit of %d cents differs in its amount if the ledger has 1999', (cents) => {
  const captures = [capture({ amount: euros(cents) })];
  const found = find({ attempts: [attempt()] }, { authorizations: [authorization()], captures });
  expect(found).toMatchObject([{ kind: 'debit_amount', ledger: { amount: AMOUNT } }]);
  expect(found[0]?.service?.amount).toEqual(euros(cents));
});

test('a failed debit at the service is not reported, because it moved no money', () => {
  expect(find({}, { authorizations: [], captures: [capture({ status: 'failed' })] })).toEqual([]);
});

test.each(['pending', 'successful'])('an authorization without a debit or attempt is reported while %s', (status) => {
  const found = find({}, { authorizations: [authorization({ status })] });
  expect(found).toMatchObject([{ kind: 'authorization_unknown', authorizationId: 'aut-1', cycle: null }]);
});

test.each(['failed', 'released', 'expired'])('an authorization of no attempt that is %s is not reported', (status) => {
  expect(find({}, { authorizations: [authorization({ status })] })).toEqual([]);
});

test('an authorization that a refusal named is reported if it is listed with another state than failed or with another amount', () => {
  const attempts = [attempt({ state: 'rejected_retryable', captureId: null })];
  expect(find({ attempts }, { authorizations: [authorization({ status: 'failed' })] })).toEqual([]);
  expect(find({ attempts })).toEqual([]);
  expect(kinds(find({ attempts }, { authorizations: [authorization()] }))).toEqual(['authorization_state']);
  const other = [authorization({ status: 'failed', amount: euros(1) })];
  expect(kinds(find({ attempts }, { authorizations: other }))).toEqual(['authorization_amount']);
});

test('a refusal that named no authorization leaves nothing to compare', () => {
  const attempts = [attempt({ state: 'rejected', authorizationId: null, captureId: null })];
  expect(find({ attempts }, { authorizations: [authorization({ status: 'failed' })] })).toEqual([]);
});

test('an authorization that was refused, and that a later attempt has reopened, counts as that of the later attempt', () => {
  const refused = attempt({ state: 'rejected_retryable', captureId: null });
  const ledger = { attempts: [refused, attempt()] };
  expect(find(ledger, { captures: [capture()], authorizations: [authorization()] })).toEqual([]);
});

test('an authorization whose debit agrees may be missing from the list, but if it is listed, its state and amount must agree', () => {
  const ledger = { attempts: [attempt()] };
  const captures = [capture()];
  expect(find(ledger, { captures })).toEqual([]);
  expect(kinds(find(ledger, { captures, authorizations: [authorization({ status: 'failed' })] }))).toEqual([
    'authorization_state',
  ]);
  expect(kinds(find(ledger, { captures, authorizations: [authorization({ amount: euros(5) })] }))).toEqual([
    'authorization_amount',
  ]);
});

describe('an attempt in progress', () => {
  test.each(['sending', 'unknown', 'unresolved'] as const)(
    'an attempt that is %s explains one matching debit',
    (state) => {
      const attempts = [attempt({ state, authorizationId: null, captureId: null })];
      expect(find({ attempts })).toEqual([]);
      expect(find({ attempts }, collectedAtService)).toEqual([]);
    },
  );

  test.each([
    ['created more than the skew before the attempt is a difference', { createdAt: SENT - CLOCK_SKEW - 1 }, [], true],
    ['created exactly the skew before the attempt is not a difference', { createdAt: SENT - CLOCK_SKEW }, [], false],
    ['of another amount is a difference', { amount: euros(2000) }, [], true],
    ['seen right before it was sent is a difference', {}, ['aut-1'], true],
  ])('beside an attempt with an unknown outcome, an authorization %s', (_what, changes, knownIds, shows) => {
    const attempts = [attempt({ state: 'unknown', authorizationId: null, captureId: null, knownIds })];
    const found = find({ attempts }, { authorizations: [authorization(changes)] });
    expect(kinds(found)).toEqual(shows ? ['authorization_unknown'] : []);
  });

  test('of two debits that match an attempt with an unknown outcome, one remains unexplained and is reported', () => {
    const attempts = [attempt({ state: 'unresolved', authorizationId: null, captureId: null })];
    const two = ['aut-1', 'aut-2'].map((authorizationId) => authorization({ authorizationId }));
    const captures = [capture(), capture({ captureId: 'cap-2', authorizationId: 'aut-2' })];
    expect(find({ attempts }, { authorizations: two, captures })).toMatchObject([
      { kind: 'debit_unknown', captureId: 'cap-2' },
    ]);
  });

  test('that is pending is not a difference, whatever status the service reports', () => {
    const attempts = [attempt({ state: 'pending', captureId: null })];
    expect(find({ attempts })).toEqual([]);
    expect(find({ attempts }, collectedAtService)).toEqual([]);
  });

  test('a send that never arrived explains no debit', () => {
    const attempts = [attempt({ state: 'not_sent', authorizationId: null, captureId: null })];
    expect(find({ attempts })).toEqual([]);
    expect(kinds(find({ attempts }, collectedAtService))).toEqual(['debit_unknown']);
  });
});

const resolved = (changes: Partial<LedgerAttempt> = {}) => [
  attempt({ authorizationId: null, captureId: null, at: SENT + 3 * DAY, ...changes }),
];

test('a cycle that an operator resolved as collected without ids agrees with a debit of its amount made on its due date or later', () => {
  expect(find({ attempts: resolved() }, collectedAtService)).toEqual([]);
  const from = (createdAt: number) => ({
    authorizations: [authorization({ createdAt })],
    captures: [capture({ createdAt })],
  });
  expect(find({ attempts: resolved() }, from(SENT - MINUTE - CLOCK_SKEW))).toEqual([]);
  expect(kinds(find({ attempts: resolved() }, from(SENT - MINUTE - CLOCK_SKEW - 1)))).toEqual([
    'debit_missing',
    'debit_unknown',
  ]);
});

test('a cycle that an operator resolved as collected without ids is reported as missing by its number if the service lists no such debit', () => {
  const [only, ...more] = find({ attempts: resolved() });
  expect(more).toEqual([]);
  expect(only).toMatchObject({ kind: 'debit_missing', cycle: 3, authorizationId: null, captureId: null });
  expect(keyOfDifference(only!)).toBe('debit_missing/cycle 3');
  const other = { authorizations: [authorization({ amount: euros(1) })] };
  expect(kinds(find({ attempts: resolved() }, other))).toEqual(['debit_missing', 'authorization_unknown']);
});

test('a cycle that an operator resolved as collected without ids explains one debit; a second one is reported', () => {
  const two = ['aut-1', 'aut-2'].map((authorizationId) => authorization({ authorizationId }));
  const captures = [capture(), capture({ captureId: 'cap-2', authorizationId: 'aut-2' })];
  expect(find({ attempts: resolved() }, { authorizations: two, captures })).toMatchObject([
    { kind: 'debit_unknown', captureId: 'cap-2' },
  ]);
});

test('a cycle that an operator resolved as collected without ids takes the earliest debit that fits, and leaves a later one to a later cycle with an unknown outcome', () => {
  const later = attempt({ cycle: 4, state: 'unknown', authorizationId: null, captureId: null, at: SENT + 31 * DAY });
  const second = { createdAt: MADE + 31 * DAY, authorizationId: 'aut-2' };
  const authorizations = [authorization(second), authorization()];
  const captures = [capture({ ...second, captureId: 'cap-2' }), capture()];
  expect(find({ attempts: [...resolved(), later] }, { authorizations, captures })).toEqual([]);
});

test('a cycle that an operator resolved as collected with only an authorization id agrees with the capture of that authorization', () => {
  const attempts = resolved({ authorizationId: 'aut-1' });
  expect(find({ attempts }, collectedAtService)).toEqual([]);
  expect(kinds(find({ attempts }))).toEqual(['debit_missing']);
});

test('a cycle that an operator resolved as collected with only a capture id agrees with the authorization of that capture', () => {
  const attempts = resolved({ captureId: 'cap-1' });
  expect(find({ attempts }, collectedAtService)).toEqual([]);
  expect(kinds(find({ attempts }))).toEqual(['debit_missing']);
  const wrong = { authorizations: [authorization()], captures: [capture({ amount: euros(5) })] };
  expect(kinds(find({ attempts }, wrong))).toEqual(['debit_amount']);
});

test('a record is not reported if the service created it more than the skew before the ledger had the payment', () => {
  const madeAt = (createdAt: number) => find({}, { authorizations: [authorization({ createdAt })] });
  expect(madeAt(KNOWN - CLOCK_SKEW - 1)).toEqual([]);
  expect(kinds(madeAt(KNOWN - CLOCK_SKEW))).toEqual(['authorization_unknown']);
});

const paid = { attempts: [attempt()] };

test.each(['pending', 'successful'])('a refund without an order is a difference while %s, with its cycle', (status) => {
  const found = find(paid, { ...collectedAtService, refunds: [givenBack({ status })] });
  expect(found).toMatchObject([{ kind: 'refund_unknown', cycle: 3, serviceRefundId: 'back-1', captureId: 'cap-1' }]);
});

test('a failed refund without an order is not a difference', () => {
  expect(find(paid, { ...collectedAtService, refunds: [givenBack({ status: 'failed' })] })).toEqual([]);
});

test('a refund that is successful in the ledger is reported if it is not listed, not successful or of another amount', () => {
  const against = (refunds: ServicePayment['refunds']) =>
    find({ ...paid, refunds: [ledgerRefund()] }, { ...collectedAtService, refunds });
  expect(against([])).toMatchObject([{ kind: 'refund_missing', refundId: 'ref_1', serviceRefundId: 'back-1' }]);
  expect(kinds(against([givenBack({ status: 'failed' })]))).toEqual(['refund_state']);
  expect(kinds(against([givenBack({ amount: euros(501) })]))).toEqual(['refund_amount']);
});

test('a refund that failed in the ledger and was made by the service is reported', () => {
  const refunds = [ledgerRefund({ state: 'failed' })];
  const found = find({ ...paid, refunds }, { ...collectedAtService, refunds: [givenBack()] });
  expect(found).toMatchObject([{ kind: 'refund_state', ledger: { state: 'failed' } }]);
});

test.each(['sending', 'unknown', 'unresolved'] as const)(
  'a refund that is %s explains one matching refund at the service',
  (state) => {
    const refunds = [ledgerRefund({ state, serviceRefundId: null })];
    const against = (...back: ServicePayment['refunds']) =>
      kinds(find({ ...paid, refunds }, { ...collectedAtService, refunds: back }));
    expect(against(givenBack())).toEqual([]);
    expect(against(givenBack({ captureId: undefined }))).toEqual([]);
    expect(against(givenBack({ captureId: 'cap-9' }))).toEqual(['refund_unknown']);
    expect(against(givenBack(), givenBack({ serviceRefundId: 'back-2' }))).toEqual(['refund_unknown']);
  },
);

test.each(['ordered', 'not_sent', 'pending'] as const)('a refund that is %s is not a difference', (state) => {
  const refunds = [ledgerRefund({ state, serviceRefundId: state === 'pending' ? 'back-1' : null })];
  expect(find({ ...paid, refunds }, collectedAtService)).toEqual([]);
});

test.each([
  [DAY - 1, []],
  [DAY, ['refund_missing']],
])('a pending refund that is not listed %i ms after it was sent is reported as %j', (age, expected) => {
  const sent = ledgerRefund({ state: 'pending' });
  expect(kinds(find({ ...paid, refunds: [sent] }, collectedAtService, sent.at + age))).toEqual(expected);
});

test.each(['pending', 'successful', 'failed'])('a refund pending for days is no difference if it is %s', (status) => {
  const refunds = [ledgerRefund({ state: 'pending' })];
  const service = { ...collectedAtService, refunds: [givenBack({ status })] };
  expect(find({ ...paid, refunds }, service, SENT + 30 * DAY)).toEqual([]);
});

const [difference] = find({ attempts: [attempt()] }, { captures: [capture({ amount: euros(1) })] });

test('a difference belongs to a period if one of its dates is in the period, including its start and excluding its end', () => {
  expect(isWithin({ from: SENT, to: SENT + 1 }, difference!)).toBe(true);
  expect(isWithin({ from: MADE, to: MADE + 1 }, difference!)).toBe(true);
  expect(isWithin({ from: SENT - 1, to: SENT }, difference!)).toBe(false);
  expect(isWithin({ from: SENT + 1, to: MADE }, difference!)).toBe(false);
  expect(isWithin({ from: MADE + 1, to: MADE + DAY }, difference!)).toBe(false);
});

test('a payment that could not be compared belongs to every period', () => {
  expect(isWithin({ from: 0, to: 1 }, notCompared('HTTP 500'))).toBe(true);
});

test('the key of a difference distinguishes it from other differences of its subscription, and is the same when it is found again', () => {
  const captures = [capture(), capture({ captureId: 'cap-2' })];
  const both = find({}, { authorizations: [authorization()], captures });
  expect(both.map(keyOfDifference)).toEqual(['debit_unknown/cap-1', 'debit_unknown/cap-2']);
  const [gone] = find({ refunds: [ledgerRefund()] });
  expect(keyOfDifference(gone!)).toBe('refund_missing/back-1');
  const [unlisted] = find({ attempts: [attempt({ state: 'capture_failed', captureId: null })] });
  expect(keyOfDifference(unlisted!)).toBe('authorization_missing/aut-1');
  expect(keyOfDifference(notCompared('HTTP 500'))).toBe('not_compared/payment');
});

test('an unknown debit is described in words', () => {
  const [found] = find({}, collectedAtService);
  expect(describeDifference(found!)).toBe(
    'The service has a debit that matches nothing in the ledger; if it was not owed, refund it by naming its captureId. Ledger: nothing; service: successful, 19.99 EUR, 2027-01-31T10:00:00.040Z.',
  );
});

test('a missing debit is described in words, with its cycle, and so is the reason why a payment was not compared', () => {
  const [found] = find({ attempts: [attempt()] });
  expect(describeDifference(found!)).toBe(
    'The service does not list the debit of cycle 3 that the ledger has. Ledger: successful, 19.99 EUR, 2027-01-31T10:00:00.000Z; service: nothing.',
  );
  expect(describeDifference(notCompared('HTTP 500'))).toBe(
    "The service's answer about this payment cannot be read, so nothing was compared: HTTP 500.",
  );
});

test('every kind of difference has its own description', () => {
  const sentences = DIFFERENCE_KINDS.map((kind) => describeDifference({ ...notCompared('x'), kind }));
  expect(new Set(sentences).size).toBe(DIFFERENCE_KINDS.length);
});
