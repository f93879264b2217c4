import { useState } from 'preact/hooks';
import { api, ApiError, ask } from '../../client';
import { count, counted, instant, money, words } from '../../format';
import { useArrival } from '../../keyboard';
import { type Column, ErrorNote, Instant, Money, StatusBadge, Table, useTask } from '../../parts';
import { session } from '../../session';
import { useInvalidation } from '../../stream';
import { Facts, Named } from '../common/facts';
import { pathTo } from '../common/address';
import type { BulkDryRun } from '../common/schemas';
import { BULK_CHOICES } from './actions';

type Selected = BulkDryRun['items'][number];

interface DryRunProps {
  readonly of: BulkDryRun;
  readonly onStarted: (jobId: string) => void;
  /** Called if the selection has changed since the dry run. */
  readonly onChanged: (refusal: ApiError) => void;
}

/** The subscriptions and amounts that the action would affect, and the button that carries out exactly that. */
export function DryRun({ of: dryRun, onStarted, onChanged }: DryRunProps) {
  const { total, counts, amount, amountAfter, items } = dryRun;
  const heading = useArrival<HTMLHeadingElement>();
  return (
    <section aria-labelledby="dry-run-heading">
      <h3 id="dry-run-heading" ref={heading} tabIndex={-1}>
        This would affect {subscriptions(total)}
      </h3>
      <Facts
        of={[
          ...Object.entries(counts).map(([status, number]) => [`Now ${words(status)}`, count(number)] as const),
          ['Next payments', <Money of={amount} />],
          ['After the change', amountAfter === undefined ? null : <Money of={amountAfter} />],
        ]}
      />
      {total === 0 ? null : <CarryOut of={dryRun} onStarted={onStarted} onChanged={onChanged} />}
      <Table
        label="First subscriptions"
        rows={items}
        columns={COLUMNS}
        keyOf={({ subscriptionId }) => subscriptionId}
        hrefOf={({ subscriptionId }) => pathTo('subscriptions', subscriptionId)}
        empty="The filter selects no subscription."
      />
      {total > items.length ? <p class="hint">Only the first {count(items.length)} are shown.</p> : null}
    </section>
  );
}

/** What becomes of the next payments, where they are not collected. */
const LOST: Readonly<Partial<Record<BulkDryRun['action'], string>>> = {
  pause: '; those that fall due during the pause are not collected',
  cancel: ', which is not collected',
};

function subscriptions(total: number): string {
  if (total === 0) return 'no subscription';
  return total === 1 ? 'one subscription' : counted(total, 'subscription');
}

const COLUMNS: readonly Column<Selected>[] = [
  { head: 'Payer', cell: ({ payer, subscriptionId }) => <Named payer={payer} id={subscriptionId} /> },
  { head: 'Amount', cell: ({ amount }) => <Money of={amount} />, align: 'end' },
  { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { head: 'Standing', cell: ({ standing }) => <StatusBadge status={standing} /> },
  { head: 'Next due', cell: ({ nextDueAt }) => (nextDueAt === null ? '–' : <Instant at={nextDueAt} />) },
];

/** Sends only the dry run's token, so that exactly what was shown is carried out. */
function CarryOut({ of: { action, total, amount, token, tokenValidUntil }, onStarted, onChanged }: DryRunProps) {
  const { name, label = name, isGrave = false, means } = BULK_CHOICES[action];
  // One key for the token: repeated after a lost response, the call starts only one job.
  const [key] = useState(() => crypto.randomUUID());
  const invalidate = useInvalidation(['subscriptions', 'jobs']);
  const { isRunning, error, run } = useTask(async () => {
    try {
      onStarted(await startJob(token, key));
      await invalidate();
    } catch (fault) {
      if (!(fault instanceof ApiError) || fault.code !== 'selection_changed') throw fault;
      onChanged(fault);
    }
  });
  return (
    <>
      <div class="consequences">
        <p>{means}</p>
        <p>
          The next payments of these subscriptions are {money(amount)} in total{LOST[action] ?? ''}. If the action is
          not possible for one of them, the others still get it; the job lists the result of each.
        </p>
        <p>
          Start it before {instant(tokenValidUntil)}
          {session.value?.clock.isTest === true ? ' (real time)' : ''}. After that, or if one of them changes before you
          start it, nothing is done and you make the dry run again.
        </p>
      </div>
      {error === null ? null : <ErrorNote error={error} isChange />}
      <div class="actions">
        <button type="button" class={isGrave ? 'grave' : 'main'} disabled={isRunning} onClick={() => void run()}>
          {label} {subscriptions(total)}
        </button>
      </div>
    </>
  );
}

/** @returns the id of the job */
async function startJob(token: string, key: string): Promise<string> {
  const headers = { 'idempotency-key': key };
  const job = await ask(api.POST('/v1/bulk', { body: { token, dryRun: false }, headers }));
  if (!('jobId' in job)) throw new Error('The API returned another dry run instead of a job.');
  return job.jobId;
}
