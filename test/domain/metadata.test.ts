import { replaceMetadata } from '../../src/domain/metadata';

describe('replacing metadata', () => {
  test.each([
    [{}, {}],
    [
      { a: '1', b: '2' },
      { b: '2', a: '1' },
    ],
  ])('%j by %j is no change', (was, is) => {
    expect(replaceMetadata(was, is)).toBeNull();
  });

  test('a change of metadata names the added, removed and changed keys in alphabetical order', () => {
    const was = { went: '1', same: '2', other: '3' };
    const is = { same: '2', other: '4', came: '5' };
    expect(replaceMetadata(was, is)).toEqual({ keys: ['came', 'other', 'went'], was, is });
  });

  test('an empty value counts as a value', () => {
    expect(replaceMetadata({}, { a: '' })?.keys).toEqual(['a']);
    expect(replaceMetadata({ a: '' }, {})?.keys).toEqual(['a']);
  });

  test('a metadata key may have the name of an inherited property', () => {
    expect(replaceMetadata({}, { constructor: '1' })?.keys).toEqual(['constructor']);
  });
});
