import type { VNode } from 'preact';

export interface Segment {
  /** Suffix of a class of the stylesheet, such as `bar-good`. */
  readonly tone: 'good' | 'moving' | 'bad' | 'coming';
  readonly value: number;
}

export interface Bar {
  readonly key: string;
  /** Tooltip of the bar. */
  readonly title: string;
  /** The segments of the bar, from the bottom up. */
  readonly segments: readonly Segment[];
}

interface StackedBarsProps {
  /** What the chart shows, for screen readers. */
  readonly label: string;
  readonly bars: readonly Bar[];
  /** Key of the bar for the present day or hour. */
  readonly current: string;
  /** A value to draw a line at. */
  readonly limit?: number;
}

const HEIGHT = 100;
const WIDTH = 10;
const GAP = 2;

/** Bars of equal width that fill the page, scaled so that the highest bar and the limit fit. */
export function StackedBars({ label, bars, current, limit }: StackedBarsProps): VNode {
  const most = Math.max(1, limit ?? 0, ...bars.map(totalOf));
  const width = bars.length * WIDTH;
  return (
    <svg
      class="stacked-bars"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      {bars.map((bar, index) => (
        <g key={bar.key} class={bar.key === current ? 'is-current' : undefined}>
          <title>{bar.title}</title>
          <rect class="bar-ground" x={index * WIDTH} y={0} width={WIDTH} height={HEIGHT} />
          {rectsOf(bar.segments, most).map(({ tone, y, height }) => (
            <rect
              key={tone}
              class={`bar-${tone}`}
              x={index * WIDTH + GAP / 2}
              y={y}
              width={WIDTH - GAP}
              height={height}
            />
          ))}
        </g>
      ))}
      {limit === undefined ? null : (
        <line
          class="bar-limit"
          x1={0}
          x2={width}
          y1={HEIGHT - (HEIGHT * limit) / most}
          y2={HEIGHT - (HEIGHT * limit) / most}
        />
      )}
    </svg>
  );
}

function totalOf({ segments }: Bar): number {
  return segments.reduce((sum, { value }) => sum + value, 0);
}

/** @param most the value of the full height @returns the position of each segment, in the units of the drawing */
function rectsOf(segments: readonly Segment[], most: number) {
  let below = 0;
  return segments.map(({ tone, value }) => {
    const height = (HEIGHT * value) / most;
    below += height;
    return { tone, height, y: HEIGHT - below };
  });
}
