import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, ApiError, ask } from '../../client';
import { count } from '../../format';
import { useArrival } from '../../keyboard';
import { Dialog, ErrorNote, Refused } from '../../parts';
import { pathTo } from '../common/address';
import { Shown, useJob } from '../common/answers';
import type { BulkAction, BulkDryRun, BulkFilter, Job } from '../common/schemas';
import { describeJob } from '../jobs/describe';
import { JobState } from '../jobs/job-state';
import { BulkFields, parametersOf } from './actions';
import { BULK_CHOICES } from './choices';
import { DryRun } from './dry-run';

interface PanelProps {
  readonly action: BulkAction;
  readonly filter: BulkFilter;
  readonly onStarted: () => void;
  readonly onClose: () => void;
}

/** The panel beside the list: what the action would do to the selected subscriptions, and then its progress. */
export function BulkPanel({ action, filter, onStarted, onClose }: PanelProps) {
  const [jobId, setJobId] = useState<string | null>(null);
  return (
    <Dialog title={BULK_CHOICES[action].name} onClose={onClose} isSide>
      {jobId === null ? (
        <DryRunForm
          action={action}
          filter={filter}
          onStarted={(id) => {
            setJobId(id);
            onStarted();
          }}
        />
      ) : (
        <Started id={jobId} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface StartedProps {
  readonly id: string;
  readonly onClose: () => void;
}

function Started({ id, onClose }: StartedProps) {
  return (
    <>
      <Shown what="the job" of={useJob(id)}>
        {(job) => <Progress of={job} />}
      </Shown>
      <p>
        The job goes on if you close this. <a href={pathTo('jobs', id)}>Open the job</a> for the result of each
        subscription; <a href="/jobs">Jobs</a> lists it later.
      </p>
      <footer>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </footer>
    </>
  );
}

function Progress({ of: job }: { readonly of: Job }) {
  const heading = useArrival<HTMLHeadingElement>();
  return (
    <>
      <h3 ref={heading} tabIndex={-1}>
        {describeJob(job)}
      </h3>
      <JobState of={job} />
    </>
  );
}

interface DryRunFormProps extends Pick<PanelProps, 'action' | 'filter'> {
  readonly onStarted: (jobId: string) => void;
}

/** Makes the dry run at once if nothing has to be entered. Discards it as soon as the user changes the input. */
function DryRunForm({ action, filter, onStarted }: DryRunFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [dryRun, setDryRun] = useState<BulkDryRun | null>(null);
  const edition = useRef(0);
  const discard = () => {
    edition.current += 1;
    setDryRun(null);
    setError(null);
  };
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const input = new FormData(event.currentTarget);
    if (isRunning) return;
    setRunning(true);
    discard();
    const sent = edition.current;
    // If the input has changed since the call, the response no longer applies.
    const isCurrent = () => edition.current === sent;
    await requestDryRun(action, filter, input).then(
      (answer) => isCurrent() && setDryRun(answer),
      (fault: unknown) => isCurrent() && setError(fault),
    );
    setRunning(false);
  };
  useEffect(() => {
    if (form.current?.checkValidity() === true) form.current.requestSubmit();
  }, []);
  return (
    <>
      <form ref={form} onInput={discard} onSubmit={(event) => void submit(event)}>
        <Refused error={error} under="parameters">
          <BulkFields of={action} />
        </Refused>
        {dryRun === null ? (
          <button type="submit" class="main" disabled={isRunning}>
            {isRunning ? 'Dry run …' : 'Dry run'}
          </button>
        ) : null}
      </form>
      {error === null ? null : <ErrorNote error={error} />}
      {error instanceof ApiError && error.code === 'selection_changed' ? <Changed since={error} /> : null}
      {dryRun === null ? null : (
        <DryRun
          key={dryRun.token}
          of={dryRun}
          onStarted={onStarted}
          onChanged={(refusal) => {
            setDryRun(null);
            setError(refusal);
          }}
        />
      )}
    </>
  );
}

/** How the selection differs from that of the dry run. */
function Changed({ since: { more } }: { readonly since: ApiError }) {
  return (
    <ul>
      <li>Newly selected: {count(countOf(more['added']))}</li>
      <li>No longer selected: {count(countOf(more['removed']))}</li>
      <li>Changed status, standing, amount or due date: {count(countOf(more['changed']))}</li>
    </ul>
  );
}

function countOf(part: unknown): number {
  const found = typeof part === 'object' && part !== null && 'count' in part ? part.count : 0;
  return typeof found === 'number' ? found : 0;
}

async function requestDryRun(action: BulkAction, filter: BulkFilter, form: FormData): Promise<BulkDryRun> {
  const body = { action, parameters: parametersOf(form), filter, dryRun: true };
  // With `dryRun`, the answer is never a job.
  return (await ask(api.POST('/v1/bulk', { body }))) as BulkDryRun;
}
