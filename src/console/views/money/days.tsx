import { count, day as formatDay, money, utcDay } from '../../format';
import { type Column, Table } from '../../parts';
import { Shown, useAnswer } from '../common/answers';
import { rowsOf } from '../common/day-rows';
import { OutcomeBars } from '../common/outcome-bars';

/** `due` is the sum of all but `refunded`. */
const FIGURES = ['due', 'collected', 'open', 'failed', 'skipped', 'missed', 'refunded'] as const;
type Name = (typeof FIGURES)[number];
type Day = { readonly day: string } & Readonly<Record<Name, Parameters<typeof Figure>[0]['of']>>;

/** Totals of the due dates of each UTC day, newest first; days without due dates are left out. */
export function Days({ from, to }: { readonly from: string; readonly to: string }) {
  const report = useAnswer(['reports'], '/v1/reports/collections', { query: { from, to } });
  return (
    <section aria-labelledby="days-heading">
      <h2 id="days-heading">By day</h2>
      <p class="hint">
        A payment counts on the day it fell due, and its refund on the same day. The transactions below show when each
        payment and refund was made.
      </p>
      <Shown what="the totals by day" of={report}>
        {({ items, total }) => {
          const days: Day[] = items.filter((each) => FIGURES.some((name) => each[name].count > 0)).reverse();
          const rows = days.length === 0 ? [] : [{ ...total, day: '' }, ...days];
          return (
            <>
              {days.length === 0 ? null : (
                <OutcomeBars label="Amounts due, by day and outcome" rows={rowsOf(items, [], utcDay())} />
              )}
              <Table
                label="Totals by day"
                rows={rows}
                columns={COLUMNS}
                keyOf={({ day }) => day}
                empty="Nothing fell due in this period."
              />
            </>
          );
        }}
      </Shown>
    </section>
  );
}

const COLUMNS: readonly Column<Day>[] = [
  { head: 'Day (UTC)', cell: ({ day }) => (day === '' ? <strong>Total</strong> : formatDay(day)) },
  ...FIGURES.map((name): Column<Day> => ({
    head: name === 'open' ? 'In progress' : `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    cell: (row) => <Figure of={row[name]} />,
    align: 'end',
  })),
];

interface FigureProps {
  readonly of: { readonly amount: { readonly value: number; readonly currency: string }; readonly count: number };
}

function Figure({ of: { amount, count: number } }: FigureProps) {
  if (number === 0) return <span class="muted">–</span>;
  return (
    <span class="number">
      {money(amount)} <span class="muted">({count(number)})</span>
    </span>
  );
}
