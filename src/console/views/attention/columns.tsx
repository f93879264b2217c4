import type { VNode } from 'preact';
import { count, hoursLeft, money, now } from '../../format';
import { type ChosenColumn, type Column, Money } from '../../parts';
import { nameOf } from '../common/subscription';
import type { Attention } from '../common/schemas';
import { type Row, soonestOf, sumOf } from './groups';
import { SEVERITY_TONES, type Severity, severityOf } from './severity';

/** Such as `8 × The payer could not be notified`. */
function labelOf(row: Row): string {
  if (row.kind === 'item') return row.item.title;
  return `${count(row.items.length)} × ${row.items[0]?.title ?? row.of}`;
}

/** For the list without an open item. */
export const FULL: readonly ChosenColumn<Row>[] = [
  { head: 'What', cell: labelOf, isFixed: true },
  { head: 'Severity', cell: (row) => <SeverityBadge of={severityOf(firstOf(row))} /> },
  { head: 'Payer', cell: payerOf },
  { head: 'Amount', cell: (row) => <Amount of={row} />, align: 'end' },
  { head: 'Time left', cell: (row) => <Left until={soonestOf(itemsOf(row))} /> },
  { head: 'Assignee', cell: (row) => assigneeOf(row) },
];

/** For the list beside an open item. */
export const COMPACT: readonly Column<Row>[] = [
  {
    head: 'What',
    cell: (row) => (
      <>
        {labelOf(row)} <span class="under">{underOf(row)}</span>
      </>
    ),
  },
];

function underOf(row: Row): string {
  const sum = sumOf(itemsOf(row));
  return [payerOf(row), sum === null ? '' : money(sum)].filter((each) => each !== '').join(' · ');
}

function itemsOf(row: Row): readonly Attention[] {
  return row.kind === 'item' ? [row.item] : row.items;
}

function firstOf(row: Row): Pick<Attention, 'kind'> {
  return row.kind === 'item' ? row.item : { kind: row.of };
}

function payerOf(row: Row): string {
  if (row.kind === 'group') return `${count(row.items.length)} items`;
  const { payer, subscriptionId, paymentId, endpointId } = row.item;
  return nameOf(payer) ?? subscriptionId ?? paymentId ?? endpointId ?? 'the installation';
}

function assigneeOf(row: Row): string {
  const [first, ...others] = new Set(itemsOf(row).map(({ assignee }) => assignee ?? 'nobody'));
  return others.length === 0 ? (first ?? 'nobody') : 'several';
}

function Amount({ of }: { readonly of: Row }): VNode {
  const sum = sumOf(itemsOf(of));
  return sum === null ? <>–</> : <Money of={sum} />;
}

/** The text is there so that colour is not the only sign. */
export function SeverityBadge({ of }: { readonly of: Severity }): VNode {
  return <span class={`badge badge-${SEVERITY_TONES[of]}`}>{of}</span>;
}

function Left({ until }: { readonly until: string | null }): VNode {
  if (until === null) return <span class="muted">no deadline</span>;
  return (
    <span class="number" title={until}>
      {hoursLeft(until, now()) ?? 'deadline passed'}
    </span>
  );
}
