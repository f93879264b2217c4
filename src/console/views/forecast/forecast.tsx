import { MINUTE } from '../../../domain/time';
import { count, day as formatDay, money, utcDay } from '../../format';
import { type Column, Table } from '../../parts';
import { fromDay, throughDay, useAddress } from '../common/address';
import { chosenBy, Filters, type FiltersOf } from '../common/filters';
import { Shown, useAnswer } from '../common/answers';
import type { Forecast as Report } from '../common/schemas';

const FILTERS: FiltersOf<'reportForecast'> = [
  { kind: 'day', name: 'from', label: 'From', read: fromDay },
  { kind: 'day', name: 'to', label: 'Through', read: throughDay },
];

const DAYS_SHOWN = 29;

/** What falls due by day; for 30 days from today by default. */
export default function Forecast() {
  const chosen = chosenBy<'reportForecast'>(FILTERS, useAddress().query);
  const { from = fromDay(utcDay()), to = throughDay(utcDay(DAYS_SHOWN)) } = chosen;
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
        Due dates still to be collected, at today’s amounts and with pending amount changes. Due dates during a pause
        are left out, and a subscription paused without an end date is left out entirely.
      </p>
      <Filters of={FILTERS} />
      <Shown what="what falls due" of={report}>
        {(read) => <Days of={read} />}
      </Shown>
    </>
  );
}

/** Days without due dates are left out. */
function Days({ of: { items, total } }: { readonly of: Report }) {
  const most = Math.max(1, ...items.map(({ due }) => due.amount.value));
  return (
    <>
      <p class="next">
        <strong>
          {money(total.due.amount)} in {count(total.due.count)} {total.due.count === 1 ? 'cycle' : 'cycles'}.
        </strong>
      </p>
      <Table
        label="Due by day"
        rows={items.filter(({ due, openRetries }) => due.count + openRetries > 0)}
        columns={columnsUpTo(most)}
        keyOf={({ day }) => day}
        empty="Nothing falls due in this period."
      />
    </>
  );
}

/** @param most the cents of the largest day, which gets the longest bar */
function columnsUpTo(most: number): readonly Column<Report['items'][number]>[] {
  return [
    { head: 'Day (UTC)', cell: ({ day }) => formatDay(day) },
    { head: 'Due', cell: ({ due }) => money(due.amount), align: 'end' },
    { head: 'Cycles', cell: ({ due }) => count(due.count), align: 'end' },
    { head: 'Retries', cell: ({ openRetries }) => count(openRetries), align: 'end' },
    {
      head: 'Hours to collect',
      cell: ({ hoursToCollect }) => (hoursToCollect === null ? 'no cap' : hoursToCollect.toFixed(1)),
      align: 'end',
    },
    {
      head: 'Compared with the largest',
      cell: ({ day, due }) => (
        <meter class="bar" min={0} max={most} value={due.amount.value} aria-label={`Due on ${formatDay(day)}`} />
      ),
    },
  ];
}
