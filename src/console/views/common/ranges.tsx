import { useLocation } from 'preact-iso';
import { day as formatDay } from '../../format';
import { addressOf } from './address';
import { dayOf, type Range } from './periods';

interface RangesProps {
  readonly of: readonly Range[];
  /** The shown period as instants; `to` is exclusive. */
  readonly from: string;
  readonly to: string;
}

/** Common periods as links, and what the shown one covers. Any other period can be set in the filters. */
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
