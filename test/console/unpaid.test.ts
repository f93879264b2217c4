import { day } from '../../src/console/format';
import { unpaidOf } from '../../src/console/views/subscription/unpaid';
import { at, attempt, cycle } from './lives';

const refused = attempt('rejected_retryable', { description: 'not enough money' });
const due = day(at(8));

test('an unpaid payment is named with its amount, its due date and why', () => {
  const cycles = [cycle(0), cycle(1, { status: 'dunning', attempts: [refused, refused, refused] })];
  expect(unpaidOf({ cycles })).toBe(
    `The €19.99 payment due ${due} is unpaid: the bank declined it 3 times (not enough money).`,
  );
});

test.each([
  [cycle(1, { status: 'unresolved' }), 'has no known outcome: it may have been taken or not.'],
  [cycle(1, { status: 'missed' }), 'was missed: it was not tried in time.'],
  [cycle(1, { status: 'failed', attempts: [attempt('rejected')] }), 'is unpaid: the bank declined it once.'],
  [
    cycle(1, { status: 'failed', reason: 'capture_failed', attempts: [attempt('rejected')] }),
    'is unpaid: the bank authorized it, and the debit failed.',
  ],
])('of a cycle that is %j it is said how its money is missing', (last, says) => {
  expect(unpaidOf({ cycles: [cycle(0), last] })).toBe(`The €19.99 payment due ${due} ${says}`);
});

test('nothing is said of a failed cycle once a later one is collected', () => {
  expect(
    unpaidOf({ cycles: [cycle(0, { status: 'failed' }), cycle(1), cycle(2, { status: 'scheduled' })] }),
  ).toBeNull();
});
