import { percentile } from '../test/storm/measure';

/** What a ratio is held against. */
export interface Target {
  readonly name: string;
  readonly relation: 'at least' | 'at most' | 'exactly';
  readonly value: number;
}

export function atMost(name: string, value: number): Target {
  return { name, relation: 'at most', value };
}

/** What was measured for one target: pair by pair, dueday and what it is measured beside. */
export interface Outcome {
  readonly target: Target;
  readonly unit: string;
  readonly subject: readonly number[];
  readonly reference: readonly number[];
}

export interface RowOrder {
  /** How many of what the row counts. */
  readonly size: number;
  readonly pairs: number;
  say(this: void, line: string): void;
}

export interface RowResult {
  readonly outcomes: readonly Outcome[];
  /** What the processes ran with. */
  readonly settings: Readonly<Record<string, string | number>>;
}

/** One line of the table of comparisons. */
export interface Row {
  /** What is held against what. */
  readonly about: string;
  /** Which Temporal it runs on; the development server in memory where not given. */
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

/** Whether the median of the pairs' ratios keeps to the target. */
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

/** `cycle: ratio 0.91 (target ≥ 0.90)`. */
export function verdict(name: string, outcome: Outcome): string {
  return `${name}: ratio ${median(ratiosOf(outcome)).toFixed(2)} (target ${describeTarget(outcome.target)})`;
}

export interface Pairs<T> {
  readonly subject: readonly T[];
  readonly reference: readonly T[];
}

/** One after the other, and each pair the other way round: what drifts on the machine drifts for both. */
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

/** One target's values out of what was measured together. */
export function outcomeOf<T>(measured: Pairs<T>, target: Target, unit: string, value: (each: T) => number): Outcome {
  return { target, unit, subject: measured.subject.map(value), reference: measured.reference.map(value) };
}
