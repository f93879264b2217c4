import { day } from '../../src/console/format';
import { unpaidOf } from '../../src/console/views/subscription/unpaid';
import { at, attempt, cycle } from './lives';

const refused = attempt('rejected_retryable', { description: 'not enough money' });
const due = day(at(8));

test('an unpaid payment is named with its amount, due date and reason', () => {
  const cycles = [cycle(0), cycle(1, { status: 'dunning', attempts: [refused, refused, refused] })];
  expect(unpaidOf({ cycles })).toBe(
    `The €19.99 payment due ${due} is unpaid: the bank declined it 3 times (not enough money).`,
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
])('for the cycle %j, the sentence says why it is unpaid: %s', (last, says) => {
  expect(unpaidOf({ cycles: [cycle(0), last] })).toBe(`The €19.99 payment due ${due} ${says}`);
});

test('a failed cycle is not mentioned once a later one is collected', () => {
  expect(
    unpaidOf({ cycles: [cycle(0, { status: 'failed' }), cycle(1), cycle(2, { status: 'scheduled' })] }),
  ).toBeNull();
});

test('a failed or missed cycle is unpaid until its payment link is paid (rule 15)', () => {
  const linked = (status: 'failed' | 'missed', state: 'open' | 'paid' | 'ended') =>
    unpaidOf({ cycles: [cycle(1, { status, paymentLink: { paymentId: 'pay_link', state, createdAt: at(14) } })] });
  expect([linked('failed', 'paid'), linked('missed', 'paid')]).toEqual([null, null]);
  expect(linked('failed', 'open')).toMatch(/is unpaid/);
  expect(linked('missed', 'ended')).toMatch(/was missed/);
});
