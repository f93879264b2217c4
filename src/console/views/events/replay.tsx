import { useEffect, useRef, useState } from 'preact/hooks';
import { post } from '../../client';
import { now } from '../../format';
import { DAY } from '../../../domain/time';
import { ErrorNote, Field } from '../../parts';
import { Action, instantOf, localField, textOf } from '../common/action';
import { pathTo } from '../common/address';
import { Shown, useJob } from '../common/answers';
import type { Endpoint } from '../common/schemas';
import { REPLAY_TEXT, replayCountText } from '../dialogs/installation';
import { describeReplay } from '../jobs/describe';
import { listOf } from './endpoint-actions';
import { offeredOf } from './offered';

/** Replays the events of a period and shows the progress, even once no further replay is offered. */
export function Replay({ endpoint }: { readonly endpoint: Endpoint }) {
  const [jobId, setJobId] = useState<string | null>(null);
  return (
    <>
      {offeredOf(endpoint).isReplayable ? <StartReplay id={endpoint.endpointId} onStarted={setJobId} /> : null}
      {jobId === null ? null : <Progress id={jobId} />}
    </>
  );
}

interface StartReplayProps {
  readonly id: string;
  readonly onStarted: (jobId: string) => void;
}

/** The period starts two days ago by default, so that a night and the day before it are included. */
const STARTS_BEFORE = 2 * DAY;

function StartReplay({ id, onStarted }: StartReplayProps) {
  return (
    <Action
      label="Replay"
      title="Replay what was not delivered"
      action="Replay"
      isMain
      needs="replayEvents"
      changes={['webhook-endpoints', 'jobs']}
      consequences={<p>{REPLAY_TEXT}</p>}
      run={async (form, key) => {
        const job = await post(REPLAY, { id }, { ...replayOf(form), dryRun: false }, key);
        if ('jobId' in job) onStarted(job.jobId);
      }}
    >
      <SinceField />
      <Field label="Until" hint="If empty, until now.">
        <input name="until" type="datetime-local" />
      </Field>
      <Field label="Types" hint="Separated by commas. If empty, all types of the endpoint.">
        <input name="types" />
      </Field>
      <Field label="Include events that were delivered">
        <input name="delivered" type="checkbox" />
      </Field>
      <Count id={id} />
    </Action>
  );
}

const REPLAY = '/v1/webhook-endpoints/{id}/replay';

function replayOf(form: FormData) {
  const types = textOf(form, 'types');
  return {
    since: instantOf(form, 'since') ?? '',
    until: instantOf(form, 'until'),
    types: types === undefined ? undefined : listOf(types),
    onlyFailed: form.get('delivered') !== 'on',
  };
}

/** A button that counts what its form would send. The number disappears when a field changes. */
function Count({ id }: Pick<StartReplayProps, 'id'>) {
  const button = useRef<HTMLButtonElement>(null);
  const [total, setTotal] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const form = button.current?.form;
    const forget = () => setTotal(null);
    form?.addEventListener('input', forget);
    return () => form?.removeEventListener('input', forget);
  }, []);
  const countEvents = async (form: HTMLFormElement | null) => {
    if (form?.reportValidity() !== true) return;
    setError(null);
    setTotal(null);
    try {
      const found = await post(REPLAY, { id }, { ...replayOf(new FormData(form)), dryRun: true });
      setTotal(found.total);
    } catch (fault) {
      setError(fault);
    }
  };
  return (
    <div>
      <button ref={button} type="button" onClick={({ currentTarget }) => void countEvents(currentTarget.form)}>
        Count the events
      </button>
      <p role="status">{total === null ? '' : replayCountText(total)}</p>
      {error === null ? null : <ErrorNote error={error} />}
    </div>
  );
}

function SinceField() {
  // Read once: the dialog is not redrawn as time passes.
  const [start] = useState(() => localField(now() - STARTS_BEFORE));
  return (
    <Field label="Since" hint="In your local time.">
      <input name="since" type="datetime-local" required defaultValue={start} />
    </Field>
  );
}

function Progress({ id }: { readonly id: string }) {
  return (
    <div class="note">
      <Shown what="the progress of the replay" of={useJob(id)}>
        {(job) => <p role="status">{describeReplay(job)}</p>}
      </Shown>
      {/* Also if its progress cannot be read: the replay was started. */}
      <p>
        The replay was started. <a href={pathTo('jobs', id)}>Open the job</a>
      </p>
    </div>
  );
}
