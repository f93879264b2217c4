import fc from 'fast-check';
import { comparedUntil, coverPeriod } from '../../src/domain/coverage';

const run = (from: number, to: number, startedAt: number) => ({ period: { from, to }, startedAt });
const ASKED = { from: 10, to: 20 };

test('one comparison of the whole period covers the period completely', () => {
  const whole = run(0, 30, 25);
  const coverage = coverPeriod(ASKED, [whole]);
  expect(coverage).toEqual({ parts: [{ period: ASKED, by: whole }], gaps: [] });
  expect(comparedUntil(coverage)).toBe(25);
});

test('a period without comparisons is a gap, even if one comparison ends at its start and another starts at its end', () => {
  for (const runs of [[], [run(0, 10, 9), run(20, 30, 29)]]) {
    const coverage = coverPeriod(ASKED, runs);
    expect(coverage).toEqual({ parts: [], gaps: [ASKED] });
    expect(comparedUntil(coverage)).toBeNull();
  }
});

test('the newest comparison covers its part of the period, older ones cover the rest, and the oldest determines until when all is compared', () => {
  const [newest, older, oldest] = [run(12, 15, 40), run(0, 18, 30), run(0, 30, 20)];
  const coverage = coverPeriod(ASKED, [newest, older, oldest]);
  expect(coverage.parts).toEqual([
    { period: { from: 10, to: 12 }, by: older },
    { period: { from: 12, to: 15 }, by: newest },
    { period: { from: 15, to: 18 }, by: older },
    { period: { from: 18, to: 20 }, by: oldest },
  ]);
  expect(comparedUntil(coverage)).toBe(20);
});

test('a millisecond without a comparison is a gap', () => {
  const coverage = coverPeriod(ASKED, [run(10, 15, 40), run(16, 20, 40)]);
  expect(coverage.gaps).toEqual([{ from: 15, to: 16 }]);
  expect(comparedUntil(coverage)).toBeNull();
});

const periods = fc
  .tuple(fc.nat(40), fc.integer({ min: 1, max: 40 }))
  .map(([from, length]) => ({ from, to: from + length }));
const runs = fc.array(
  fc.tuple(periods, fc.nat(100)).map(([period, startedAt]) => ({ period, startedAt })),
  { maxLength: 8 },
);

test('each instant is covered by the newest comparison that includes it, or lies in a gap', () => {
  fc.assert(
    fc.property(periods, runs, (period, newestFirst) => {
      const { parts, gaps } = coverPeriod(period, newestFirst);
      for (let at = period.from; at < period.to; at += 1) {
        const holds = (within: { from: number; to: number }) => at >= within.from && at < within.to;
        const first = newestFirst.find((each) => holds(each.period));
        const telling = parts.filter((part) => holds(part.period)).map(({ by }) => by);
        expect(telling).toEqual(first === undefined ? [] : [first]);
        expect(gaps.filter(holds)).toHaveLength(first === undefined ? 1 : 0);
      }
      const edges = [...parts.map((part) => part.period), ...gaps].sort((one, other) => one.from - other.from);
      expect([edges[0]?.from, edges.at(-1)?.to]).toEqual([period.from, period.to]);
    }),
  );
});
