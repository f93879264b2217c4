import { api, ask } from '../../client';
import { count } from '../../format';
import { useArrival } from '../../keyboard';
import { type Column, Instant, StatusBadge } from '../../parts';
import { Action } from '../common/action';
import { Facts, Id } from '../common/facts';
import { Filters, type FiltersOf, usePageQuery } from '../common/filters';
import { type Asked, Shown, useAnswer, useJob, whileRunning } from '../common/answers';
import { Listing } from '../common/listing';
import { pathTo } from '../common/paths';
import type { BulkResult, Job, PageOf } from '../common/schemas';

type BulkJob = Extract<Job, { kind: 'bulk' }>;

/** How far a job has come, and what became of each subscription. */
export function Progress({ id }: { readonly id: string }) {
  return (
    <Shown what="the job" of={useJob(id, 'bulk')}>
      {(job) => (
        <>
          <How of={job} />
          <Results of={job} />
        </>
      )}
    </Shown>
  );
}

function How({ of: job }: { readonly of: BulkJob }) {
  const { jobId, action, state, done, total, refused, orderedBy, begunAt } = job;
  const said = useArrival<HTMLParagraphElement>();
  return (
    <>
      {/* Says its end, and not each step to it. */}
      <p class="next" role="status" ref={said} tabIndex={-1}>
        <strong>
          The {action.replaceAll('-', ' ')} of {count(total)} {total === 1 ? 'subscription' : 'subscriptions'} is{' '}
          {state === 'running' ? 'under way' : state}.
        </strong>{' '}
        {state === 'running' ? '' : refused === 0 ? 'None was refused.' : `${count(refused)} refused.`}
      </p>
      <p>
        <progress aria-label="Subscriptions that are over" max={total} value={done} /> {count(done)} of {count(total)},{' '}
        {count(refused)} refused
      </p>
      <Facts
        of={[
          ['Job', <Id of={jobId} />],
          ['State', <StatusBadge status={state} />],
          ['Ordered by', orderedBy],
          ['Started', <Instant at={begunAt} />],
        ]}
      />
      {state === 'running' ? <Stop of={job} /> : null}
    </>
  );
}

function Stop({ of: { jobId: id, done, total } }: { readonly of: BulkJob }) {
  return (
    <div class="actions">
      <Action
        label="Stop"
        title="Stop this job"
        needs="stopJob"
        changes={['jobs']}
        consequences={
          <p>
            {count(total - done)} subscriptions are left as they are, but for calls that are under way. What is done
            stays done.
          </p>
        }
        run={() => ask(api.DELETE('/v1/jobs/{id}', { params: { path: { id } } }))}
      />
    </div>
  );
}

const FILTERS: FiltersOf<'listJobResults'> = [
  { kind: 'choice', name: 'state', label: 'What became of them', values: ['refused', 'done'] },
];

function Results({ of: { jobId: id, state } }: { readonly of: BulkJob }) {
  const params = { path: { id }, query: { ...usePageQuery<'listJobResults'>(FILTERS), limit: 50 } };
  // Asked for once more when the job is over.
  const page = useAnswer(['jobs', id, state], '/v1/jobs/{id}/results', params, {
    keepsPrevious: true,
    refetchInterval: whileRunning({ state }),
  });
  return (
    <>
      <h2>Each subscription</h2>
      <Filters of={FILTERS} />
      <Listing
        what="its report"
        // Differences only of a reconciliation.
        page={page as Asked<PageOf<BulkResult>>}
        columns={COLUMNS}
        keyOf={({ subscriptionId }) => subscriptionId}
        hrefOf={({ subscriptionId }) => pathTo('subscriptions', subscriptionId)}
        empty="Of none of them is this so."
      />
    </>
  );
}

const COLUMNS: readonly Column<BulkResult>[] = [
  { head: 'Subscription', cell: ({ subscriptionId }) => subscriptionId },
  { head: 'State', cell: (result) => <StatusBadge status={result.state} /> },
  { head: 'At', cell: ({ at }) => (at === null ? '–' : <Instant at={at} />) },
  { head: 'Why', cell: ({ problem }) => problem?.detail },
];
