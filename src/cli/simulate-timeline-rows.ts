import { addMonths, type Repetition } from '../domain/subscription/schedule';
import type { Instant } from '../domain/time';
import type { CycleStory, LifeRecord } from '../simulation/life-record';

/** A stretch of the calendar on one line of the drawing. */
export interface Row {
  readonly from: Instant;
  readonly to: Instant;
  readonly label: string;
  readonly ticks: readonly Tick[];
  readonly cycles: readonly CycleStory[];
}

export interface Tick {
  readonly at: Instant;
  readonly label: string;
}

/** So that neighbouring due dates stand well apart, and five days can still be seen. */
const MONTHS_PER_ROW: Readonly<Record<Repetition, number>> = {
  WEEKLY: 6,
  MONTHLY: 12,
  QUARTERLY: 24,
  HALF_YEARLY: 24,
  YEARLY: 60,
};
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The rows from the first due date to the last thing that happened, each beginning with a January or a July. */
export function rowsOf(life: LifeRecord): Row[] {
  const months = MONTHS_PER_ROW[life.terms.repetition];
  const last = lastSign(life);
  const rows: Row[] = [];
  for (let from = startOfRow(life.terms.firstPaymentAt, months); from <= last; from = addMonths(from, months)) {
    const to = addMonths(from, months);
    const cycles = life.cycles.filter(({ dueAt }) => from <= dueAt && dueAt < to);
    rows.push({ from, to, label: labelOf(from, months), ticks: ticksOf(from, months), cycles });
  }
  return rows;
}

function lastSign({ terms, cycles, cancelled }: LifeRecord): Instant {
  return Math.max(terms.firstPaymentAt, cycles.at(-1)?.dueAt ?? 0, cancelled?.at ?? 0);
}

function startOfRow(first: Instant, months: number): Instant {
  const date = new Date(first);
  const month = months < 12 ? Math.floor(date.getUTCMonth() / months) * months : 0;
  return Date.UTC(date.getUTCFullYear(), month, 1);
}

function labelOf(from: Instant, months: number): string {
  const year = new Date(from).getUTCFullYear();
  return months <= 12 ? String(year) : `${year}–${String(year + months / 12 - 1).slice(-2)}`;
}

function ticksOf(from: Instant, months: number): Tick[] {
  const step = months <= 12 ? 1 : months <= 24 ? 3 : 12;
  return Array.from({ length: months / step }, (_, index) => {
    const at = addMonths(from, index * step);
    const date = new Date(at);
    const month = MONTHS[date.getUTCMonth()] ?? '';
    const year = date.getUTCFullYear();
    if (step === 12) return { at, label: String(year) };
    return { at, label: months > 12 && month === 'Jan' ? `Jan ${year}` : month };
  });
}
