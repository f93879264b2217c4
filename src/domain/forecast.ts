import { type Calendar, dueAt, firstCycleFrom } from './due-dates';
import { addExactly, type Figure } from './figure';
import { DAY, type Instant } from './instant';
import { euros, type Money } from './money';
import type { PendingChange } from './subscription';
import { daysOf, type Span, startOfDay } from './span';

/** What of a subscription says when it falls due next and at what amount. */
export interface Expected extends Calendar {
  readonly status: 'active' | 'paused';
  /** The first due date that has not been tried. */
  readonly nextDueAt: Instant;
  /** The end of a pause; null where nobody has said when, or it is not paused. */
  readonly pausedUntil: Instant | null;
  /** What the next cycle collects. */
  readonly amount: Money;
  /** A change of amount to come. */
  readonly pendingChange: Pick<PendingChange, 'amount' | 'effectiveAt'> | null;
  /** Due dates to come that a person has skipped. */
  readonly skipped: readonly Instant[];
}

export interface ForecastDay extends Figure {
  /** The beginning of the UTC day. */
  readonly day: Instant;
}

/**
 * The due dates in the span that are still to be collected: from `nextDueAt` on, and of a paused subscription from the
 * end of its pause on, a due date equal to it too (decisions 23). None where the pause has no end.
 */
export function dueDatesWithin(expected: Expected, span: Span): Instant[] {
  const { nextDueAt, status, pausedUntil, endAt, skipped } = expected;
  const resumedAt = status === 'paused' ? (pausedUntil ?? Infinity) : -Infinity;
  const from = Math.max(span.from, nextDueAt, resumedAt);
  const to = Math.min(span.to, endAt ?? Infinity);
  const dates: Instant[] = [];
  if (from >= to) return dates;
  for (let cycle = firstCycleFrom(expected, from); ; cycle += 1) {
    const due = dueAt(expected, cycle);
    if (due >= to) return dates;
    if (!skipped.includes(due)) dates.push(due);
  }
}

/** What a cycle due then collects, as far as is known today. */
export function amountDue({ amount, pendingChange }: Pick<Expected, 'amount' | 'pendingChange'>, due: Instant): Money {
  return pendingChange !== null && pendingChange.effectiveAt <= due ? pendingChange.amount : amount;
}

/** Sums up what falls due a day, one subscription after the other: as large as the span, however many there are. */
export class Forecast {
  private readonly sums: readonly { readonly day: Instant; cents: number; count: number }[];

  constructor(private readonly span: Span) {
    this.sums = daysOf(span).map((day) => ({ day, cents: 0, count: 0 }));
  }

  /** @throws RangeError where a sum has no exact number. */
  add(expected: Expected): void {
    const firstDay = startOfDay(this.span.from);
    for (const due of dueDatesWithin(expected, this.span)) {
      const sum = this.sums[Math.floor((due - firstDay) / DAY)];
      if (sum === undefined) throw new RangeError(`a due date of ${due} ms is in no day of the span`);
      sum.cents = addExactly(sum.cents, amountDue(expected, due).value);
      sum.count += 1;
    }
  }

  /** Every day of the span in order. */
  days(): ForecastDay[] {
    return this.sums.map(({ day, cents, count }) => ({ day, amount: euros(cents), count }));
  }
}
