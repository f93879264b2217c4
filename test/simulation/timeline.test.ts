import fc from 'fast-check';
import { drawTimeline } from '../../src/simulation/report/timeline';
import { collectionWindow, REPETITIONS } from '../../src/domain/subscription/schedule';
import { DAY } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { LifeRecord } from '../../src/simulation/life-record';
import { FIRST, refusedCycle, sampleLife, sampleTerms, uncollectedCycle } from './life-samples';

interface Words {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/** The minimum width of a letter in the drawing's font. */
const LETTER = 5.2;

/** The texts of each row of the drawing with their positions. */
function wordsByRow(svg: string): Words[][] {
  const rows = svg.split(/<g transform="translate\(0 [\d.]+\)">/).slice(1);
  return rows.map((row) =>
    [...row.matchAll(/<text([^>]*)>(.*?)<\/text>/g)].map(([, attributes = '', content = '']) => {
      const read = (name: string) => Number(new RegExp(` ${name}="([-\\d.]+)"`).exec(attributes)?.[1]);
      const text = content.replace(/<[^>]*>/g, '');
      const width = text.length * LETTER;
      const left = attributes.includes('text-anchor="end"') ? read('x') - width : read('x');
      return { text, left, right: left + width, y: read('y') };
    }),
  );
}

function overlaps(row: readonly Words[]): string[] {
  return row.flatMap((one, index) =>
    row
      .slice(index + 1)
      .filter((other) => Math.abs(one.y - other.y) < 8 && one.left < other.right && other.left < one.right)
      .map((other) => `${one.text} and ${other.text}`),
  );
}

/** The names of unclosed elements; fails if elements are closed in the wrong order. */
function unclosed(svg: string): string[] {
  const open: string[] = [];
  for (const [, closing, name, selfClosed] of svg.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/gi)) {
    if (closing === '/') expect(open.pop()).toBe(name);
    else if (selfClosed !== '/') open.push(name ?? '');
  }
  return open;
}

const terms = sampleTerms('WEEKLY');
const busy: LifeRecord = {
  ...sampleLife('WEEKLY', 0),
  cycles: [
    ...Array.from({ length: 8 }, (_, cycle) => refusedCycle(terms, cycle)),
    uncollectedCycle(terms, 8, 'missed', 'window_closed'),
    uncollectedCycle(terms, 9, 'skipped', 'paused'),
  ],
  cancelled: { at: FIRST + 70 * DAY, by: 'payer' },
  pauses: [{ from: FIRST + 60 * DAY, until: FIRST + 65 * DAY }],
  notices: [{ at: FIRST + 60 * DAY, type: 'subscription.paused', cycle: null, attempt: null }],
};

it("the simulation's drawing is well-formed and has a text description", () => {
  const svg = drawTimeline(busy);
  expect(unclosed(svg)).toEqual([]);
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  expect(svg).toContain('role="img" aria-labelledby="dueday-title dueday-desc"');
  expect(svg).toContain('<title id="dueday-title">19.99 EUR weekly, first due 2027-01-31 09:00 UTC</title>');
  expect(svg).toMatch(/<desc id="dueday-desc">[^<]*8 failed, 1 skipped, 1 missed/);
});

it("the simulation's drawing follows the reader's light or dark mode, and loads nothing external", () => {
  const svg = drawTimeline(busy);
  expect(svg).toContain('@media (prefers-color-scheme:dark)');
  expect(svg).toContain('fill:currentColor');
  expect(svg).not.toMatch(/(href|@import|src)=/);
});

it("the simulation's drawing draws every due date, attempt, notice and pause", () => {
  const svg = drawTimeline(busy);
  const drawn = (pattern: RegExp) => (svg.split('<text class="muted" x="76"')[0]?.match(pattern) ?? []).length;
  expect(drawn(/class="window /g)).toBe(10 + 1);
  const rows = svg.slice(svg.indexOf('translate(0 58)'), svg.lastIndexOf('</g>'));
  expect(rows.match(/class="bad-line"/g)).toHaveLength(8 * 4);
  expect(rows.match(/class="info-line"/g)).toHaveLength(8 * 4 + 1);
  expect(rows.match(/class="pause"/g)).toHaveLength(1);
  expect(rows).toContain('cancelled by the payer');
});

it("the simulation's drawing gives each half-year of weeks and each year of months its own row", () => {
  const years = (life: LifeRecord) =>
    wordsByRow(drawTimeline(life)).map((row) => row.find(({ text }) => /^20\d\d/.test(text))?.text);
  expect(years(sampleLife('WEEKLY', 60))).toEqual(['2027', '2027', '2028']);
  expect(years(sampleLife('MONTHLY', 24))).toEqual(['2027', '2028']);
  expect(years(sampleLife('QUARTERLY', 9))).toEqual(['2027–28', '2029–30']);
  expect(years(sampleLife('YEARLY', 6))).toEqual(['2027–31', '2032–36']);
});

it("the simulation's drawing never lets labels overlap, whatever the amounts and outcomes", () => {
  const change = fc.record({ cycle: fc.integer({ min: 1, max: 59 }), cents: fc.integer({ min: 1, max: 99_999_999 }) });
  const lives = fc.record({
    repetition: fc.constantFrom(...REPETITIONS),
    cycles: fc.integer({ min: 1, max: 60 }),
    changes: fc.uniqueArray(change, { maxLength: 20, selector: ({ cycle }) => cycle }),
    refused: fc.boolean(),
  });
  fc.assert(
    fc.property(lives, ({ repetition, cycles, changes, refused }) => {
      const life = sampleLife(repetition, cycles);
      const amounts = changes
        .filter(({ cycle }) => cycle < cycles)
        .sort((a, b) => a.cycle - b.cycle)
        .map(({ cycle, cents }) => ({ cycle, dueAt: collectionWindow(life.terms, cycle).dueAt, amount: euros(cents) }));
      const failing = refused ? life.cycles.map(({ cycle }) => refusedCycle(life.terms, cycle)) : life.cycles;
      const svg = drawTimeline({ ...life, cycles: failing, amounts: [...life.amounts, ...amounts] });
      expect(wordsByRow(svg).flatMap(overlaps)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
