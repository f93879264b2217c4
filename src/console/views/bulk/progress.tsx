import { api, ask } from '../../client';
import { count } from '../../format';
import { useArrival } from '../../keyboard';
import { type Column, Instant, StatusBadge } from '../../parts';
import { Action } from '../common/action';
import { Facts, Id } from '../common/facts';
import { Filters, type FiltersOf, usePageQuery } from '../common/filters';
import { type QueryState, Shown, useAnswer, useJob, whileRunning } from '../common/answers';
import { Listing } from '../common/listing';
import { pathTo } from '../common/address';
import type { BulkResult, Job, PageOf } from '../common/schemas';

type BulkJob = Extract<Job, { kind: 'bulk' }>;

/** The progress of a job, and the result for each subscription. */
export function Progress({ id }: { readonly id: string }) {
  return (
    <Shown what="the job" of={useJob(id, 'bulk')}>
      {(job) => (
        <>
          <Summary of={job} />
          <Results of={job} />
        </>
      )}
    </Shown>
  );
}

function Summary({ of: job }: { readonly of: BulkJob }) {
  const { jobId, action, state, done, total, refused, orderedBy, startedAt } = job;
  const summary = useArrival<HTMLParagraphElement>();
  return (
    <>
      {/* Announces the end of the job, not each step. */}
      <p class="next" role="status" ref={summary} tabIndex={-1}>
        <strong>
          The {action.replaceAll('-', ' ')} of {count(total)} {total === 1 ? 'subscription' : 'subscriptions'} is{' '}
          {state === 'running' ? 'under way' : state}.
        </strong>{' '}
        {state === 'running' ? '' : refused === 0 ? 'None was refused.' : `${count(refused)} refused.`}
      </p>
      <p>
        <progress aria-label="Finished subscriptions" max={total} value={done} /> {count(done)} of {count(total)},{' '}
        {count(refused)} refused
      </p>
      <Facts
        of={[
          ['Job', <Id of={jobId} />],
          ['State', <StatusBadge status={state} />],
          ['Ordered by', orderedBy],
          ['Started', <Instant at={startedAt} />],
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
            The other {count(total - done)} subscriptions are left unchanged, except for calls already under way.
            Nothing done so far is undone.
          </p>
        }
        run={() => ask(api.DELETE('/v1/jobs/{id}', { params: { path: { id } } }))}
      />
    </div>
  );
}

const FILTERS: FiltersOf<'listJobResults'> = [
  { kind: 'choice', name: 'state', label: 'Result', values: ['refused', 'done'] },
];

function Results({ of: { jobId: id, state } }: { readonly of: BulkJob }) {
  const params = { path: { id }, query: { ...usePageQuery<'listJobResults'>(FILTERS), limit: 50 } };
  // The state is part of the key, so that the results are loaded once more when the job ends.
  const page = useAnswer(['jobs', id, state], '/v1/jobs/{id}/results', params, {
    keepsPrevious: true,
    refetchInterval: whileRunning({ state }),
  });
  return (
    <>
      <h2>Each subscription</h2>
      <Filters of={FILTERS} />
      <Listing
        what="subscriptions of the job"
        // The other type is for reconciliation jobs.
        page={page as QueryState<PageOf<BulkResult>>}
        columns={COLUMNS}
        keyOf={({ subscriptionId }) => subscriptionId}
        hrefOf={({ subscriptionId }) => pathTo('subscriptions', subscriptionId)}
        empty="No such result."
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
