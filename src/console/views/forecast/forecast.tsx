import { MINUTE } from '../../../domain/time';
import { count, day as dayInWords, money, utcDay } from '../../format';
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

/** What falls due a day; of 30 days from today where the address names none. */
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
        Due dates that are still to be collected, at the amounts of today and of changes that are ordered. Those of a
        pause count from its end on; of a pause without an end none does.
      </p>
      <Filters of={FILTERS} />
      <Shown what="what falls due" of={report}>
        {(read) => <Days of={read} />}
      </Shown>
    </>
  );
}

/** Days on which nothing falls due are left out. */
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
        label="What falls due by day"
        rows={items.filter(({ due, openRetries }) => due.count + openRetries > 0)}
        columns={columnsUpTo(most)}
        keyOf={({ day }) => day}
        empty="Nothing falls due in these days."
      />
    </>
  );
}

/** @param most the cents of the largest day, which has the longest bar */
function columnsUpTo(most: number): readonly Column<Report['items'][number]>[] {
  return [
    { head: 'Day (UTC)', cell: ({ day }) => dayInWords(day) },
    { head: 'Due', cell: ({ due }) => money(due.amount), align: 'end' },
    { head: 'Cycles', cell: ({ due }) => count(due.count), align: 'end' },
    { head: 'Retries', cell: ({ openRetries }) => count(openRetries), align: 'end' },
    {
      head: 'Hours to collect',
      cell: ({ hoursToCollect }) => (hoursToCollect === null ? 'no cap' : hoursToCollect.toFixed(1)),
      align: 'end',
    },
    {
      head: 'Beside the largest',
      cell: ({ day, due }) => (
        <meter class="bar" min={0} max={most} value={due.amount.value} aria-label={`Due on ${dayInWords(day)}`} />
      ),
    },
  ];
}
