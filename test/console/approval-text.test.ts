import { asText } from '../../src/console/format';
import { euros } from './lives';

test.each([
  [euros(1999), '€19.99'],
  [['Do not refund 5.00 EUR again.', 'Late.'], 'Do not refund €5.00 again. Late.'],
  ['a reason', 'a reason'],
  [3, '3'],
  [true, 'true'],
  [{ value: 3 }, '{"value":3}'],
  [null, ''],
  [undefined, ''],
])('a value %j of a request is shown as %s', (value, text) => {
  expect(asText(value)).toBe(text);
});
