import { offeredOf, offeredOfCycle, refundedOf } from '../../src/console/views/subscription/offered';
import { at, attempt, cycle, euros, subscription } from './lives';

type Terms = Parameters<typeof subscription>[0];

/** Actions for a subscription that needs attention and has a pending amount change. */
function offered(terms: Terms): readonly string[] {
  const pendingAmountChange = {
    amount: euros(999),
    previousAmount: euros(1999),
    fromCycle: 1,
    effectiveAt: at(8),
    kind: 'reduction',
    countsAsIncrease: false,
    payerNotice: 'not_needed',
  } as const;
  return namesIn(offeredOf(subscription({ standing: 'needs_attention', pendingAmountChange, ...terms })));
}

function namesIn(each: object): readonly string[] {
  return Object.entries(each).flatMap(([name, isOffered]) => (isOffered === true ? [name] : []));
}

const CHANGES = ['isChangeable', 'hasChangeToWithdraw'];
const linkIn = (state: 'open' | 'paid' | 'ended') => ({
  paymentId: 'pay_2',
  state,
  createdAt: '2027-04-05T09:00:00.000Z',
});

const WATCHED = ['isConsentCheckable', 'isAcknowledgeable', 'isRestartable'];

test.each<[string, readonly string[], Terms]>([
  ['active', ['isPausable', ...CHANGES, ...WATCHED, 'isCancellable'], { status: 'active' }],
  ['paused', ['isResumable', ...CHANGES, ...WATCHED, 'isCancellable'], { status: 'paused' }],
  ['pending_consent', [...WATCHED, 'isCancellable'], { status: 'pending_consent' }],
  ['active, being cancelled', WATCHED, { status: 'active', cancelling: true }],
  ['paused, being cancelled', WATCHED, { status: 'paused', cancelling: true }],
  ['pending_consent, being cancelled', WATCHED, { status: 'pending_consent', cancelling: true }],
  ['cancelled', ['isAcknowledgeable'], { status: 'cancelled' }],
  ['completed', ['isAcknowledgeable'], { status: 'completed' }],
])('a subscription that is %s offers %j', (_state, names, terms) => {
  expect(offered(terms)).toEqual(names);
});

test('withdrawing, acknowledging and restarting are offered only if there is something to withdraw, acknowledge or restart', () => {
  expect(namesIn(offeredOf(subscription()))).toEqual([
    'isPausable',
    'isChangeable',
    'isConsentCheckable',
    'isCancellable',
  ]);
});

test.each<[string, readonly string[], readonly string[], Parameters<typeof cycle>[1]]>([
  ['before its first attempt', ['isSkippable'], [], { status: 'scheduled' }],
  ['whose first attempt has started', [], [], { status: 'scheduled', attempts: [attempt('not_sent')] }],
  ['in dunning', ['isRetriable'], [], { status: 'dunning' }],
  ['that waits for an operator', ['isResolvable'], ['isResolvable'], { status: 'unresolved' }],
  ['that is collected', ['isRefundable'], ['isRefundable'], { status: 'collected' }],
  ['that has failed', ['isPayable'], ['isPayable'], { status: 'failed' }],
  ['that was missed', ['isPayable'], ['isPayable'], { status: 'missed' }],
  ['with an open link', [], [], { status: 'failed', paymentLink: linkIn('open') }],
  ['whose link has ended', ['isPayable'], ['isPayable'], { status: 'failed', paymentLink: linkIn('ended') }],
  ['that was paid by a link', ['isRefundable'], ['isRefundable'], { status: 'failed', paymentLink: linkIn('paid') }],
])('a cycle %s offers %j, and during a cancellation %j', (_which, names, whileCancelling, more) => {
  const one = cycle(1, more);
  const closed = Date.parse(one.collectBy);
  expect(namesIn(offeredOfCycle(subscription(), one, closed))).toEqual(names);
  expect(namesIn(offeredOfCycle(subscription({ cancelling: true }), one, closed))).toEqual(whileCancelling);
});

test('a retry is not offered during a pause, as the API refuses it', () => {
  const one = cycle(1, { status: 'dunning' });
  expect(namesIn(offeredOfCycle(subscription({ status: 'paused' }), one, Date.parse(one.dueAt)))).toEqual([]);
});

test('a payment link is not offered before the window has closed, to the millisecond', () => {
  const one = cycle(1, { status: 'failed' });
  expect(namesIn(offeredOfCycle(subscription(), one, Date.parse(one.collectBy) - 1))).toEqual([]);
});

test('a cycle shows whether it was refunded in full or in part, and whether a refund is pending', () => {
  const refund = (value: number, status: Refund['status']) =>
    ({ refundId: 're_a', amount: euros(value), status, createdAt: at(9) }) as Refund;
  const said = (...refunds: Refund[]) => refundedOf(cycle(1, { refunds }));
  expect(said()).toBeNull();
  expect(said(refund(1999, 'failed'))).toBeNull();
  expect(said(refund(1999, 'successful'))).toBe('refunded €19.99');
  expect(said(refund(999, 'successful'), refund(1000, 'successful'))).toBe('refunded €19.99');
  expect(said(refund(500, 'successful'), refund(100, 'pending'))).toBe('partly refunded €5.00, €1.00 being refunded');
});

type Refund = ReturnType<typeof cycle>['refunds'][number];
