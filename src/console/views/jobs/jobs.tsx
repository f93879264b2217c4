import { useRoute } from 'preact-iso';
import { type Column, Instant, StatusBadge } from '../../parts';
import { pathTo } from '../common/address';
import { useAnswer } from '../common/answers';
import { Filters, type FiltersOf, usePageQuery } from '../common/filters';
import { Listing } from '../common/listing';
import type { Job } from '../common/schemas';
import { describeJob, KINDS, progressOf } from './describe';
import { JobDetail } from './job-detail';

const FILTERS: FiltersOf<'listJobs'> = [
  { kind: 'choice', name: 'kind', label: 'Kind', values: Object.keys(KINDS), says: KINDS },
  { kind: 'choice', name: 'state', label: 'State', values: ['running', 'finished', 'failed', 'stopped'] },
];

/** Polling interval in ms, because the stream does not report jobs. */
const LOADED_EVERY = 5_000;

/** The jobs of the last 90 days, or the job in the address. */
export default function Jobs() {
  const id = useRoute().params['job'];
  return id === undefined || id === '' ? <List /> : <JobDetail key={id} id={id} />;
}

function List() {
  const query = usePageQuery<'listJobs'>(FILTERS);
  const page = useAnswer(['jobs'], '/v1/jobs', { query }, { keepsPrevious: true, refetchInterval: LOADED_EVERY });
  return (
    <>
      <h1>Jobs</h1>
      <p class="hint">Bulk actions, webhook replays and comparisons with the payment service of the last 90 days.</p>
      <Filters of={FILTERS} />
      <Listing
        what="jobs"
        page={page}
        columns={COLUMNS}
        keyOf={({ jobId }) => jobId}
        hrefOf={({ jobId }) => pathTo('jobs', jobId)}
        empty="No job matches. Select subscriptions to start a bulk action, or open an endpoint to replay its events."
      />
    </>
  );
}

const COLUMNS: readonly Column<Job>[] = [
  { head: 'Job', cell: describeJob },
  { head: 'State', cell: ({ state }) => <StatusBadge status={state} /> },
  { head: 'Progress', cell: progressOf },
  { head: 'Started by', cell: ({ orderedBy }) => orderedBy },
  { head: 'Started', cell: ({ startedAt }) => <Instant at={startedAt} /> },
];
