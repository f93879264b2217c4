import { counted, day as formatDay, money, utcDay } from '../../format';
import { StackedBars } from '../../parts';
import { DayAxis } from '../common/outcome-bars';
import type { Forecast } from '../common/schemas';
import { retriesOf } from './rows';

interface ChartProps {
  readonly of: Forecast['items'];
}

/** What falls due, by day. */
export function DueBars({ of }: ChartProps) {
  const bars = of.map(({ day, due, openRetries, overdueRetries }) => ({
    key: day,
    title: `${formatDay(day)}: ${money(due.amount)} in ${counted(due.count, 'first attempt')}, retries: ${retriesOf({ openRetries, overdueRetries })}`,
    segments: [{ tone: 'coming', value: due.amount.value }] as const,
  }));
  return (
    <>
      <StackedBars label="Amounts that fall due, by day" bars={bars} current={utcDay()} />
      <DayAxis days={of.map(({ day }) => day)} />
    </>
  );
}

/** What a day's payments take beyond these hours is collected on a later day (rule 42). */
const CAPACITY_HOURS = 24;

/** Hours that each day's payments take at the cap on calls, with the capacity of a day as a line; nothing without a cap. */
export function HoursBars({ of }: ChartProps) {
  const known = of.flatMap(({ day, hoursToCollect }) => (hoursToCollect === null ? [] : [{ day, hoursToCollect }]));
  if (known.length === 0) return null;
  const bars = known.map(({ day, hoursToCollect: hours }) => {
    const within = Math.min(hours, CAPACITY_HOURS);
    return {
      key: day,
      title: `${formatDay(day)}: ${hours.toFixed(1)} hours to collect`,
      segments: [
        { tone: 'moving', value: within },
        { tone: 'bad', value: hours - within },
      ] as const,
    };
  });
  return (
    <section aria-labelledby="hours-heading">
      <h2 id="hours-heading">Hours to collect</h2>
      <StackedBars label="Hours to collect, by day" bars={bars} current={utcDay()} limit={CAPACITY_HOURS} />
      <DayAxis days={known.map(({ day }) => day)} />
      <p class="hint">
        Retries are included. The line is the capacity of a day: what is above it is collected on a later day.
      </p>
    </section>
  );
}
