import { pagesNear, startsAfter } from '../../src/console/views/common/pages';

const read = (...pages: readonly (readonly [index: number, nextCursor: string | null])[]) =>
  new Map(pages.map(([index, nextCursor]) => [index, { nextCursor }]));

describe('which pages are read', () => {
  test('at first the first one, then the one behind what is shown as well', () => {
    expect(pagesNear([0, 0], 1)).toEqual([0]);
    expect(pagesNear([0, 40], 2)).toEqual([0, 1]);
  });

  test('in the middle those that are shown, and the next one', () => {
    expect(pagesNear([180, 260], 90)).toEqual([1, 2, 3]);
  });

  test('at the end none that is not known of', () => {
    expect(pagesNear([950, 1_000], 10)).toEqual([9]);
    expect(pagesNear([950, 1_000], 4)).toEqual([3]);
  });
});

describe('where pages begin', () => {
  test('each page that was read says where the next one begins', () => {
    expect(startsAfter([undefined], read([0, 'b']))).toEqual([undefined, 'b']);
    expect(startsAfter([undefined, 'b'], read([0, 'b'], [1, 'c']))).toEqual([undefined, 'b', 'c']);
  });

  test('what is known is the same list, so that nothing is drawn again', () => {
    const starts = [undefined, 'b', 'c'];
    expect(startsAfter(starts, read([0, 'b'], [1, 'c'], [2, null]))).toBe(starts);
    expect(startsAfter(starts, new Map([[1, undefined]]))).toBe(starts);
  });

  test('new rows on top push the others down: pages join where the one before ends now', () => {
    expect(startsAfter([undefined, 'b', 'c'], read([0, 'a'], [1, 'c']))).toEqual([undefined, 'a', 'c']);
  });

  test('a page that has become the last is the last', () => {
    expect(startsAfter([undefined, 'b', 'c', 'd'], read([1, null]))).toEqual([undefined, 'b']);
  });
});
