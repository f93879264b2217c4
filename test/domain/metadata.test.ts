import { replaceMetadata } from '../../src/domain/metadata';

describe('metadata that takes the place of what was there', () => {
  test.each([
    [{}, {}],
    [
      { a: '1', b: '2' },
      { b: '2', a: '1' },
    ],
  ])('%j and %j are the same', (was, is) => {
    expect(replaceMetadata(was, is)).toBeNull();
  });

  test('a change of metadata names what came, went, or has another value, in alphabetical order', () => {
    const was = { went: '1', same: '2', other: '3' };
    const is = { same: '2', other: '4', came: '5' };
    expect(replaceMetadata(was, is)).toEqual({ keys: ['came', 'other', 'went'], was, is });
  });

  test('an empty value is one', () => {
    expect(replaceMetadata({}, { a: '' })?.keys).toEqual(['a']);
    expect(replaceMetadata({ a: '' }, {})?.keys).toEqual(['a']);
  });

  test('a key may have the name of something that every object has', () => {
    expect(replaceMetadata({}, { constructor: '1' })?.keys).toEqual(['constructor']);
  });
});
