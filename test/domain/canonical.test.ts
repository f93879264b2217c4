import fc from 'fast-check';
import { canonical } from '../../src/domain/canonical';

test.each<[unknown, string]>([
  [null, 'null'],
  [undefined, 'nothing'],
  [0, '0'],
  ['nothing', '"nothing"'],
  ['a "b"\n', String.raw`"a \"b\"\n"`],
  [[1, 'a', null, [2]], '[1,"a",null,[2]]'],
  [{ b: 1, a: [true], é: 2, B: { d: 1, c: 2 } }, '{"B":{"c":2,"d":1},"a":[true],"b":1,"é":2}'],
  [{ a: undefined }, '{"a":nothing}'],
  [{}, '{}'],
])('the canonical text of %j is %s', (value, text) => {
  expect(canonical(value)).toBe(text);
});

test('canonical text is JSON, and the value that is read from it has the same canonical text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const read: unknown = JSON.parse(canonical(value));
      expect(read).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonical(read)).toBe(canonical(value));
    }),
  );
});

test('the canonical text does not depend on the order of the fields', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      expect(canonical(Object.fromEntries(Object.entries(value).reverse()))).toBe(canonical(value));
    }),
  );
});
