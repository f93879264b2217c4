import { count, counted, instant, share } from '../../format';
import { type Column, Instant, StackedBars, Table } from '../../parts';
import { type QueryState, useAnswer } from '../common/answers';
import type { DeliveriesReport } from '../common/schemas';

type Hour = DeliveriesReport['items'][number]['hours'][number];

/** The delivery attempts of the last 24 hours, by endpoint; an endpoint without any is missing. */
export function useHours(): QueryState<ReadonlyMap<string, readonly Hour[]>> {
  const { data, error } = useAnswer(['webhook-endpoints'], '/v1/reports/deliveries', {});
  const hours = data?.items.map((each) => [each.endpointId, each.hours] as const);
  return { data: hours === undefined ? undefined : new Map(hours), error };
}

interface StripProps {
  /** Undefined if no attempt was made. The report must already be loaded. */
  readonly of: readonly Hour[] | undefined;
}

/** Such as `412 attempts, 98.5% delivered`. */
function describeHours(hours: readonly Hour[] | undefined): string {
  const [delivered, failed] = [sumOf(hours, 'delivered'), sumOf(hours, 'failed')];
  const attempts = delivered + failed;
  if (attempts === 0) return 'Nothing was sent';
  return `${counted(attempts, 'attempt', 'attempts')}, ${share(delivered, attempts)} delivered`;
}

function sumOf(hours: readonly Hour[] | undefined, of: 'delivered' | 'failed'): number {
  return (hours ?? []).reduce((sum, hour) => sum + hour[of], 0);
}

/** A bar for each hour with attempts, all of equal height: the red part is the share of failed attempts. */
export function HealthStrip({ of: hours }: StripProps) {
  const says = describeHours(hours);
  return (
    <div class="strip">
      {hours === undefined ? null : (
        <StackedBars
          label={`The last 24 hours: ${says}`}
          current={hours.at(-1)?.from ?? ''}
          bars={hours.map(({ from, delivered, failed }) => ({
            key: from,
            title: `From ${instant(from)}: ${count(delivered)} delivered, ${count(failed)} failed`,
            segments: [
              { tone: 'good', value: delivered / Math.max(1, delivered + failed) },
              { tone: 'bad', value: failed / Math.max(1, delivered + failed) },
            ],
          }))}
        />
      )}
      <span class="under">{says}</span>
    </div>
  );
}

/** The strip with its figures as a table. */
export function Health({ of: hours }: StripProps) {
  return (
    <section class="panel" aria-labelledby="health-heading">
      <h2 id="health-heading">Last 24 hours</h2>
      <HealthStrip of={hours} />
      {hours === undefined ? null : (
        <details>
          <summary>Show as a table</summary>
          <Table
            label="Attempts by hour"
            rows={hours.filter(({ delivered, failed }) => delivered + failed > 0)}
            columns={COLUMNS}
            keyOf={({ from }) => from}
            empty="Nothing was sent."
          />
        </details>
      )}
    </section>
  );
}

const COLUMNS: readonly Column<Hour>[] = [
  { head: 'From', cell: ({ from }) => <Instant at={from} /> },
  { head: 'Delivered', cell: ({ delivered }) => count(delivered), align: 'end' },
  { head: 'Failed', cell: ({ failed }) => count(failed), align: 'end' },
];
