import fc from 'fast-check';
import { extentOf } from '../../src/console/parts/extent';

const blocksOf = (heights: readonly number[]) => ({
  count: heights.length,
  heightOf: (block: number) => heights[block] ?? NaN,
});
const sumOf = (heights: readonly number[]) => heights.reduce((sum, height) => sum + height, 0);
const FOUR = blocksOf([100, 200, 50, 100]);

test('a block that only touches the visible range is not rendered', () => {
  expect(extentOf(FOUR, 100, 300)).toEqual({ first: 1, last: 2, before: 100, after: 150 });
  expect(extentOf(FOUR, 99, 301)).toEqual({ first: 0, last: 3, before: 0, after: 100 });
});

test('if the visible range is above the list, the first block is rendered, and if it is below, the last block', () => {
  expect(extentOf(FOUR, -900, -100)).toEqual({ first: 0, last: 1, before: 0, after: 350 });
  expect(extentOf(FOUR, 900, 1_700)).toEqual({ first: 3, last: 4, before: 350, after: 0 });
});

test('a list without blocks has no height', () => {
  expect(extentOf(blocksOf([]), 0, 500)).toEqual({ first: 0, last: 0, before: 0, after: 0 });
});

test('blocks and gaps take up the height of the whole list, and no gap is visible', () => {
  const heights = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(heights, fc.integer({ min: -2_000, max: 50_000 }), fc.nat(3_000), (all, from, room) => {
      const { first, last, before, after } = extentOf(blocksOf(all), from, from + room);
      const whole = sumOf(all);
      expect(before + sumOf(all.slice(first, last)) + after).toBe(whole);
      expect(last).toBeGreaterThan(first);
      if (from < whole) expect(before).toBeLessThanOrEqual(Math.max(0, from));
      if (from + room > 0) expect(whole - after).toBeGreaterThanOrEqual(Math.min(whole, from + room));
    }),
  );
});
