import { MINUTE } from '../../../domain/time';
import { count, counted, day as formatDay, money, utcDay } from '../../format';
import { type Column, Table } from '../../parts';
import { fromDay, throughDay, useAddress } from '../common/address';
import { chosenBy, type Filter, Filters, type FiltersOf } from '../common/filters';
import { Shown, useAnswer } from '../common/answers';
import { comingRanges } from '../common/periods';
import { Ranges } from '../common/ranges';
import type { Forecast as Report } from '../common/schemas';
import { DueBars, HoursBars } from './charts';
import { overdueText, retriesOf, weeksOf } from './rows';

const FILTERS: FiltersOf<'reportForecast'> = [
  { kind: 'day', name: 'from', label: 'From', read: fromDay },
  { kind: 'day', name: 'to', label: 'Through', read: throughDay },
];

/** Applied in the page: the API reports by day. */
const BY: Filter = {
  kind: 'choice',
  name: 'by',
  label: 'Rows',
  values: ['week'],
  none: 'by day',
  says: { week: 'by week' },
};

const DAYS_AHEAD = 29;

/** What falls due by day; for 30 days from today by default. */
export default function Forecast() {
  const { query } = useAddress();
  const chosen = chosenBy<'reportForecast'>(FILTERS, query);
  const { from = fromDay(utcDay()), to = throughDay(utcDay(DAYS_AHEAD)) } = chosen;
  const report = useAnswer(
    ['forecast'],
    '/v1/reports/forecast',
    { query: { from, to } },
    { keepsPrevious: true, refetchInterval: MINUTE },
  );
  return (
    <>
      <h1>Forecast</h1>
      <p>
        Due dates still to be collected, at their current amounts, or at the new amount once a pending change takes
        effect. Due dates during a pause are left out, and a subscription paused without an end date is left out
        entirely. Retries are counted, but their amounts are not included.
      </p>
      <Ranges of={comingRanges()} from={from} to={to} />
      <Filters of={[...FILTERS, BY]} />
      <Shown what="what falls due" of={report}>
        {(read) => <Days of={read} isByWeek={query['by'] === 'week'} />}
      </Shown>
    </>
  );
}

interface DaysProps {
  readonly of: Report;
  readonly isByWeek: boolean;
}

/** The days as charts, and the days or weeks as a table. The table omits those without due dates or retries. */
function Days({ of: { items, total }, isByWeek }: DaysProps) {
  const overdue = overdueText(total);
  const rows = isByWeek ? weeksOf(items) : items;
  return (
    <>
      <p class="next">
        <strong>
          {money(total.due.amount)} in {counted(total.due.count, 'cycle')}.
        </strong>
      </p>
      {overdue === null ? null : <p class="note">{overdue}</p>}
      <DueBars of={items} />
      <HoursBars of={items} />
      <Table
        label={isByWeek ? 'Due by week' : 'Due by day'}
        rows={rows.filter(({ due, openRetries }) => due.count + openRetries > 0)}
        columns={columnsBy(isByWeek)}
        keyOf={({ day }) => day}
        empty="Nothing falls due in this period."
      />
    </>
  );
}

function columnsBy(isByWeek: boolean): readonly Column<Report['items'][number]>[] {
  return [
    { head: isByWeek ? 'Week from Monday (UTC)' : 'Day (UTC)', cell: ({ day }) => formatDay(day) },
    { head: 'Due', cell: ({ due }) => money(due.amount), align: 'end' },
    { head: 'Cycles', cell: ({ due, postponed }) => cycles(due.count, postponed), align: 'end' },
    { head: 'Retries', cell: retriesOf, align: 'end' },
    {
      head: isByWeek ? 'Hours to collect, busiest day' : 'Hours to collect',
      cell: ({ hoursToCollect }) => (hoursToCollect === null ? 'no cap' : hoursToCollect.toFixed(1)),
      align: 'end',
    },
  ];
}

function cycles(due: number, postponed: number | undefined): string {
  return postponed === undefined ? count(due) : `${count(due)}, ${count(postponed)} postponed`;
}
