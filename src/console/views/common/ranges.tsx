import { useLocation } from 'preact-iso';
import { day as formatDay, utcDay } from '../../format';
import { addressOf } from './address';

interface Range {
  readonly name: string;
  /** UTC days, both inclusive. */
  readonly from: string;
  readonly to: string;
}

/** Ranges that end today, and the present month so far. */
export function pastRanges(): readonly Range[] {
  const to = utcDay();
  return [
    { name: '7 days', from: utcDay(-6), to },
    { name: '30 days', from: utcDay(-29), to },
    { name: '90 days', from: utcDay(-89), to },
    { name: 'This month', from: `${to.slice(0, 'YYYY-MM'.length)}-01`, to },
  ];
}

/** Ranges that start today. */
export function comingRanges(): readonly Range[] {
  const from = utcDay();
  return [
    { name: '7 days', from, to: utcDay(6) },
    { name: '30 days', from, to: utcDay(29) },
    { name: '90 days', from, to: utcDay(89) },
  ];
}

interface RangesProps {
  readonly of: readonly Range[];
  /** The shown period as instants; `to` is exclusive. */
  readonly from: string;
  readonly to: string;
}

/** Common periods as links, and what the shown one covers. Dates of one's own are among the filters. */
export function Ranges({ of, from, to }: RangesProps) {
  const { path, query } = useLocation();
  const [first, last] = [dayOf(from, 0), dayOf(to, -1)];
  return (
    <div class="row-actions ranges">
      <nav class="segments" aria-label="Period">
        {of.map((range) => (
          <a
            key={range.name}
            class="button"
            href={addressOf(path, { ...query, cursor: undefined, from: range.from, to: range.to })}
            aria-current={range.from === first && range.to === last ? 'page' : undefined}
          >
            {range.name}
          </a>
        ))}
      </nav>
      {first === null || last === null ? null : (
        <span class="muted">
          {formatDay(first)} through {formatDay(last)}, days in UTC
        </span>
      )}
    </div>
  );
}

/** The UTC day of the instant, `ms` later; null if an address has no valid instant. */
function dayOf(iso: string, ms: number): string | null {
  const at = Date.parse(iso) + ms;
  return Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
