import { RECOVERY_FATES, RECOVERY_KEYS, type RecoveryFate } from '../../../domain/reports/recovery';
import { count, money, utcDay, words } from '../../format';
import { type Column, Table } from '../../parts';
import { fromDay, throughDay, useAddress } from '../common/address';
import { chosenBy, Filters, type FiltersOf } from '../common/filters';
import { Shown, useAnswer } from '../common/answers';
import type { Recovery as Report } from '../common/schemas';
import { may } from '../../session';
import { pastRanges, periodBefore } from '../common/periods';
import { Ranges } from '../common/ranges';
import { Advice } from './advice';
import { Funnel } from './funnel';
import { recoveryRate, summaryOf } from './rate';

const FILTERS: FiltersOf<'reportRecovery'> = [
  { kind: 'day', name: 'from', label: 'Due from', read: fromDay },
  { kind: 'day', name: 'to', label: 'Due through', read: throughDay },
  {
    kind: 'choice',
    name: 'by',
    label: 'Group by',
    values: RECOVERY_KEYS.filter((key) => key !== 'attempt'),
    none: 'last attempt',
    says: { detail: 'first decline', weekday: 'weekday of the last attempt', hour: 'hour of the last attempt' },
  },
];

const DAYS_BACK = 89;

/** What retries have recovered, counted in cycles, not attempts. */
export default function Recovery() {
  const chosen = chosenBy<'reportRecovery'>(FILTERS, useAddress().query);
  const { from = fromDay(utcDay(-DAYS_BACK)), to = throughDay(utcDay()), by } = chosen;
  const query = { from, to, by };
  const report = useAnswer(['reports'], '/v1/reports/recovery', { query }, { keepsPrevious: true });
  const before = useAnswer(['reports'], '/v1/reports/recovery', { query: periodBefore(from, to) }).data?.total;
  return (
    <>
      <h1>Recovery</h1>
      <Ranges of={pastRanges()} from={from} to={to} />
      <Filters of={FILTERS} />
      <Shown what="what retries have recovered" of={report}>
        {(read) => (
          <>
            <Summary of={read} before={before} />
            <Funnel from={from} to={to} />
            <h2>{HEADS[read.by]}</h2>
            {read.by === 'attempt' ? <p class="hint">{BY_ATTEMPT}</p> : null}
            <Table
              label={HEADS[read.by]}
              rows={read.items}
              columns={columnsBy(read.by)}
              keyOf={({ key }) => key ?? ''}
              empty="The bank has not decided on any cycle that fell due in this period."
            />
            {may('adviseRetries') ? <Advice from={from} to={to} /> : null}
          </>
        )}
      </Shown>
    </>
  );
}

const HEADS: Readonly<Record<Report['by'], string>> = {
  attempt: 'By last attempt',
  detail: 'By first decline',
  weekday: 'By weekday of the last attempt (UTC)',
  hour: 'By hour of the last attempt (UTC)',
  repetition: 'By repetition',
};

const BY_ATTEMPT =
  'Each payment is in the row of its last attempt. One that a retry does not collect moves on to the row of the next retry, so a row has no rate of its own.';

type Total = Report['total'];

interface SummaryProps {
  readonly of: Report;
  /** The period of the same length before; undefined until it is loaded. */
  readonly before: Total | undefined;
}

function Summary({ of: { total }, before }: SummaryProps) {
  const { says, details } = summaryOf(total, before);
  return (
    <p class="next">
      <strong>{says}</strong> {details}
    </p>
  );
}

const FATES: Readonly<Record<RecoveryFate, string>> = {
  firstAttempt: 'First attempt',
  recovered: 'Recovered',
  recoveredByLink: 'Paid by link',
  lost: 'Lost',
  open: 'Open',
};

type Row = Report['items'][number];

const RATE: Column<Row> = { head: 'Recovery rate', cell: recoveryRate, align: 'end' };

function columnsBy(by: Report['by']): readonly Column<Row>[] {
  return [
    { head: 'Group', cell: ({ key }) => labelOf(by, key) },
    ...RECOVERY_FATES.map((name): Column<Row> => ({
      head: FATES[name],
      cell: ({ [name]: figure }) => (figure.count === 0 ? '–' : `${money(figure.amount)} (${count(figure.count)})`),
      align: 'end',
    })),
    ...(by === 'attempt' ? [] : [RATE]),
    {
      head: 'Hours to recover',
      cell: ({ hoursToRecover }) => (hoursToRecover === null ? '–' : String(hoursToRecover.median)),
      align: 'end',
    },
  ];
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function labelOf(by: Report['by'], key: string | null): string {
  if (key === null) return 'none';
  switch (by) {
    case 'attempt':
      return key === '0' ? 'First attempt' : `Retry ${key}`;
    case 'weekday':
      return WEEKDAYS[Number(key) - 1] ?? key;
    case 'hour':
      return `${key.padStart(2, '0')}:00`;
    case 'detail':
    case 'repetition':
      return words(key).toLowerCase();
  }
}
