import { offeredOf } from '../../src/console/views/payments/offered';
import { at, euros } from './lives';

type State = Parameters<typeof offeredOf>[0];
type Capture = State['captures'][number];

const BOTH_FLAGS = { partialCapture: true, multipleCapture: true };

const capture = (status: Capture['status']): Capture => ({
  captureId: 'cap_a',
  amount: euros(3_000),
  status,
  finalCapture: false,
  createdAt: at(1),
});

/** Of an Event Dependent payment that is authorized, with both flags. */
const offered = (more: Partial<State> = {}, eventDependentRefunds = true) =>
  offeredOf(
    {
      plan: 'EVENT_DEPENDENT',
      status: 'authorized',
      remaining: euros(10_000),
      captures: [],
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
] as const)('partialCapture %s, multipleCapture %s: a capture is %s', (partialCapture, multipleCapture, kind) => {
  expect(offered({ partialCapture, multipleCapture }).capture).toBe(kind);
});

test('nothing is captured where nothing is left, nor of what the service captures by itself', () => {
  expect(offered({ remaining: euros(0) }).capture).toBeNull();
  expect(offered({ plan: 'SINGLE' }).capture).toBeNull();
});

test.each<[string, boolean, Partial<State>]>([
  ['an authorization', true, {}],
  ['one of which each capture has failed', true, { captures: [capture('failed'), capture('failed')] }],
  ['one with a capture under way', false, { captures: [capture('failed'), capture('pending')] }],
  ['one that is captured in part', false, { captures: [capture('successful')], status: 'partly_captured' }],
  ['one whose release is asked for', false, { releaseRequestedAt: at(2) }],
  ['one that has expired', false, { status: 'expired' }],
  ['a Single Immediate payment', false, { plan: 'SINGLE' }],
])('of %s, a release is offered: %s', (_what, isReleasable, more) => {
  expect(offered(more).isReleasable).toBe(isReleasable);
});

test('a refund is offered of a capture that was made', () => {
  const refundable = (status: Capture['status']) => offered({ captures: [capture(status)] }).isRefundable;
  expect([refundable('successful'), refundable('pending'), refundable('failed')]).toEqual([true, false, false]);
});

test('a refund of an Event Dependent payment is offered only where the deployment makes them', () => {
  const captures = [capture('successful')];
  expect(offered({ captures }, false).isRefundable).toBe(false);
  expect(offered({ captures, plan: 'SINGLE' }, false).isRefundable).toBe(true);
});
