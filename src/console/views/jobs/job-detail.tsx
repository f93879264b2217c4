import { api, ask } from '../../client';
import { explain } from '../../explain';
import { count, withAmounts } from '../../format';
import { type Column, Instant, StatusBadge } from '../../parts';
import { Action } from '../common/action';
import { pathTo } from '../common/address';
import { type QueryState, Shown, useAnswer, useJob, whileRunning } from '../common/answers';
import { Facts, Id, Subject } from '../common/facts';
import { Filters, type FiltersOf, usePageQuery } from '../common/filters';
import { Listing } from '../common/listing';
import type { BulkResult, Difference, Job, PageOf } from '../common/schemas';
import { describeJob } from './describe';
import { JobState } from './job-state';

/** A job, its progress and its results. */
export function JobDetail({ id }: { readonly id: string }) {
  return (
    <>
      <p class="crumbs">
        <a href="/jobs">Jobs</a>
      </p>
      <Shown what="the job" of={useJob(id)}>
        {(job) => (
          <>
            <h1>{describeJob(job)}</h1>
            <Summary of={job} />
            <Results of={job} />
          </>
        )}
      </Shown>
    </>
  );
}

interface OfJob {
  readonly of: Job;
}

function Summary({ of: job }: OfJob) {
  const { jobId, orderedBy, startedAt, state } = job;
  return (
    <>
      <JobState of={job} />
      <Facts
        of={[
          ['Started by', orderedBy],
          ['Started', <Instant at={startedAt} />],
          ['Endpoint', job.kind === 'replay' ? <a href={pathTo('events', job.endpointId)}>its deliveries</a> : null],
          ['Events from', job.kind === 'replay' ? <Instant at={job.since} /> : null],
          ['Events before', job.kind === 'replay' && job.until !== undefined ? <Instant at={job.until} /> : null],
          ['Differences', job.kind === 'reconciliation' ? count(job.differences) : null],
          ['Job', <Id of={jobId} />],
        ]}
      />
      {state === 'running' ? <Stop of={job} /> : null}
    </>
  );
}

function Stop({ of: { jobId: id } }: OfJob) {
  return (
    <div class="actions">
      <Action
        label="Stop"
        title="Stop this job"
        needs="stopJob"
        changes={['jobs']}
        consequences={
          <p>The rest is left unchanged, except for calls already under way. Nothing done so far is undone.</p>
        }
        run={() => ask(api.DELETE('/v1/jobs/{id}', { params: { path: { id } } }))}
      />
    </div>
  );
}

const FILTERS: FiltersOf<'listJobResults'> = [
  { kind: 'choice', name: 'state', label: 'Result', values: ['refused', 'done'] },
];

/** A replay has no results of its own: its deliveries are in the list of its endpoint. */
function Results({ of: { jobId: id, state, kind } }: OfJob) {
  const isBulk = kind === 'bulk';
  const { state: result, ...page } = usePageQuery<'listJobResults'>(FILTERS);
  const query = { ...page, ...(isBulk ? { state: result } : {}), limit: 50 };
  // The state is part of the key, so that the results are loaded once more when the job ends.
  const read = useAnswer(
    ['jobs', id, state],
    '/v1/jobs/{id}/results',
    { path: { id }, query },
    { keepsPrevious: true, enabled: kind !== 'replay', refetchInterval: whileRunning({ state }) },
  );
  if (kind === 'replay') return null;
  if (!isBulk) {
    return (
      <>
        <h2>Differences</h2>
        <Listing
          what="differences"
          page={read as QueryState<PageOf<Difference>>}
          columns={DIFFERENCES}
          keyOf={(difference) => JSON.stringify(difference)}
          empty="No difference was found."
        />
      </>
    );
  }
  return (
    <>
      <h2>Each subscription</h2>
      <Filters of={FILTERS} />
      <Listing
        what="subscriptions of the job"
        page={read as QueryState<PageOf<BulkResult>>}
        columns={RESULTS}
        keyOf={({ subscriptionId }) => subscriptionId}
        hrefOf={({ subscriptionId }) => pathTo('subscriptions', subscriptionId)}
        empty="No such result."
      />
    </>
  );
}

const RESULTS: readonly Column<BulkResult>[] = [
  { head: 'Subscription', cell: ({ subscriptionId }) => subscriptionId },
  { head: 'State', cell: (result) => <StatusBadge status={result.state} /> },
  { head: 'At', cell: ({ at }) => (at === null ? '–' : <Instant at={at} />) },
  { head: 'Why', cell: ({ problem }) => (problem === undefined ? null : explain(problem)) },
];

const DIFFERENCES: readonly Column<Difference>[] = [
  { head: 'Difference', cell: ({ text }) => withAmounts(text) },
  { head: 'About', cell: (difference) => <Subject of={difference} none="–" /> },
];
