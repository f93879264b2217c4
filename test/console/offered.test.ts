import { leftOf, offeredOf } from '../../src/console/views/payments/offered';
import { at, euros } from './lives';

type State = Parameters<typeof offeredOf>[0];
type Capture = State['captures'][number];
type Refund = State['refunds'][number];

const BOTH_FLAGS = { partialCapture: true, multipleCapture: true };

const capture = (status: Capture['status'], captureId: string | null = 'cap_a'): Capture => ({
  captureId,
  amount: euros(3_000),
  status,
  finalCapture: false,
  createdAt: at(1),
});

const refund = (value: number, status: Refund['status'] = 'successful', captureId = 'cap_a'): Refund => ({
  refundId: `ref_${value}`,
  captureId,
  amount: euros(value),
  status,
  createdAt: at(2),
});

/** Actions for an authorized Event Dependent payment with both flags. */
const offered = (more: Partial<State> = {}, eventDependentRefunds = true) =>
  offeredOf(
    {
      plan: 'EVENT_DEPENDENT',
      status: 'authorized',
      remaining: euros(10_000),
      captures: [],
      refunds: [],
      ...BOTH_FLAGS,
      ...more,
    },
    eventDependentRefunds,
  );

test.each([
  [false, false, 'only'],
  [false, true, 'only'],
  [true, false, 'only'],
  [true, true, 'of_several'],
] as const)(
  'with partialCapture %s and multipleCapture %s, a capture is offered as %s',
  (partialCapture, multipleCapture, kind) => {
    expect(offered({ partialCapture, multipleCapture }).capture).toBe(kind);
  },
);

test('no capture is offered if nothing is left or the service captures by itself', () => {
  expect(offered({ remaining: euros(0) }).capture).toBeNull();
  expect(offered({ plan: 'SINGLE' }).capture).toBeNull();
});

test.each<[string, boolean, Partial<State>]>([
  ['an authorized payment', true, {}],
  ['a payment whose captures all failed', true, { captures: [capture('failed'), capture('failed')] }],
  ['a payment with a pending capture', false, { captures: [capture('failed'), capture('pending')] }],
  ['a partly captured payment', false, { captures: [capture('successful')], status: 'partly_captured' }],
  ['a payment whose release was requested', false, { releaseRequestedAt: at(2) }],
  ['an expired payment', false, { status: 'expired' }],
  ['a Single Immediate payment', false, { plan: 'SINGLE' }],
])('whether a release is offered for %s: %s', (_what, isReleasable, more) => {
  expect(offered(more).isReleasable).toBe(isReleasable);
});

test.each<[string, number, readonly Refund[]]>([
  ['nothing was refunded', 3_000, []],
  ['a part was refunded', 2_000, [refund(1_000)]],
  ['one refund is pending and another was made', 1_500, [refund(1_000, 'pending'), refund(500)]],
  ['a refund has failed', 3_000, [refund(1_000, 'failed')]],
  ['the refund belongs to another capture', 3_000, [refund(1_000, 'successful', 'cap_b')]],
  ['all was refunded', 0, [refund(3_000)]],
  ['more was refunded elsewhere', 0, [refund(3_000), refund(1)]],
])('if %s, the refundable rest of a capture is %d cents', (_what, left, refunds) => {
  expect(leftOf(capture('successful'), refunds)).toEqual(euros(left));
});

test('a refund is offered only for a successful capture with an id', () => {
  const refundable = (...made: Parameters<typeof capture>) => offered({ captures: [capture(...made)] }).refundable;
  expect(refundable('successful')).toEqual([{ captureId: 'cap_a', left: euros(3_000), createdAt: at(1) }]);
  expect([refundable('pending'), refundable('failed'), refundable('successful', null)]).toEqual([[], [], []]);
});

test('captures with a refundable rest are offered for a refund, each with its rest', () => {
  const captures = ['cap_a', 'cap_b', 'cap_c'].map((captureId) => capture('successful', captureId));
  const refunds = [refund(3_000), refund(1_000, 'pending', 'cap_b')];
  expect(offered({ captures, refunds }).refundable).toMatchObject([
    { captureId: 'cap_b', left: euros(2_000) },
    { captureId: 'cap_c', left: euros(3_000) },
  ]);
});

test('no refund is offered if everything was refunded', () => {
  expect(offered({ captures: [capture('successful')], refunds: [refund(3_000)] }).refundable).toEqual([]);
});

test('a refund of an Event Dependent payment is offered only if the deployment enables such refunds', () => {
  const captures = [capture('successful')];
  expect(offered({ captures }, false).refundable).toEqual([]);
  expect(offered({ captures, plan: 'SINGLE' }, false).refundable).toHaveLength(1);
});
