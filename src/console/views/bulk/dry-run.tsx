import { api, ApiError, ask } from '../../client';
import { count, instant, money, words } from '../../format';
import { useArrival } from '../../keyboard';
import { type Column, Instant, Money, StatusBadge, Table } from '../../parts';
import { Action } from '../common/action';
import { Facts } from '../common/facts';
import { pathTo } from '../common/paths';
import type { BulkDryRun } from '../common/schemas';
import { BULK_CHOICES } from './actions';

type Selected = BulkDryRun['items'][number];

interface DryRunProps {
  readonly of: BulkDryRun;
  readonly onBegun: (jobId: string) => void;
  /** Called where the selection is another than what is shown here. */
  readonly onChanged: (refusal: ApiError) => void;
}

/** Whom it would concern, with what money, and the way to carry out exactly that. */
export function DryRun({ of: dryRun, onBegun, onChanged }: DryRunProps) {
  const { total, counts, amount, amountAfter, items, tokenValidUntil } = dryRun;
  const heading = useArrival<HTMLHeadingElement>();
  return (
    <section aria-labelledby="dry-run-heading">
      <h2 id="dry-run-heading" ref={heading} tabIndex={-1}>
        It would concern {subscriptions(total)}
      </h2>
      <Facts
        of={[
          ...Object.entries(counts).map(([status, number]) => [`Of them ${words(status)}`, count(number)] as const),
          ['Their next cycles collect', <Money of={amount} />],
          ['After the change', amountAfter === undefined ? null : <Money of={amountAfter} />],
          ['Can be carried out until', <Instant at={tokenValidUntil} />],
        ]}
      />
      {total === 0 ? null : <CarryOut of={dryRun} onBegun={onBegun} onChanged={onChanged} />}
      <Table
        label="The first of them"
        rows={items}
        columns={COLUMNS}
        keyOf={({ subscriptionId }) => subscriptionId}
        hrefOf={({ subscriptionId }) => pathTo('subscriptions', subscriptionId)}
        empty="The filter selects no subscription."
      />
      {total > items.length ? <p class="hint">These are the first {count(items.length)}.</p> : null}
    </section>
  );
}

function subscriptions(total: number): string {
  if (total === 0) return 'no subscription';
  return total === 1 ? 'one subscription' : `${count(total)} subscriptions`;
}

const COLUMNS: readonly Column<Selected>[] = [
  { head: 'Subscription', cell: ({ subscriptionId }) => subscriptionId },
  { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { head: 'Standing', cell: ({ standing }) => <StatusBadge status={standing} /> },
  { head: 'Amount', cell: ({ amount }) => <Money of={amount} />, align: 'end' },
  { head: 'Next due', cell: ({ nextDueAt }) => (nextDueAt === null ? '–' : <Instant at={nextDueAt} />) },
];

/** By the dry run's token alone: what is carried out is what was shown. */
function CarryOut({ of: { action, total, amount, token, tokenValidUntil }, onBegun, onChanged }: DryRunProps) {
  const { label, isGrave, means } = BULK_CHOICES[action];
  return (
    <div class="actions">
      <Action
        label={`${label} ${subscriptions(total)}`}
        title={`${label} ${subscriptions(total)}`}
        needs="runBulk"
        isGrave={isGrave}
        changes={['subscriptions', 'jobs']}
        consequences={
          <>
            <p>{means}</p>
            <p>
              The call is made for each of them, whose next cycles collect {money(amount)} in all. One refusal stops no
              other. It is begun until {instant(tokenValidUntil)}, and only while all of them stand as shown.
            </p>
          </>
        }
        run={async (_form, key) => {
          try {
            onBegun(await begin(token, key));
          } catch (fault) {
            if (!(fault instanceof ApiError) || fault.code !== 'selection_changed') throw fault;
            onChanged(fault);
          }
        }}
      />
    </div>
  );
}

/** @returns the id of the job */
async function begin(token: string, key: string): Promise<string> {
  const headers = { 'idempotency-key': key };
  const job = await ask(api.POST('/v1/bulk', { body: { token, dryRun: false }, headers }));
  if (!('jobId' in job)) throw new Error('The API answered another dry run in place of a job.');
  return job.jobId;
}
