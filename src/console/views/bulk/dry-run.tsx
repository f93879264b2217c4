import { useState } from 'preact/hooks';
import { api, ApiError, ask } from '../../client';
import { count, words } from '../../format';
import { useArrival } from '../../keyboard';
import { type Column, Consequences, ErrorNote, Instant, Money, StatusBadge, Table, useTask } from '../../parts';
import { session } from '../../session';
import { useInvalidation } from '../../stream';
import { Facts, Named } from '../common/facts';
import { pathTo } from '../common/address';
import type { BulkDryRun } from '../common/schemas';
import { bulkTexts, subscriptionsText } from '../dialogs/installation';
import { BULK_CHOICES } from './choices';

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
        This would affect {subscriptionsText(total)}
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

const COLUMNS: readonly Column<Selected>[] = [
  { head: 'Payer', cell: ({ payer, subscriptionId }) => <Named payer={payer} id={subscriptionId} /> },
  { head: 'Amount', cell: ({ amount }) => <Money of={amount} />, align: 'end' },
  { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { head: 'Standing', cell: ({ standing }) => <StatusBadge status={standing} /> },
  { head: 'Next due', cell: ({ nextDueAt }) => (nextDueAt === null ? '–' : <Instant at={nextDueAt} />) },
];

/** Sends only the dry run's token, so that exactly what was shown is carried out. */
function CarryOut({ of: dryRun, onStarted, onChanged }: DryRunProps) {
  const { action, total, token } = dryRun;
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
        <Consequences of={bulkTexts(dryRun, means, session.value?.clock.isTest === true)} />
      </div>
      {error === null ? null : <ErrorNote error={error} isChange />}
      <div class="actions">
        <button type="button" class={isGrave ? 'grave' : 'main'} disabled={isRunning} onClick={() => void run()}>
          {label} {subscriptionsText(total)}
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
