import { day as formatDay, money, utcDay } from '../../format';
import { StackedBars } from '../../parts';
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

/** The shares of the width between which the present day's label overlaps neither of the others. */
const BETWEEN = [0.3, 0.7] as const;

/** The first and the last day below a chart of days, and the present one if it is well between them. */
export function DayAxis({ days }: { readonly days: readonly string[] }) {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const share = (days.indexOf(utcDay()) + 0.5) / days.length;
  return (
    <p class="axis hint" aria-hidden="true">
      <span>{formatDay(first)}</span>
      {share < BETWEEN[0] || share > BETWEEN[1] ? null : (
        <span class="is-now" style={{ left: `${100 * share}%` }}>
          today
        </span>
      )}
      <span>{formatDay(last)}</span>
    </p>
  );
}
