import type { AuthorizationId, CaptureId, PaymentId, SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { type AttemptRecord, resultOf } from '../../src/ledger';

/** The result of an attempt as its stored row gives it, whichever process has recorded the outcome. */

const [SENT, OUTCOME, CREATED] = [1_000, 2_000, 3_000];
const NAMED = { authorizationId: 'aut-1' as AuthorizationId, captureId: 'cap-1' as CaptureId };

function row(changes: Partial<AttemptRecord>): AttemptRecord {
  return {
    subscriptionId: 'gym' as SubscriptionId,
    paymentId: 'pay-1' as PaymentId,
    cycle: 3,
    attempt: 1,
    send: 2,
    amount: euros(1999),
    dueAt: 0,
    state: 'successful',
    at: SENT,
    sendingRealAt: SENT,
    unknownSinceReal: null,
    absentChecks: 0,
    knownIds: [],
    authorizationId: null,
    captureId: null,
    authorizationCreatedAt: null,
    detail: null,
    description: null,
    reason: null,
    owner: 'worker-1',
    outcomeAt: null,
    acceptedAnswer: null,
    adopted: false,
    refusedAs: null,
    authorized: false,
    unlistedSinceReal: null,
    contradictedSinceReal: null,
    resolvedBy: null,
    ...changes,
  };
}

it.each([
  ['as given by the service', { authorizationCreatedAt: CREATED, outcomeAt: OUTCOME }, CREATED],
  ['when it became final, if the service gives none', { outcomeAt: OUTCOME }, OUTCOME],
  ['when it was sent, if neither is known', {}, SENT],
])('the time of a stored outcome: %s', (_when, changes, at) => {
  expect(resultOf(row(changes)).at).toBe(at);
});

it('a stored outcome of a failed capture has the service’s detail', () => {
  const words = { state: 'capture_failed', detail: 'ACCOUNT_CLOSED', ...NAMED } as const;
  expect(resultOf(row(words))).toEqual({
    kind: 'capture_failed',
    authorizationId: 'aut-1',
    captureId: 'cap-1',
    detail: 'ACCOUNT_CLOSED',
    at: SENT,
  });
});

it('a stored outcome of a failed capture has a default detail if the service gave none', () => {
  expect(resultOf(row({ state: 'capture_failed', ...NAMED }))).toMatchObject({ detail: 'CAPTURE_FAILED' });
});

it('a stored outcome of a failed capture cannot be read without an authorization', () => {
  expect(() => resultOf(row({ state: 'capture_failed' }))).toThrow(
    'the send 3/1/2 is capture_failed, which is not an outcome',
  );
});

it.each([
  ['rejected', false],
  ['rejected_retryable', true],
] as const)('a stored outcome of a refusal that is %s may lack detail and description', (state, retryable) => {
  const told = { kind: 'rejected', at: SENT, sentAt: SENT, detail: 'UNKNOWN', description: '', retryable };
  expect(resultOf(row({ state }))).toEqual(told);
});

it('a stored outcome of a refusal has the bank’s detail and description', () => {
  const words = { state: 'rejected', detail: 'AUTHORIZATION_REJECTION_FINAL', description: 'no account' } as const;
  expect(resultOf(row(words))).toMatchObject({ detail: words.detail, description: words.description });
});

it('the result of a refusal that an operator has recorded omits the operator’s evidence', () => {
  const words = { state: 'rejected', description: 'statement of 3 March', resolvedBy: 'ada' } as const;
  expect(resultOf(row(words))).toMatchObject({ description: '' });
});

it.each(['sending', 'pending', 'unknown', 'unresolved', 'not_sent'] as const)('the state %s is no outcome', (state) => {
  expect(() => resultOf(row({ state, ...NAMED }))).toThrow(`the send 3/1/2 is ${state}, which is not an outcome`);
});
