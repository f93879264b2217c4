import { DAY } from '../../../domain/time';
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

function plus(week: Day, { due, postponed = 0, openRetries, hoursToCollect }: Day): Day {
  const postponedOfWeek = postponed + (week.postponed ?? 0);
  return {
    ...week,
    ...(postponedOfWeek === 0 ? {} : { postponed: postponedOfWeek }),
    due: {
      count: week.due.count + due.count,
      amount: { ...due.amount, value: week.due.amount.value + due.amount.value },
    },
    openRetries: week.openRetries + openRetries,
    hoursToCollect: hoursToCollect === null ? null : Math.max(week.hoursToCollect ?? 0, hoursToCollect),
  };
}

/** @param day `YYYY-MM-DD` */
function mondayOf(day: string): string {
  const at = Date.parse(day);
  const sinceMonday = (new Date(at).getUTCDay() + 6) % 7;
  return new Date(at - sinceMonday * DAY).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
