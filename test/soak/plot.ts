/** A line chart as SVG, without a library: time in hours to the right, one line for each name. */

export interface Line {
  readonly name: string;
  /** The hour and the value; null if nothing was measured. */
  readonly points: readonly (readonly [hours: number, value: number | null])[];
}

export interface Chart {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly Line[];
}

const [WIDTH, HEIGHT] = [960, 420];
const FRAME = { left: 80, right: 240, top: 48, bottom: 44 };
/** Colours that colour-blind people can distinguish, too. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#000000', '#7f7f7f'];
const DASHES = ['', '8 4', '2 4', '12 4 2 4'];
const TICKS = 5;

export function drawChart({ title, unit, lines }: Chart): string {
  const points = lines.flatMap((line) => line.points);
  const [hours, top] = [
    ceiling(Math.max(0, ...points.map(([at]) => at))),
    ceiling(Math.max(0, ...points.map(([, value]) => value ?? 0))),
  ];
  const inner = { width: WIDTH - FRAME.left - FRAME.right, height: HEIGHT - FRAME.top - FRAME.bottom };
  const x = (at: number) => round(FRAME.left + (at / hours) * inner.width);
  const y = (value: number) => round(FRAME.top + inner.height * (1 - value / top));
  const ticks = Array.from({ length: TICKS + 1 }, (_, n) => n / TICKS);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    `<text x="${FRAME.left}" y="24" font-size="15">${escaped(title)}, ${escaped(unit)}</text>`,
    ...ticks.flatMap((share) => [
      `<path d="M${FRAME.left} ${y(share * top)}h${inner.width}" stroke="#dddddd"/>`,
      `<text x="${FRAME.left - 8}" y="${y(share * top) + 4}" text-anchor="end">${round(share * top)}</text>`,
      `<text x="${x(share * hours)}" y="${HEIGHT - 20}" text-anchor="middle">${round(share * hours)} h</text>`,
    ]),
    ...lines.flatMap((line, n) => drawLine(line, n, x, y)),
    '</svg>',
    '',
  ].join('\n');
}

function drawLine({ name, points }: Line, n: number, x: Scale, y: Scale): readonly string[] {
  const style = `stroke="${COLOURS[n % COLOURS.length]}" stroke-dasharray="${DASHES[Math.floor(n / COLOURS.length) % DASHES.length]}" stroke-width="1.5"`;
  let isDown = false;
  const path = points.map(([at, value]) => {
    if (value === null) {
      isDown = false;
      return '';
    }
    const step = `${isDown ? 'L' : 'M'}${x(at)} ${y(value)}`;
    isDown = true;
    return step;
  });
  const [left, top] = [WIDTH - FRAME.right + 16, FRAME.top + 8 + n * 18];
  return [
    `<path d="${path.join('')}" fill="none" ${style}/>`,
    `<path d="M${left} ${top}h24" ${style}/>`,
    `<text x="${left + 32}" y="${top + 4}">${escaped(name)}</text>`,
  ];
}

type Scale = (value: number) => number;

/** The next of 1, 2, 2.5, 5 and 10 of its magnitude. */
function ceiling(value: number): number {
  if (value <= 0) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 2, 2.5, 5, 10].map((step) => step * magnitude);
  return steps.find((step) => step >= value) ?? value;
}

const round = (value: number) => Math.round(value * 100) / 100;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
