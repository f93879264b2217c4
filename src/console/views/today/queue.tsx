import { useState } from 'preact/hooks';
import { count, hoursLeft, money, now } from '../../format';
import { type Column, Instant, Money, Table } from '../../parts';
import { may } from '../../session';
import { Named } from '../common/facts';
import { pathTo } from '../common/address';
import type { Deadline } from '../common/schemas';
import { reasonOf } from './blockers';
import type { Work } from './work';

/** Rows that are shown at first. */
const FIRST = 12;

interface QueueProps {
  readonly of: readonly Work[];
  readonly isMore: boolean;
}

/** The operator's to-do list, the most urgent first. */
export function Queue({ of, isMore }: QueueProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? of : of.slice(0, FIRST);
  return (
    <section aria-labelledby="queue">
      <h2 id="queue">
        To do <span class="muted">{of.length === 0 ? '' : `${count(of.length)}${isMore ? ' or more' : ''}`}</span>
      </h2>
      <Table
        label="To do"
        rows={shown}
        columns={COLUMNS}
        keyOf={({ key }) => key}
        hrefOf={({ href }) => href}
        empty={
          may('listAttention')
            ? 'Nothing to do now. New problems appear here automatically.'
            : 'No open payment waits for you. Your key may not read attention items, so they are not listed.'
        }
      />
      {of.length > FIRST ? (
        <button type="button" class="as-link" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show ${count(of.length - FIRST)} more`}
        </button>
      ) : null}
      {isMore ? (
        <p class="hint">
          Only the items and payments with the earliest deadlines have been read. There may be more to do.
        </p>
      ) : null}
    </section>
  );
}

const COLUMNS: readonly Column<Work>[] = [
  { head: 'Payer', cell: ({ payer, id }) => <Named payer={payer} id={id} /> },
  { head: 'Amount', cell: ({ amount }) => (amount === null ? '–' : <Money of={amount} />), align: 'end' },
  { head: 'Reason', cell: ({ reason }) => reason },
  { head: 'Time left', cell: ({ deadline }) => <TimeLeft until={deadline} /> },
  {
    head: 'Action',
    cell: ({ href, action }) => (
      <a class="button word" href={href}>
        {action}
      </a>
    ),
  },
];

/** Hours below which the time left is highlighted. */
const NEAR_HOURS = 24;

function TimeLeft({ until }: { readonly until: string | null }) {
  if (until === null) return <span class="muted">no deadline</span>;
  const isNear = Date.parse(until) - now() < NEAR_HOURS * 3_600_000;
  return (
    <time class={isNear ? 'number is-near' : 'number'} dateTime={until} title={`until ${until}`}>
      {hoursLeft(until, now()) ?? 'deadline passed'}
    </time>
  );
}

interface AutomaticProps {
  readonly of: readonly Deadline[];
  readonly isMore: boolean;
}

/** What needs no operator: folded at first. */
export function Automatic({ of, isMore }: AutomaticProps) {
  const sum = money({ value: of.reduce((total, { amount }) => total + amount.value, 0), currency: 'EUR' });
  const n = count(of.length);
  if (of.length === 0) return null;
  return (
    <details class="panel">
      <summary>
        <strong>
          {isMore ? `More than ${n}` : n}{' '}
          {of.length === 1 && !isMore ? 'payment is handled automatically' : 'payments are handled automatically'}
        </strong>{' '}
        <span class="muted">{isMore ? `${sum} in the first ${n}` : sum}, nothing to do</span>
      </summary>
      <OpenCycles of={of} label="Handled automatically" />
    </details>
  );
}

/** Open cycles, least time left first. */
export function OpenCycles({ of, label }: { readonly of: readonly Deadline[]; readonly label: string }) {
  return (
    <Table
      label={label}
      rows={of}
      columns={CYCLES}
      keyOf={({ subscriptionId, cycle }) => `${subscriptionId}/${cycle}`}
      hrefOf={({ subscriptionId }) => pathTo('subscriptions', subscriptionId)}
      empty="No payments."
    />
  );
}

const CYCLES: readonly Column<Deadline>[] = [
  { head: 'Payer', cell: ({ payer, subscriptionId }) => <Named payer={payer} id={subscriptionId} /> },
  { head: 'Amount', cell: ({ amount }) => <Money of={amount} />, align: 'end' },
  { head: 'Reason', cell: reasonOf },
  {
    head: 'Next attempt',
    cell: ({ nextAttemptAt }) =>
      nextAttemptAt ? <Instant at={nextAttemptAt} /> : <span class="muted">none planned</span>,
  },
  { head: 'Time left', cell: ({ deadline }) => <TimeLeft until={deadline} /> },
];
