import type { MoneyValue } from '../../format';
import type { Collections, Forecast } from './schemas';

/** One day of the chart. */
export interface DayRow {
  readonly day: string;
  readonly collected: MoneyValue;
  /** Due and still in progress. */
  readonly open: MoneyValue;
  /** Failed or missed. */
  readonly lost: MoneyValue;
  readonly coming: MoneyValue;
  readonly isToCome: boolean;
}

/** Past days with their outcome, then days to come. @param today `YYYY-MM-DD` */
export function rowsOf(past: Collections['items'], coming: Forecast['items'], today: string): readonly DayRow[] {
  return [
    ...past.map(({ day, collected, open, failed, missed, due }) => ({
      day,
      collected: collected.amount,
      open: open.amount,
      lost: plus(failed.amount, missed.amount),
      coming: nothing(due.amount),
      isToCome: false,
    })),
    ...coming
      .filter(({ day }) => day > today)
      .map(({ day, due }) => {
        const none = nothing(due.amount);
        return { day, collected: none, open: none, lost: none, coming: due.amount, isToCome: true };
      }),
  ];
}

function plus(one: MoneyValue, other: MoneyValue): MoneyValue {
  return { ...one, value: one.value + other.value };
}

function nothing(of: MoneyValue): MoneyValue {
  return { ...of, value: 0 };
}
