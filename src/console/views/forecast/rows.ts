import { DAY } from '../../../domain/time';
import { count, counted } from '../../format';
import type { Forecast } from '../common/schemas';

type Day = Forecast['items'][number];

/** The days of a forecast by week, each under its Monday; the busiest day decides the hours to collect. */
export function weeksOf(days: readonly Day[]): readonly Day[] {
  const weeks = new Map<string, Day>();
  for (const day of days) {
    const monday = mondayOf(day.day);
    const week = weeks.get(monday);
    weeks.set(monday, week === undefined ? { ...day, day: monday } : plus(week, day));
  }
  return [...weeks.values()];
}

function plus(week: Day, { due, postponed = 0, openRetries, overdueRetries = 0, hoursToCollect }: Day): Day {
  const postponedOfWeek = postponed + (week.postponed ?? 0);
  const overdueOfWeek = overdueRetries + (week.overdueRetries ?? 0);
  return {
    ...week,
    ...(postponedOfWeek === 0 ? {} : { postponed: postponedOfWeek }),
    due: {
      count: week.due.count + due.count,
      amount: { ...due.amount, value: week.due.amount.value + due.amount.value },
    },
    openRetries: week.openRetries + openRetries,
    ...(overdueOfWeek === 0 ? {} : { overdueRetries: overdueOfWeek }),
    hoursToCollect: hoursToCollect === null ? null : Math.max(week.hoursToCollect ?? 0, hoursToCollect),
  };
}

/** @param day `YYYY-MM-DD` */
function mondayOf(day: string): string {
  const at = Date.parse(day);
  const sinceMonday = (new Date(at).getUTCDay() + 6) % 7;
  return new Date(at - sinceMonday * DAY).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** The retries of a day, such as `12, of which 3 overdue`: those were planned for a time that has passed. */
export function retriesOf({ openRetries, overdueRetries }: Pick<Day, 'openRetries' | 'overdueRetries'>): string {
  return overdueRetries === undefined
    ? count(openRetries)
    : `${count(openRetries)}, of which ${count(overdueRetries)} overdue`;
}

/** What is overdue on any day, also before the period; null if nothing is. */
export function overdueText({ overdueRetries: n }: Forecast['total']): string | null {
  if (n === undefined) return null;
  const what = n === 1 ? 'is overdue: it was' : 'are overdue: they were';
  return `${counted(n, 'retry', 'retries')} ${what} planned for before now and ${n === 1 ? 'has' : 'have'} not been made. Today says what each waits for.`;
}
