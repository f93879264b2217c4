import { day as formatDay, money, utcDay } from '../../format';
import { StackedBars } from '../../parts';
import { DayAxis } from './day-axis';
import type { DayRow } from './day-rows';

/** Amounts due on each day, by their outcome; those to come only if there are days to come. */
export function OutcomeBars({ label, rows }: { readonly label: string; readonly rows: readonly DayRow[] }) {
  const isForecast = rows.some(({ isToCome }) => isToCome);
  const bars = rows.map(({ day, collected, open, lost, coming }) => {
    const title = `${formatDay(day)}: ${money(collected)} collected, ${money(open)} in progress, ${money(lost)} not collected`;
    return {
      key: day,
      title: isForecast ? `${title}, ${money(coming)} to come` : title,
      segments: [
        { tone: 'good', value: collected.value },
        { tone: 'moving', value: open.value },
        { tone: 'bad', value: lost.value },
        { tone: 'coming', value: coming.value },
      ] as const,
    };
  });
  return (
    <>
      <ul class="legend" aria-hidden="true">
        <li class="legend-good">collected</li>
        <li class="legend-moving">in progress</li>
        <li class="legend-bad">not collected</li>
        {isForecast ? <li class="legend-coming">to come</li> : null}
      </ul>
      <StackedBars label={label} bars={bars} current={utcDay()} />
      <DayAxis days={rows.map(({ day }) => day)} />
    </>
  );
}
