import { sumOf } from '../../../domain/money';
import { api, ask } from '../../client';
import { count, counted, money } from '../../format';
import { type ChosenColumn, Instant, StatusBadge, useColumns } from '../../parts';
import { Action, ReasonField, textOf } from '../common/action';
import { useAnswer } from '../common/answers';
import { Id } from '../common/facts';
import { Filters, type FiltersOf, usePageQuery } from '../common/filters';
import { Listing } from '../common/listing';
import type { Hold } from '../common/schemas';
import { CurrentFilter } from '../bulk/current-filter';

const FILTERS: FiltersOf<'listHolds'> = [
  { kind: 'choice', name: 'state', label: 'State', values: ['in_force', 'over'], says: { over: 'ended or lifted' } },
  { kind: 'text', name: 'subscriptionId', label: 'Subscription' },
];

/** Polling interval in ms: holds and collection windows end, and no event reports that. */
const POLL_EVERY = 30_000;

/** Subscriptions from which nothing is collected for a while, although nothing is skipped. */
export default function Holds() {
  const query = usePageQuery<'listHolds'>(FILTERS);
  const page = useAnswer(['holds'], '/v1/holds', { query }, { keepsPrevious: true, refetchInterval: POLL_EVERY });
  const { shown, menu } = useColumns('holds', COLUMNS);
  return (
    <>
      <header class="heading">
        <h1>Holds</h1>
        {menu}
      </header>
      <p class="hint">
        A hold stops collection for the subscriptions of a filter, without skipping due dates. To create one, filter the{' '}
        <a href="/subscriptions">subscriptions</a> and choose “Hold all of these”.
      </p>
      <Filters of={FILTERS} />
      <Listing what="holds" page={page} columns={shown} keyOf={({ holdId }) => holdId} empty="No hold matches." />
    </>
  );
}

const COLUMNS: readonly ChosenColumn<Hold>[] = [
  { head: 'State', cell: ({ state }) => <StatusBadge status={state} /> },
  { head: 'Reason', cell: ({ reason }) => reason },
  {
    head: 'What is held',
    cell: (hold) => (
      <div>
        <CurrentFilter of={hold.filter} />
        <Id of={hold.holdId} />
      </div>
    ),
    isFixed: true,
  },
  { head: 'Subscriptions', cell: ({ matched }) => count(matched), align: 'end' },
  { head: 'Until', cell: ({ until, endedAt }) => <Instant at={endedAt ?? until} /> },
  { head: 'Lost if not lifted', cell: (hold) => <Losses of={hold} /> },
  { head: 'Created by', cell: ({ createdBy }) => createdBy },
  { head: 'Actions', cell: (hold) => <Lift of={hold} />, isFixed: true },
];

/** When the hold begins to lose payments, and how much it costs. */
function Losses({ of: { state, firstWindowLostAt, windowsLost } }: { readonly of: Hold }) {
  if (state !== 'in_force') return null;
  if (firstWindowLostAt === null) return <>Nothing</>;
  const { count: windows, amount } = sumOf(windowsLost);
  return (
    <div>
      First window closes <Instant at={firstWindowLostAt} />
      {windows === 0 ? null : (
        <p class="hint">
          In the next 14 days: {counted(windows, 'payment')}, {money(amount)}
        </p>
      )}
    </div>
  );
}

function Lift({ of: { holdId: id, state, matched } }: { readonly of: Hold }) {
  if (state !== 'in_force') return null;
  return (
    <Action
      label="Lift"
      title="Lift the hold"
      needs="liftHold"
      changes={['holds', 'subscriptions', 'attention', 'reports']}
      consequences={
        <p>
          Collection continues for {counted(matched, 'subscription')}, unless another hold or a pause stops them.
          Payments that are already due are then collected if their window is still open.
        </p>
      }
      run={(form) =>
        ask(
          api.DELETE('/v1/holds/{id}', {
            params: { path: { id } },
            body: { reason: textOf(form, 'reason') },
          }),
        )
      }
    >
      <ReasonField />
    </Action>
  );
}
