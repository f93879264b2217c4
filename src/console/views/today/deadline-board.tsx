import type { VNode } from 'preact';
import { count, hoursLeft, now } from '../../format';
import { type Column, Instant, Money, StatusBadge, Table } from '../../parts';
import { type Asked, Shown } from '../common/answers';
import { pathTo } from '../common/paths';
import type { Deadline, PageOf } from '../common/schemas';
import { isNear, type ShareName, SHARES } from './shares';

interface BoardProps {
  readonly page: Asked<PageOf<Deadline>>;
  readonly only: ShareName | null;
}

/** Open cycles, the one whose time is over soonest first, with what keeps each from being collected. */
export function DeadlineBoard({ page, only }: BoardProps): VNode {
  const share = only === null ? null : SHARES[only];
  return (
    <section aria-labelledby="deadlines">
      <h2 id="deadlines">{share === null ? 'Open cycles, by the time left' : share.title}</h2>
      {share === null ? null : (
        <p>
          <a href="/">All open cycles</a>
        </p>
      )}
      <Shown what="open cycles" of={page}>
        {({ items, nextCursor }) => (
          <>
            <Table
              label="Open cycles"
              rows={share === null ? items : items.filter(share.has)}
              columns={COLUMNS}
              keyOf={({ subscriptionId, cycle }) => `${subscriptionId}/${cycle}`}
              hrefOf={({ subscriptionId }) => pathTo('subscriptions', subscriptionId)}
              empty={
                share === null ? 'No cycle is open: all that fell due is settled.' : 'No open cycle is of this kind.'
              }
            />
            {nextCursor === null ? null : (
              <p class="hint">These are the {count(items.length)} cycles with the least time left; there are more.</p>
            )}
          </>
        )}
      </Shown>
    </section>
  );
}

const COLUMNS: readonly Column<Deadline>[] = [
  { head: 'Subscription', cell: ({ subscriptionId }) => <span class="code">{subscriptionId}</span> },
  { head: 'Cycle', cell: ({ cycle }) => count(cycle), align: 'end' },
  { head: 'Left', cell: (deadline) => <Left of={deadline} /> },
  { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { head: 'Amount', cell: ({ amount }) => <Money of={amount} />, align: 'end' },
  { head: 'What blocks', cell: (deadline) => blockersOf(deadline) },
  { head: 'Attempts', cell: ({ attempts }) => count(attempts), align: 'end' },
  {
    head: 'Next attempt',
    cell: ({ nextAttemptAt }) => (nextAttemptAt ? <Instant at={nextAttemptAt} /> : 'none planned'),
  },
];

/** Follows the clock; what is near has a mark besides its colour. */
function Left({ of }: { readonly of: Deadline }): VNode {
  const left = hoursLeft(of.deadline, now());
  return (
    <time class={isNear(of) ? 'number is-near' : 'number'} dateTime={of.deadline} title={`until ${of.deadline}`}>
      {isNear(of) ? <span aria-hidden="true">▲ </span> : null}
      {left}
    </time>
  );
}

/** In words; each is one of the API's `blockedBy`. */
const BLOCKERS: Readonly<Record<Deadline['blockedBy'][number], string>> = {
  time_over: 'its time is over',
  halted: 'all sending is halted',
  paused: 'the subscription is paused',
  cancelling: 'the subscription is being cancelled',
  outcome_unresolved: 'the outcome is unresolved: a person decides',
  outcome_unknown: 'whether a debit was made is being asked',
  other_cycle_in_doubt: 'another cycle is in doubt',
  awaiting_answer: 'the answer of the service is awaited',
  pending_at_service: 'pending at the service',
  capture_failed: 'authorized, and the debit failed',
  not_sent: 'the last send did not arrive; it is tried again',
  notice_undelivered: 'the payer has not been told yet',
  notice_undeliverable: 'the payer cannot be told',
};

function blockersOf({ blockedBy }: Deadline): string {
  if (blockedBy.length === 0) return 'nothing: it waits for its time';
  return blockedBy.map((each) => BLOCKERS[each]).join('; ');
}
