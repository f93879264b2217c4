import type { VNode } from 'preact';

export interface Segment {
  /** Of a class of the stylesheet: `bar-good` and others. */
  readonly tone: 'good' | 'moving' | 'bad' | 'coming';
  readonly value: number;
}

export interface Bar {
  readonly key: string;
  /** What the bar says, for the pointer. */
  readonly title: string;
  /** From the bottom up. */
  readonly segments: readonly Segment[];
}

interface StackedBarsProps {
  /** What the chart shows; the table behind it says the same. */
  readonly label: string;
  readonly bars: readonly Bar[];
  /** Key of the bar that is marked as the present. */
  readonly current: string;
}

const HEIGHT = 100;
const WIDTH = 10;
const GAP = 2;

/** Bars of one width that fill the page, scaled to the highest. */
export function StackedBars({ label, bars, current }: StackedBarsProps): VNode {
  const most = Math.max(1, ...bars.map(totalOf));
  return (
    <svg
      class="stacked-bars"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${bars.length * WIDTH} ${HEIGHT}`}
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
    </svg>
  );
}

function totalOf({ segments }: Bar): number {
  return segments.reduce((sum, { value }) => sum + value, 0);
}

/** @param most the value of the full height @returns where each part is, in the units of the drawing */
function rectsOf(segments: readonly Segment[], most: number) {
  let below = 0;
  return segments.map(({ tone, value }) => {
    const height = (HEIGHT * value) / most;
    below += height;
    return { tone, height, y: HEIGHT - below };
  });
}
