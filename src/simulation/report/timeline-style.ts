import { element, textElement, drawMark, drawNotice } from './timeline-marks';

/** The colours have enough contrast on white and on near-black. */
const COLOURS = `
.dueday{color:#1f2328;--muted:#59636e;--line:#d1d9e0;--ok:#1a7f37;--bad:#cf222e;--warn:#9a6700;--info:#0969da;--pause:#6e7781}
@media (prefers-color-scheme:dark){.dueday{color:#e6edf3;--muted:#9198a1;--line:#3d444d;--ok:#3fb950;--bad:#f85149;--warn:#d29922;--info:#4493f8;--pause:#8b949e}}
`;

/** Everything except the colours, which the page that shows the drawing may set. */
export const RULES = `
.dueday text{fill:currentColor;font:10px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif}
.dueday .heading{font-size:15px;font-weight:600}
.dueday .year{font-size:13px;font-weight:600}
.dueday .sum{font-size:12px}
.dueday .muted{fill:var(--muted)}
.dueday .sign-bad{fill:var(--bad);font-weight:700}
.dueday .sign-warn{fill:var(--warn);font-weight:700}
.dueday .axis{stroke:var(--line);fill:none}
.dueday .due{stroke:currentColor;stroke-width:1.2}
.dueday .ok{fill:var(--ok)}
.dueday .window{fill-opacity:.32;stroke-width:.8}
.dueday .window.ok{fill:var(--ok);stroke:var(--ok)}
.dueday .window.bad{fill:var(--bad);stroke:var(--bad)}
.dueday .window.warn{fill:var(--warn);stroke:var(--warn)}
.dueday .window.skip{fill:none;stroke:var(--muted);stroke-dasharray:2 1.5}
.dueday .bad-line{fill:none;stroke:var(--bad);stroke-width:1.4}
.dueday .warn-line{fill:none;stroke:var(--warn);stroke-width:1.4}
.dueday .faint-line{fill:none;stroke:var(--muted);stroke-width:1.2;stroke-dasharray:1.5 1.5}
.dueday .info-line{fill:none;stroke:var(--info);stroke-width:1;stroke-linejoin:round}
.dueday .amount{stroke:var(--muted);fill:none}
.dueday .window.coming{fill:none;stroke:var(--muted)}
.dueday .now{stroke:var(--info);stroke-width:1.4}
.dueday .end{stroke:var(--bad);stroke-width:1.4;stroke-dasharray:4 2}
.dueday .pause{fill:url(#dueday-hatch)}
.dueday .hatch{stroke:var(--pause);stroke-width:1.2;stroke-opacity:.5}
`;

export const STYLE = `${COLOURS.trimEnd()}${RULES}`;

export const HATCH = element(
  'pattern',
  { id: 'dueday-hatch', width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
  element('line', { class: 'hatch', x1: 0, y1: 0, x2: 0, y2: 6 }),
);

export const LEGEND_HEIGHT = 34;

interface Entry {
  readonly text: string;
  /** Draws the sign, with its middle at `y` and its left edge at `x`. */
  readonly draw: (x: number, y: number) => string;
}

const SIGN = 18;
const LETTER_WIDTH = 5.3;
const GAP = 18;

const ENTRIES: readonly Entry[] = [
  {
    text: 'due date and its collection window',
    draw: (x, y) =>
      element('rect', { class: 'window ok', x: x + 2, y: y - 4, width: 12, height: 8 }) +
      element('line', { class: 'due', x1: x + 2, y1: y - 6, x2: x + 2, y2: y + 6 }),
  },
  { text: 'collected', draw: (x, y) => drawMark('collected', x + 8, y) },
  { text: 'rejected', draw: (x, y) => drawMark('rejected', x + 8, y) },
  { text: 'debit failed', draw: (x, y) => drawMark('capture_failed', x + 8, y) },
  { text: 'not known yet', draw: (x, y) => drawMark('open', x + 8, y) },
  { text: 'never arrived', draw: (x, y) => drawMark('not_sent', x + 8, y) },
  { text: 'notice delivered', draw: (x, y) => drawNotice(x + 4, y) },
  { text: 'paused', draw: (x, y) => element('rect', { class: 'pause', x, y: y - 5, width: 15, height: 10 }) },
];

/** Draws a line with the marks, and one that explains the signs after a cycle's number. */
export function drawLegend(left: number, top: number): string {
  let x = left;
  const signs = ENTRIES.map(({ text, draw }) => {
    const drawn = draw(x, top) + textElement('text', { class: 'muted', x: x + SIGN, y: top + 3.5 }, text);
    x += SIGN + text.length * LETTER_WIDTH + GAP;
    return drawn;
  });
  const numbers =
    'The cycle is below each due date: × failed, – skipped, ! missed, … open. Attempts of a cycle are stacked, the first at the bottom. All times UTC.';
  return signs.join('') + textElement('text', { class: 'muted', x: left, y: top + 22 }, numbers);
}
