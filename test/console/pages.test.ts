import { pagesNear, startsAfter, withKeys } from '../../src/console/views/common/pages';

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

describe('keys of entries', () => {
  const at = (minute: number, data: object = {}) => ({
    at: `2027-01-31T12:0${minute}:00.000Z`,
    type: 'notice.queued',
    data,
  });

  const keysOf = (entries: readonly object[]) => withKeys(entries).map(([key]) => key);

  test('entries stay in order, each with a key of its own, also where they say the same', () => {
    const entries = [at(2), at(1), at(1), at(1, { cycle: 1 })];
    expect(withKeys(entries).map(([, entry]) => entry)).toEqual(entries);
    expect(new Set(keysOf(entries)).size).toBe(4);
  });

  test('newer entries on top leave the keys of those below, also where they say the same', () => {
    const before = [at(1), at(1), at(0)];
    for (const newer of [[at(2)], [at(1)], [at(1), at(1)]]) {
      expect(keysOf([...newer, ...before]).slice(newer.length)).toEqual(keysOf(before));
    }
  });

  test('what is no longer on the page leaves the keys of the others', () => {
    const entries = [at(2), at(1), at(0)];
    expect(keysOf(entries.slice(0, 2))).toEqual(keysOf(entries).slice(0, 2));
  });
});
