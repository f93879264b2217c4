import { offeredOf, offeredOfCycle } from '../../src/console/views/subscription/offered';
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

test.each<[string, Terms, readonly string[]]>([
  ['active', { status: 'active' }, ['isPausable', ...CHANGES, ...WATCHED, 'isCancellable']],
  ['paused', { status: 'paused' }, ['isResumable', ...CHANGES, ...WATCHED, 'isCancellable']],
  ['pending_consent', { status: 'pending_consent' }, [...WATCHED, 'isCancellable']],
  ['active, being cancelled', { status: 'active', cancelling: true }, WATCHED],
  ['paused, being cancelled', { status: 'paused', cancelling: true }, WATCHED],
  ['pending_consent, being cancelled', { status: 'pending_consent', cancelling: true }, WATCHED],
  ['cancelled', { status: 'cancelled' }, ['isAcknowledgeable']],
  ['completed', { status: 'completed' }, ['isAcknowledgeable']],
])('the actions offered for a subscription that is %s', (_state, terms, names) => {
  expect(offered(terms)).toEqual(names);
});

test('withdrawing, acknowledging and restarting are not offered without a reason for them', () => {
  expect(namesIn(offeredOf(subscription()))).toEqual([
    'isPausable',
    'isChangeable',
    'isConsentCheckable',
    'isCancellable',
  ]);
});

test.each<[string, Parameters<typeof cycle>[1], readonly string[], readonly string[]]>([
  ['before its first attempt', { status: 'scheduled' }, ['isSkippable'], []],
  ['whose first attempt has started', { status: 'scheduled', attempts: [attempt('not_sent')] }, [], []],
  ['in dunning', { status: 'dunning' }, ['isRetriable'], []],
  ['that waits for an operator', { status: 'unresolved' }, ['isResolvable'], ['isResolvable']],
  ['that is collected', { status: 'collected' }, ['isRefundable'], ['isRefundable']],
  ['that has failed', { status: 'failed' }, ['isPayable'], ['isPayable']],
  ['that was missed', { status: 'missed' }, ['isPayable'], ['isPayable']],
  ['with an open link', { status: 'failed', paymentLink: linkIn('open') }, [], []],
  ['whose link has ended', { status: 'failed', paymentLink: linkIn('ended') }, ['isPayable'], ['isPayable']],
  ['that was paid by a link', { status: 'failed', paymentLink: linkIn('paid') }, ['isRefundable'], ['isRefundable']],
])('the actions offered for a cycle %s, also during a cancellation', (_which, more, names, whileCancelling) => {
  const one = cycle(1, more);
  const closed = Date.parse(one.collectBy);
  expect(namesIn(offeredOfCycle(subscription(), one, closed))).toEqual(names);
  expect(namesIn(offeredOfCycle(subscription({ cancelling: true }), one, closed))).toEqual(whileCancelling);
});

test('a payment link is not offered before the window has closed, to the millisecond', () => {
  const one = cycle(1, { status: 'failed' });
  expect(namesIn(offeredOfCycle(subscription(), one, Date.parse(one.collectBy) - 1))).toEqual([]);
});
