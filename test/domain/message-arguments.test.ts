import { faultIn } from '../../src/contract/arguments';
import { CAPTURE } from '../../src/contract/payments';

/** What people can send to a workflow, and what is said of it. */

const ORDER = {
  orderId: 'o',
  paymentId: 'p',
  amount: { value: 1999, currency: 'EUR' },
  finalCapture: true,
  orderedAt: 0,
  captureBy: 1,
  transit: 0,
};

test('what dueday sends is taken', () => {
  expect(faultIn(CAPTURE, ORDER)).toBeNull();
});

test.each<[unknown, string]>([
  [undefined, 'update capture takes an object; got nothing'],
  [[], 'update capture takes an object; got []'],
  [{}, 'update capture: orderId must be a text; got nothing'],
  [{ ...ORDER, finalCapture: 'yes' }, 'update capture: finalCapture must be true or false; got "yes"'],
  [
    { ...ORDER, amount: { value: 1, currency: 'USD' } },
    'update capture: amount must be an amount such as {"value":1999,"currency":"EUR"}; got {"value":1,"currency":"USD"}',
  ],
  [
    { ...ORDER, captureBy: 253_402_300_800_000 },
    'update capture: captureBy must be an instant in epoch milliseconds from 0 to 253402300799999; got 253402300800000',
  ],
])('%#: anything else is refused with the field, the expectation and the value', (argument, fault) => {
  expect(faultIn(CAPTURE, argument)).toBe(fault);
});

test('a long value is shown by its beginning', () => {
  expect(faultIn(CAPTURE, 'x'.repeat(1000))?.length).toBeLessThan(150);
});
