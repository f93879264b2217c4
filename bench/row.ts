import { percentile } from '../test/storm/measure';

/** What a ratio must be. */
export interface Target {
  readonly name: string;
  readonly relation: 'at least' | 'at most' | 'exactly';
  readonly value: number;
}

export function atMost(name: string, value: number): Target {
  return { name, relation: 'at most', value };
}

/** The measurements for one target: in each pair a value of dueday (`subject`) and one of what it is compared with. */
export interface Outcome {
  readonly target: Target;
  readonly unit: string;
  readonly subject: readonly number[];
  readonly reference: readonly number[];
}

export interface RowOrder {
  /** How many of the things that {@link Row.counts} names. */
  readonly size: number;
  readonly pairs: number;
  say(this: void, line: string): void;
}

export interface RowResult {
  readonly outcomes: readonly Outcome[];
  /** Settings of the processes, and figures without a target; printed with the results. */
  readonly settings: Readonly<Record<string, string | number>>;
}

/** One benchmark: a comparison, or a measurement against a fixed limit. */
export interface Row {
  /** What is compared with what, for the report. */
  readonly about: string;
  /** Which Temporal it runs on; the in-memory development server if not given. */
  readonly temporal?: string;
  /** What `size` counts. */
  readonly counts: string;
  readonly size: number;
  readonly pairs: number;
  run(this: void, order: RowOrder): Promise<RowResult>;
}

export function ratiosOf({ subject, reference }: Outcome): readonly number[] {
  return subject.map((value, index) => value / (reference[index] ?? NaN));
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Whether the median of the pairs' ratios meets the target. */
export function holds(outcome: Outcome): boolean {
  const ratio = median(ratiosOf(outcome));
  const { relation, value } = outcome.target;
  switch (relation) {
    case 'at least':
      return ratio >= value;
    case 'at most':
      return ratio <= value;
    case 'exactly':
      return ratio === value;
  }
}

const SIGNS = { 'at least': '≥', 'at most': '≤', exactly: '=' } as const;

export function describeTarget({ relation, value }: Target): string {
  return `${SIGNS[relation]} ${value.toFixed(2)}`;
}

/** Such as `cycle: ratio 0.91 (target ≥ 0.90)`. */
export function verdict(name: string, outcome: Outcome): string {
  return `${name}: ratio ${median(ratiosOf(outcome)).toFixed(2)} (target ${describeTarget(outcome.target)})`;
}

export interface Pairs<T> {
  readonly subject: readonly T[];
  readonly reference: readonly T[];
}

/** Measures both alternately, and swaps their order from pair to pair, so that drift of the machine affects both alike. */
export async function interleave<T>(
  { pairs, say }: RowOrder,
  subject: (pair: number) => Promise<T>,
  reference: (pair: number) => Promise<T>,
): Promise<Pairs<T>> {
  const measured: { subject: T[]; reference: T[] } = { subject: [], reference: [] };
  for (let pair = 0; pair < pairs; pair += 1) {
    const first = pair % 2 === 0 ? ('reference' as const) : ('subject' as const);
    for (const who of [first, first === 'subject' ? ('reference' as const) : ('subject' as const)]) {
      const value = await (who === 'subject' ? subject(pair) : reference(pair));
      measured[who].push(value);
      say(`pair ${pair + 1} of ${pairs}, ${who}: ${JSON.stringify(value, rounded)}`);
    }
  }
  return measured;
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value;
}

/** Picks the values for one target from measurements that serve several. */
export function outcomeOf<T>(measured: Pairs<T>, target: Target, unit: string, value: (each: T) => number): Outcome {
  return { target, unit, subject: measured.subject.map(value), reference: measured.reference.map(value) };
}
