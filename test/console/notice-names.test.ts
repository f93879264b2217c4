import { nameOfNotice } from '../../src/console/format';

test.each([
  ['payment.failed', 'A payment failed'],
  ['cycle.missed', 'A cycle was missed'],
  ['payment.some_new_type', 'payment some new type'],
])('the notice %s is named “%s”', (type, name) => {
  expect(nameOfNotice(type)).toBe(name);
});
