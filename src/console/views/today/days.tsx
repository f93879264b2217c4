import { MINUTE } from '../../../domain/time';
import { day as formatDay, money, utcDay } from '../../format';
import { type Column, ErrorNote, Loading, Table } from '../../parts';
import { may } from '../../session';
import { addressOf, fromDay, throughDay } from '../common/address';
import { useAnswer } from '../common/answers';
import { type DayRow, rowsOf } from '../common/day-rows';
import { OutcomeBars } from '../common/outcome-bars';

const DAYS_BEFORE = 14;
const DAYS_AFTER = 7;

/** The outcome of each of the last days, and what falls due on the next ones, as a chart and as a table. */
export function Days() {
  const past = { from: fromDay(utcDay(-DAYS_BEFORE)), to: throughDay(utcDay()) };
  const coming = { from: fromDay(utcDay(1)), to: throughDay(utcDay(DAYS_AFTER)) };
  const collections = useAnswer(
    ['reports'],
    '/v1/reports/collections',
    { query: past },
    { enabled: may('reportCollections') },
  );
  const forecast = useAnswer(
    ['forecast'],
    '/v1/reports/forecast',
    { query: coming },
    { enabled: may('reportForecast'), refetchInterval: MINUTE },
  );
  const error = collections.error ?? forecast.error;
  return (
    <section aria-labelledby="days" class="panel">
      <h2 id="days">Due by day</h2>
      {error === null ? null : <ErrorNote error={error} />}
      {collections.data === undefined || forecast.data === undefined ? (
        error === null ? (
          <Loading what="due by day" />
        ) : null
      ) : (
        <Chart rows={rowsOf(collections.data.items, forecast.data.items, utcDay())} />
      )}
    </section>
  );
}

function Chart({ rows }: { readonly rows: readonly DayRow[] }) {
  return (
    <>
      <OutcomeBars label="Amounts due, by day" rows={rows} />
      <details>
        <summary>Show as a table</summary>
        <Table
          label="Due by day"
          rows={rows}
          columns={COLUMNS}
          keyOf={({ day }) => day}
          hrefOf={hrefOf}
          empty="No days."
        />
      </details>
    </>
  );
}

function hrefOf({ day, isToCome }: DayRow): string {
  return addressOf(isToCome ? '/forecast' : '/money', { from: day, to: day });
}

const COLUMNS: readonly Column<DayRow>[] = [
  { head: 'Day (UTC)', cell: ({ day }) => <span class="number">{formatDay(day)}</span> },
  { head: 'Collected', cell: ({ collected }) => money(collected), align: 'end' },
  { head: 'In progress', cell: ({ open }) => money(open), align: 'end' },
  { head: 'Not collected', cell: ({ lost }) => money(lost), align: 'end' },
  { head: 'To come', cell: ({ coming }) => money(coming), align: 'end' },
];
