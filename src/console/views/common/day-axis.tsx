import { day as formatDay, utcDay } from '../../format';

/** Shares of the width within which the present day's label meets neither of the others. */
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
