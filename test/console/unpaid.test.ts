import { day, instant } from '../../src/console/format';
import { unpaidOf } from '../../src/console/views/subscription/unpaid';
import { at, attempt, cycle, noon } from './lives';

const says = (cycles: Parameters<typeof unpaidOf>[0]['cycles']) => unpaidOf({ cycles }, noon(9))?.says;

const refused = attempt('rejected_retryable', { description: 'not enough money' });
const due = day(at(8));

test('an unpaid payment is named with its amount, due date and reason', () => {
  const cycles = [cycle(0), cycle(1, { status: 'dunning', attempts: [refused, refused, refused] })];
  expect(says(cycles)).toBe(
    `The €19.99 payment due ${due} is unpaid: the bank declined it 3 times. The payment service says: “not enough money”`,
  );
});

test.each([
  [cycle(1, { status: 'unresolved' }), 'has an unknown outcome: the payer may or may not have been debited.'],
  [cycle(1, { status: 'missed' }), 'was missed: it was not tried in time.'],
  [cycle(1, { status: 'failed', attempts: [attempt('rejected')] }), 'is unpaid: the bank declined it once.'],
  [
    cycle(1, { status: 'failed', reason: 'capture_failed', attempts: [attempt('rejected')] }),
    'is unpaid: the bank authorized it, but the debit failed.',
  ],
  [
    cycle(1, {
      status: 'failed',
      reason: 'rejected',
      attempts: [attempt('rejected', { resolvedBy: 'ops', description: 'ticket 4711', detail: 'RESOLVED_AS_FAILED' })],
    }),
    'is unpaid: ops recorded that it was not debited. Evidence: “ticket 4711”',
  ],
])('for the cycle %j, the sentence says why it is unpaid: %s', (last, why) => {
  expect(says([cycle(0), last])).toBe(`The €19.99 payment due ${due} ${why}`);
});

test('a failed cycle is not mentioned as unpaid once a later cycle is collected', () => {
  const cycles = [cycle(0, { status: 'failed' }), cycle(1), cycle(2, { status: 'scheduled' })];
  expect(unpaidOf({ cycles }, noon(9))).toBeNull();
});

test('a failed or missed cycle is unpaid until its payment link is paid (rule 15)', () => {
  const linked = (status: 'failed' | 'missed', state: 'open' | 'paid' | 'ended') =>
    says([cycle(1, { status, paymentLink: { paymentId: 'pay_link', state, createdAt: at(14) } })]);
  expect([linked('failed', 'paid'), linked('missed', 'paid')]).toEqual([undefined, undefined]);
  expect(linked('failed', 'open')).toMatch(/is unpaid/);
  expect(linked('missed', 'ended')).toMatch(/was missed/);
});

test('for a failed or missed cycle the console says that a payment link can still collect it once its window has closed', () => {
  const failed = cycle(1, { status: 'failed' });
  const remedy = (last: typeof failed, day: number) => unpaidOf({ cycles: [last] }, noon(day))?.remedy;
  expect(remedy(failed, 9)).toBe(
    `dueday does not try it again. From ${instant(at(13))} on, you can send the payer a payment link for it.`,
  );
  expect(remedy(failed, 13)).toMatch(/To collect it, send the payer a payment link, with the button/);
  const paymentLink = { paymentId: 'pay_link', state: 'open', createdAt: at(14) } as const;
  expect(remedy({ ...failed, paymentLink }, 14)).toMatch(/The payer can pay it by the payment link below[.]/);
  expect(remedy(cycle(1, { status: 'dunning' }), 9)).toBeNull();
  expect(remedy(cycle(1, { status: 'unresolved' }), 9)).toBeNull();
});
