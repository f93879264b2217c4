import { pagesNear, startsAfter, wholePages, withKeys } from '../../src/console/views/common/pages';

const read = (...pages: readonly (readonly [index: number, nextCursor: string | null])[]) =>
  new Map(pages.map(([index, nextCursor]) => [index, { nextCursor }]));

describe('pagesNear', () => {
  test('the first page is loaded at first, then also the one after the visible rows', () => {
    expect(pagesNear([0, 0], 1)).toEqual([0]);
    expect(pagesNear([0, 40], 2)).toEqual([0, 1]);
  });

  test('in the middle of a list, the visible pages and the next one are loaded', () => {
    expect(pagesNear([180, 260], 90)).toEqual([3, 4, 5, 6]);
  });

  test('at the end of the list, no unknown page is loaded', () => {
    expect(pagesNear([450, 500], 10)).toEqual([9]);
    expect(pagesNear([450, 500], 4)).toEqual([3]);
  });
});

describe('wholePages', () => {
  test('visible rows are extended to all rows of the pages that contain them', () => {
    expect(wholePages([49, 51], [0, 0])).toEqual([0, 100]);
    expect(wholePages([50, 100], [0, 0])).toEqual([50, 100]);
  });

  test('scrolling within the same pages returns the previous rows, so that nothing is rendered again', () => {
    const before = [0, 100] as const;
    expect(wholePages([1, 99], before)).toBe(before);
    expect(wholePages([1, 101], before)).toEqual([0, 150]);
  });
});

describe('startsAfter', () => {
  test('each loaded page gives the cursor of the next one', () => {
    expect(startsAfter([undefined], read([0, 'b']))).toEqual([undefined, 'b']);
    expect(startsAfter([undefined, 'b'], read([0, 'b'], [1, 'c']))).toEqual([undefined, 'b', 'c']);
  });

  test('unchanged cursors are the same array, so that nothing is rendered again', () => {
    const starts = [undefined, 'b', 'c'];
    expect(startsAfter(starts, read([0, 'b'], [1, 'c'], [2, null]))).toBe(starts);
    expect(startsAfter(starts, new Map([[1, undefined]]))).toBe(starts);
  });

  test('after new rows at the top, a page starts at the end of the page before it', () => {
    expect(startsAfter([undefined, 'b', 'c'], read([0, 'a'], [1, 'c']))).toEqual([undefined, 'a', 'c']);
  });

  test('pages after a page without a next cursor are dropped', () => {
    expect(startsAfter([undefined, 'b', 'c', 'd'], read([1, null]))).toEqual([undefined, 'b']);
  });
});

describe('withKeys', () => {
  const at = (minute: number, data: object = {}) => ({
    at: `2027-01-31T12:0${minute}:00.000Z`,
    type: 'notice.queued',
    data,
  });

  const keysOf = (entries: readonly object[]) => withKeys(entries).map(([key]) => key);

  test('entries keep their order, and equal entries get different keys', () => {
    const entries = [at(2), at(1), at(1), at(1, { cycle: 1 })];
    expect(withKeys(entries).map(([, entry]) => entry)).toEqual(entries);
    expect(new Set(keysOf(entries)).size).toBe(4);
  });

  test('newer entries do not change the keys of older ones, even of equal ones', () => {
    const before = [at(1), at(1), at(0)];
    for (const newer of [[at(2)], [at(1)], [at(1), at(1)]]) {
      expect(keysOf([...newer, ...before]).slice(newer.length)).toEqual(keysOf(before));
    }
  });

  test('removing older entries does not change the keys of the others', () => {
    const entries = [at(2), at(1), at(0)];
    expect(keysOf(entries.slice(0, 2))).toEqual(keysOf(entries).slice(0, 2));
  });
});
