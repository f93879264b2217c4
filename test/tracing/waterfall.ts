import { element, textElement } from '../../src/simulation/report/timeline-marks';
import type { StableSpan } from './stable';

const ROW = 18;
const HEADER = 58;
const MARGIN = 10;
/** The horizontal positions of names and bars, and the width. */
const [NAMES, BARS, WIDTH] = [MARGIN, 330, 1000];
const INDENT = 14;

const STYLE = `
.trace{color:#1f2328;--muted:#59636e;--line:#d1d9e0;--work:#8250df;--http:#0969da;--sql:#1a7f37;--bad:#cf222e}
@media (prefers-color-scheme:dark){.trace{color:#e6edf3;--muted:#9198a1;--line:#3d444d;--work:#a371f7;--http:#4493f8;--sql:#3fb950;--bad:#f85149}}
.trace text{fill:currentColor;font:11px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif}
.trace .heading{font-size:15px;font-weight:600}
.trace .muted{fill:var(--muted)}
.trace .row{stroke:var(--line);stroke-width:.5}
.trace .work{fill:var(--work)}
.trace .http{fill:var(--http)}
.trace .sql{fill:var(--sql)}
`;

const KINDS = [
  ['work', 'work of dueday'],
  ['http', 'HTTP call'],
  ['sql', 'SQL statement'],
] as const;

/** The spans of one trace below one another, in SVG: each is a bar from the step of its start to that of its end. */
export function drawWaterfall(heading: string, spans: readonly StableSpan[]): string {
  const last = Math.max(...spans.map(({ end }) => end));
  const x = (step: number) => BARS + ((WIDTH - MARGIN - BARS) * (step - 1)) / (last - 1);
  const height = HEADER + spans.length * ROW + MARGIN;
  const size = { viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height };
  const drawing = element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', class: 'trace', ...size, role: 'img', 'aria-labelledby': 'title desc' },
    textElement('title', { id: 'title' }, heading),
    textElement('desc', { id: 'desc' }, spans.map(({ name }) => name).join(', ')),
    element('style', {}, STYLE),
    textElement('text', { class: 'heading', x: NAMES, y: 22 }, heading),
    drawLegend(),
    ...spans.map((span, row) => drawSpan(span, HEADER + row * ROW, x)),
  );
  return `${drawing}\n`;
}

function drawLegend(): string {
  let x = BARS;
  const signs = KINDS.map(([kind, words]) => {
    const sign =
      element('rect', { class: kind, x, y: 33, width: 12, height: 9, rx: 1.5 }) +
      textElement('text', { class: 'muted', x: x + 17, y: 41 }, words);
    x += 40 + words.length * 6;
    return sign;
  });
  return (
    signs.join('') + textElement('text', { class: 'muted', x: NAMES, y: 41 }, 'in the order of events, not to scale')
  );
}

function drawSpan(span: StableSpan, y: number, x: (step: number) => number): string {
  const [left, right] = [x(span.start), x(span.end)];
  const bar = { x: left, y: y + 4, width: Math.max(2, right - left), height: ROW - 8, rx: 1.5 };
  const outcome = span.attributes['dueday.outcome'] ?? span.attributes['http.response.status_code'];
  const name = typeof outcome === 'string' || typeof outcome === 'number' ? `${span.name} · ${outcome}` : span.name;
  return (
    element('line', { class: 'row', x1: NAMES, y1: y + ROW, x2: WIDTH - MARGIN, y2: y + ROW }) +
    textElement('text', { x: NAMES + span.depth * INDENT, y: y + 13 }, name) +
    element('rect', { class: kindOf(span), ...bar })
  );
}

function kindOf({ attributes }: StableSpan): (typeof KINDS)[number][0] {
  if ('db.system.name' in attributes) return 'sql';
  return 'http.request.method' in attributes ? 'http' : 'work';
}
