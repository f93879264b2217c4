import { DateTime } from 'luxon';
import { dueAt, type Repetition } from '../../src/domain/subscription/schedule';
import { DAY } from '../../src/domain/time';
import { atMost, interleave, outcomeOf, type Row } from '../row';

const ANCHORS = 250;
const MONTHS = { MONTHLY: 1, QUARTERLY: 3, HALF_YEARLY: 6, YEARLY: 12 } as const satisfies Partial<
  Record<Repetition, number>
>;
const REPETITIONS = Object.keys(MONTHS) as (keyof typeof MONTHS)[];

/** Anchors spread over four years, with month ends and a leap day, at uneven times of day. */
function anchorOf(index: number): number {
  return Date.UTC(2027, 0, 1) + ((index * 1461) / ANCHORS) * DAY + index * 61_007;
}

function ours(repetition: keyof typeof MONTHS, firstPaymentAt: number): (cycle: number) => number {
  const calendar = { firstPaymentAt, repetition, endAt: null };
  return (cycle) => dueAt(calendar, cycle);
}

function theirs(repetition: keyof typeof MONTHS, firstPaymentAt: number): (cycle: number) => number {
  const first = DateTime.fromMillis(firstPaymentAt, { zone: 'utc' });
  const months = MONTHS[repetition];
  return (cycle) => first.plus({ months: cycle * months }).toMillis();
}

interface Measured {
  /** Ns per date. */
  readonly each: number;
  readonly dates: Float64Array;
}

function measure(size: number, calendar: (repetition: keyof typeof MONTHS, anchor: number) => ReturnType<typeof ours>) {
  const dates = new Float64Array(size);
  const cycles = Math.ceil(size / (ANCHORS * REPETITIONS.length));
  let made = 0;
  const startedAt = process.hrtime.bigint();
  for (const repetition of REPETITIONS) {
    for (let anchor = 0; anchor < ANCHORS; anchor += 1) {
      const due = calendar(repetition, anchorOf(anchor));
      for (let cycle = 0; cycle < cycles && made < size; cycle += 1) dates[made++] = due(cycle);
    }
  }
  return { each: Number(process.hrtime.bigint() - startedAt) / size, dates };
}

export const dates: Row = {
  about: "Computing the due date of a cycle, compared with luxon's `plus`; both give the same dates",
  counts: 'dates',
  size: 1_000_000,
  pairs: 3,
  async run(order) {
    const all: Measured[] = [];
    const note = async (measured: Measured) => {
      all.push(measured);
      return { ns: measured.each };
    };
    const measured = await interleave(
      order,
      () => note(measure(order.size, ours)),
      () => note(measure(order.size, theirs)),
    );
    const [first, ...others] = all.map((each) => each.dates);
    const differing = others.filter((each) => each.some((date, index) => date !== first?.[index]));
    if (differing.length > 0) throw new Error('the dates are not the same');
    const target = atMost('ns per date', 0.1);
    return { outcomes: [outcomeOf(measured, target, 'ns', ({ ns }) => ns)], settings: { 'dates that differ': 0 } };
  },
};
